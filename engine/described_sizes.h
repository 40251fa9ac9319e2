// SPDX-License-Identifier: Apache-2.0
//
// Sizes as the backend's own library states them, asked anew when a plan is committed: what measuring compares a plan with.
//
//   const DescribedSizes sizes = describeSizes(lowering, backend.library());
//   sizes.tensors[id];                          // bytes by descriptor, not Workload's
//   sizes.workspaces[op][candidate];
#pragma once

#include <vector>

#include "engine/lowering.h"
#include "engine/op_library.h"

namespace peakscope::engine {

struct DescribedSizes {
  IdVector<TensorId, Bytes> tensors;
  IdVector<OpId, std::vector<Bytes>> workspaces;   ///< per candidate
};
[[nodiscard]] DescribedSizes describeSizes(const Lowering& lowering, OpLibrary& library);

}  // namespace peakscope::engine
