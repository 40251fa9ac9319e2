// SPDX-License-Identifier: Apache-2.0
#include "engine/planning/reproduction.h"

#include "engine/planning/reproduction/gather.h"

namespace peakscope::engine {

Result<report::Reproduction> reproduce(const ReproduceInput& input) {
  report::Reproduction found{.device = input.device.name, .costs = "modelled for " + input.device.name, .budget = input.device.memory};
  found.nativeAllocNs = static_cast<std::int64_t>(input.device.nativeAllocNanoseconds);
  for (const auto gather : {reproduction::stepCurves, reproduction::recomputeModes, reproduction::largestBatches, reproduction::deepestNet,
                            reproduction::traffic, reproduction::workspaces, reproduction::poolSpeeds})
    if (const auto done = gather(input, found); !done) return fail(done.error());
  return found;
}

}  // namespace peakscope::engine
