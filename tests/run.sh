#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds with warnings as errors, runs every test: first what needs no window under the address
# and undefined behaviour sanitizers, then everything as released.
#
#   bash tests/run.sh
#   bash tests/run.sh --quick      # without the sanitizers
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=app/install.sh
. app/install.sh
install_missing "${peakscope_packages[@]}" "${test_packages[@]}"

export CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} QT_QPA_PLATFORM=offscreen
# Threads that wait for each other sleep: on two shared cores spinning costs more than waking.
export OMP_WAIT_POLICY=passive
jobs=$(nproc)
launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

if [ "${1:-}" != --quick ]; then
  echo "== sanitizers: address, undefined behaviour (memory, engine, trace, models of the window)"
  cmake --preset asan "${launcher[@]}"
  cmake --build --preset asan --target sanitized_tests -j "$jobs"
  ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$PWD/tests/support/lsan.supp:print_suppressions=0 \
    ctest --preset asan -j "$jobs"
fi

echo "== release"
cmake --preset ci "${launcher[@]}"
cmake --build --preset ci -j "$jobs"
ctest --preset ci
