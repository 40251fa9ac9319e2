#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Training throughput of Peakscope's CPU backend and PyTorch, alternating in one run: images per second, medians.
#
#   bash tests/bench/compare_pytorch.sh            # needs Debian's python3-torch (about 300 MB); says so and installs it
#   RUNS=5 THREADS=2 bash tests/bench/compare_pytorch.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=app/install.sh
. "$root/app/install.sh"
install_missing python3-torch "${peakscope_packages[@]}"
runs=${RUNS:-3} threads=${THREADS:-$(nproc)}
cli=${BIN:-$root/build/release/app}/peakscope-cli
[ -x "$cli" ] || { (cd "$root" && cmake --preset release && cmake --build --preset release -j "$(nproc)") >/dev/null; }

median() { sort -g | awk '{v[NR]=$1} END {print (NR%2 ? v[(NR+1)/2] : (v[NR/2]+v[NR/2+1])/2)}'; }
ours() { # net batch iterations
  "$cli" train "$1" --batch "$2" --iterations "$3" --threads "$threads" --techniques liveness,workspace --data synthetic --json |
    awk -F'"images_per_second":' '/"summary"/ {split($2, a, /[,}]/); print a[1]}'
}
theirs() { OMP_NUM_THREADS=$threads /usr/bin/python3 "$root/tests/bench/pytorch_nets.py" "$1" --batch "$2" --iterations "$3" --threads "$threads"; }

echo "$("$cli" --version); PyTorch $(/usr/bin/python3 -c 'import torch; print(torch.__version__)'); $threads threads; $runs runs, alternating; $(date -u +%F)"
printf '%-12s %6s %14s %14s %7s\n' network batch 'Peakscope img/s' 'PyTorch img/s' ratio
while read -r net batch iterations; do
  a=() b=()
  for _ in $(seq "$runs"); do a+=("$(ours "$net" "$batch" "$iterations")"); b+=("$(theirs "$net" "$batch" "$iterations")"); done
  ma=$(printf '%s\n' "${a[@]}" | median) mb=$(printf '%s\n' "${b[@]}" | median)
  printf '%-12s %6s %14.0f %14.0f %7.2f\n' "$net" "$batch" "$ma" "$mb" "$(awk "BEGIN {print $ma / $mb}")"
done <<'NETS'
lenet 100 60
residual32 100 6
alexnet 32 3
NETS
