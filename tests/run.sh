#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the tests need, builds everything, runs every test; ends with the sanitizer build and the release suite.
#
#   bash tests/run.sh            # all: about half an hour on two cores
#   bash tests/run.sh --fast     # release build only
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=app/install.sh
. app/install.sh
install_missing "${peakscope_packages[@]}" "${test_packages[@]}"

export CCACHE_DIR=${CCACHE_DIR:-$HOME/.cache/ccache} QT_QPA_PLATFORM=offscreen
jobs=$(nproc)
launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)

if [ "${1:-}" != --fast ]; then
  echo "== sanitizers: address, undefined behaviour (memory, engine, ui models)"
  cmake --preset asan "${launcher[@]}" >build-asan.log 2>&1 || { tail -n 30 build-asan.log; exit 1; }
  rm -f build-asan.log
  cmake --build --preset asan --target sanitized_tests -j "$jobs"
  ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$PWD/tests/support/lsan.supp:print_suppressions=0 \
    ctest --preset asan -j "$jobs"
fi

echo "== release"
cmake --preset ci "${launcher[@]}"
cmake --build --preset ci -j "$jobs"
ctest --preset ci
