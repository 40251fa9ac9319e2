#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What drawing costs training: images per second without a window, with the window drawing at 15 Hz, and with its view
# frozen, alternating in one run; medians, and the loss against no window.
#
#   bash tests/bench/drawing_cost.sh
#   RUNS=5 NET=minivgg ITERATIONS=60 THREADS=2 bash tests/bench/drawing_cost.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=app/install.sh
. "$root/app/install.sh"
install_missing "${peakscope_packages[@]}"
runs=${RUNS:-5} net=${NET:-minivgg} iterations=${ITERATIONS:-60} threads=${THREADS:-$(nproc)}
bin=${BIN:-$root/build/release/app}
[ -x "$bin/peakscope" ] || { (cd "$root" && cmake --preset release && cmake --build --preset release -j "$(nproc)") >/dev/null; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A display if there is one; else rendered offscreen, which is slower than a display: an upper bound.
[ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || export QT_QPA_PLATFORM=offscreen

common=("$net" --iterations "$iterations" --threads "$threads" --trace "$work/run.peakscope")
speed() { # images per second of the run just recorded
  "$bin/peakscope-cli" report "$work/run.peakscope" --json "$work/run.json" >/dev/null
  awk -F'"median": ' '/"images_per_second"/ {seen=1} seen && NF > 1 {split($2, a, /[,}]/); print a[1]; exit}' "$work/run.json"
}
without() { "$bin/peakscope-cli" train "${common[@]}" >/dev/null; speed; }
drawing() { "$bin/peakscope" "${common[@]}" --exit-when-done; speed; }
frozen() { "$bin/peakscope" "${common[@]}" --exit-when-done --frozen; speed; }
median() { sort -g | awk '{v[NR]=$1} END {print (NR%2 ? v[(NR+1)/2] : (v[NR/2]+v[NR/2+1])/2)}'; }

echo "$("$bin/peakscope-cli" --version); $net, $iterations iterations, $threads threads; ${QT_QPA_PLATFORM:-display}; $runs runs, alternating; $(date -u +%F)"
a=() b=() c=()
for _ in $(seq "$runs"); do a+=("$(without)"); b+=("$(drawing)"); c+=("$(frozen)"); done
ma=$(printf '%s\n' "${a[@]}" | median) mb=$(printf '%s\n' "${b[@]}" | median) mc=$(printf '%s\n' "${c[@]}" | median)
printf '%-12s %12s %8s\n' window images/s cost
printf '%-12s %12.0f %8s\n' none "$ma" -
printf '%-12s %12.0f %7.1f%%\n' drawing "$mb" "$(awk "BEGIN {print 100 * (1 - $mb / $ma)}")"
printf '%-12s %12.0f %7.1f%%\n' frozen "$mc" "$(awk "BEGIN {print 100 * (1 - $mc / $ma)}")"
