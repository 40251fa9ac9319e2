#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing of the Debian packages that Peakscope needs, and says which. Sourced by app/run.sh and tests/run.sh.
#
#   install_missing "${peakscope_packages[@]}" "${test_packages[@]}"

# What the program needs to build and run. Sorted by what it is for.
peakscope_packages=(
  g++ cmake ninja-build ccache pkg-config                                # build
  libfmt-dev libexpected-dev nlohmann-json3-dev libcli11-dev             # base
  libdnnl-dev zlib1g-dev libzstd-dev libsqlite3-dev libcairo2-dev        # engine, trace, figures
  libonnx-dev libprotobuf-dev protobuf-compiler                          # models of one's own
  qt6-base-dev qt6-qpa-plugins libqcustomplot-dev fonts-dejavu-core      # window
  dataset-fashion-mnist                                                  # data
)
# What the tests need besides.
test_packages=(librapidcheck-dev libbenchmark-dev)

install_missing() {
  local missing=() package sudo=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null)" = "install ok installed" ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || {
    echo "peakscope: these Debian packages are missing and there is no apt-get: ${missing[*]}; install their equivalents" >&2
    return 2
  }
  if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || {
      echo "peakscope: these packages are missing: ${missing[*]}; run as root, or: apt-get install --no-install-recommends ${missing[*]}" >&2
      return 2
    }
    sudo=(sudo)
  fi
  echo "peakscope: installing with apt: ${missing[*]}" >&2
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq || { echo "peakscope: apt-get update failed; check the network and /etc/apt" >&2; return 3; }
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
    { echo "peakscope: apt-get install failed for: ${missing[*]}" >&2; return 3; }
}
