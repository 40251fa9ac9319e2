// SPDX-License-Identifier: Apache-2.0
#include "engine/described_sizes.h"

namespace peakscope::engine {

DescribedSizes describeSizes(const Lowering& lowering, OpLibrary& library) {
  const Workload& workload = lowering.workload;
  DescribedSizes sizes{IdVector<TensorId, Bytes>(workload.tensors.size()), IdVector<OpId, std::vector<Bytes>>(workload.ops.size())};
  for (const TensorId id : idsOf(workload.tensors)) sizes.tensors[id] = library.bytes(lowering.tensors[id]);
  for (const OpId id : idsOf(workload.ops)) {
    const OpNeeds needs = library.describe(lowering.ops[id]);
    for (const OpCandidate& candidate : needs.candidates) sizes.workspaces[id].push_back(candidate.workspace);
    // Argmax and masks have a size that only the op knows.
    for (const OpArg& arg : workload.ops[id].args)
      if (arg.role == ArgRole::Saved && workload.ops[id].phase == Phase::Forward) sizes.tensors[arg.tensor] = needs.saved;
  }
  return sizes;
}

}  // namespace peakscope::engine
