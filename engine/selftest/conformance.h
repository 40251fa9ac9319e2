// SPDX-License-Identifier: Apache-2.0
//
// Conformance: small networks, lowered as `paper`, as `lean` and for evaluation, walked op by op. Each op of the backend
// gets the reference's tensors, and every tensor that it writes is compared. Besides: every candidate, twice the same bits
// from the same inputs, and a rebuild that repeats its forward op bit for bit.
//
//   for (const ConformanceResult& r : runConformance(runner)) ok = ok && r.passed;
//   for (const ConformanceResult& r : checkReference()) ...      // the reference itself, against finite differences
#pragma once

#include <string>
#include <vector>

#include "engine/selftest/op_runner.h"

namespace peakscope::engine {

struct ConformanceResult {
  std::string name;                ///< "conv 1x1 stride 2, lean"
  double maxError = 0;             ///< of the op closest to its tolerance, or farthest beyond it
  double tolerance = 0;            ///< of the same op
  bool passed = true;
  std::string detail;              ///< that op and tensor, or why it failed: "conv1 backward, conv1.weights.grad"
};

/// Note [Errors are relative to what flows through]
/// max |backend - reference|, over the largest magnitude of the reference, or of the gradient that came in if that is
/// larger: sums that should vanish (a bias before batch norm) are rounding errors of their terms, not of themselves.
[[nodiscard]] std::vector<ConformanceResult> runConformance(OpRunner& runner);

/// Gradients of every case, from the reference, against central differences of its loss, all in double.
[[nodiscard]] std::vector<ConformanceResult> checkReference();

}  // namespace peakscope::engine
