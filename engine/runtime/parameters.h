// SPDX-License-Identifier: Apache-2.0
//
// First values of the persistent tensors: weights at random by seed and tensor name, everything else by its role.
//
//   for (const TensorId id : parameterTensors(lowering)) backend.writePersistent(id, initialValues(lowering, id, init, seed));
#pragma once

#include <cstdint>
#include <vector>

#include "engine/lowering.h"

namespace peakscope::engine {

/// Those that hold numbers which training reads before it writes them: parameters, statistics, momentum.
[[nodiscard]] std::vector<TensorId> parameterTensors(const Lowering& lowering);

/// Weights of convolutions and fully connected layers by `init`; scale and running variance 1; the rest 0.
/// The same for the same seed and tensor name, whatever the order, batch, techniques or backend.
[[nodiscard]] std::vector<float> initialValues(const Lowering& lowering, TensorId tensor, const WeightInit& init, std::uint64_t seed);

/// The rate of the schedule at an iteration (0-based).
[[nodiscard]] float learningRateAt(const Solver& solver, std::int64_t iteration);

}  // namespace peakscope::engine
