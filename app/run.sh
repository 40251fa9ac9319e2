#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what is missing, builds, and opens Peakscope with MiniVGG on Fashion-MNIST, training.
#
#   bash app/run.sh                      # the window
#   bash app/run.sh lenet --batch 200    # further arguments go to the program
#
# Without a display it does the same job with peakscope-cli: trains with progress, writes a trace, an HTML report and a
# picture of the window, and says where they are.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=app/install.sh
. "$root/app/install.sh"
install_missing "${peakscope_packages[@]}"

echo "peakscope: building (the first time takes some minutes)" >&2
mkdir -p "$root/build"
log=$root/build/build.log
(cd "$root" && cmake --preset release -DCMAKE_CXX_COMPILER_LAUNCHER=ccache >"$log" 2>&1 && cmake --build --preset release -j "$(nproc)" >>"$log" 2>&1) || {
  tail -n 20 "$log" >&2
  echo "peakscope: the build failed; the whole log is in $log" >&2
  exit 3
}
bin=$root/build/release/app

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
  exec "$bin/peakscope" "$@"
fi

echo "peakscope: there is no display (DISPLAY and WAYLAND_DISPLAY are empty), so this trains with peakscope-cli instead" >&2
out=${PEAKSCOPE_OUT:-$PWD/peakscope-out}
mkdir -p "$out"
[ $# -gt 0 ] || set -- minivgg --epochs 1
"$bin/peakscope-cli" train "$@" --trace "$out/run.peakscope"
"$bin/peakscope-cli" report "$out/run.peakscope" --html "$out/report.html"
QT_LOGGING_RULES='*.warning=false' QT_QPA_PLATFORM=offscreen "$bin/peakscope" "$out/run.peakscope" --screenshot "$out/window.png"
cat <<EOF
trace:   $out/run.peakscope
report:  $out/report.html
window:  $out/window.png
EOF
