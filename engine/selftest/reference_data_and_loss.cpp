// SPDX-License-Identifier: Apache-2.0
//
// Loading a batch; softmax with cross entropy.
#include <algorithm>
#include <cmath>

#include "engine/selftest/reference.h"

namespace peakscope::engine::reference {

void load(const Operands& o) {
  const IterationInput& input = o.call().input;
  o.out(ArgRole::Dst, Values(input.images.begin(), input.images.end()));
  o.out(ArgRole::Labels, Values(input.labels.begin(), input.labels.end()));
}

/// The loss is the sum over the images that have a label; a gradient is of that sum over the batch.
void softmaxLoss(const Operands& o) {
  const Shape& s = o.desc().dst.shape;
  const Values& labels = o.in(ArgRole::Labels);
  const bool isBackward = o.desc().phase == Phase::Backward;
  Values result = o.in(isBackward ? ArgRole::Dst : ArgRole::Src);
  double loss = 0, hits = 0;
  for (std::int64_t n = 0; n < s.n; ++n) {
    const auto first = result.begin() + n * s.c, last = first + s.c;
    const auto label = static_cast<std::int64_t>(labels[static_cast<std::size_t>(n)]);
    if (isBackward) {
      if (label < 0)
        std::fill(first, last, 0.0);
      else
        first[label] -= 1;
      for (auto it = first; it != last; ++it) *it /= static_cast<double>(s.n);
      continue;
    }
    const double largest = *std::max_element(first, last);
    double sum = 0;
    for (auto it = first; it != last; ++it) sum += std::exp(*it - largest);
    if (label >= 0) {
      loss += std::log(sum) - (first[label] - largest);
      hits += std::max_element(first, last) - first == label ? 1 : 0;
    }
    for (auto it = first; it != last; ++it) *it = std::exp(*it - largest) / sum;
  }
  o.out(isBackward ? ArgRole::DiffSrc : ArgRole::Dst, std::move(result));
  if (!isBackward) o.out(ArgRole::Loss, {loss, hits});
}

}  // namespace peakscope::engine::reference
