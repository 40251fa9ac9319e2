// SPDX-License-Identifier: Apache-2.0
//
// Builds a Workload straight from an oracle file (tests/oracle/*.json), following the rules of the paper's accounting and
// knowing nothing of engine/: what each layer type owns and touches is written down here a second time on purpose.
//
//   const OracleNet net = readOracle("alexnet");
//   makePlan({net.workload, device, costs}, optionsOf("conv_prefetch_cost"));
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "memory/cost_table.h"
#include "memory/device_spec.h"
#include "memory/policy_options.h"
#include "memory/workload.h"

namespace peakscope::test {

struct OracleNet {
  nlohmann::json json;
  Workload workload;
};

[[nodiscard]] OracleNet readOracle(const std::string& name);
/// The policy options of a configuration such as "ckpt_demand_memory".
[[nodiscard]] PolicyOptions optionsOf(const std::string& configuration);
/// A device on which everything fits, and costs of one microsecond an op.
[[nodiscard]] DeviceSpec roomyDevice();
[[nodiscard]] CostTable uniformCosts(const Workload& workload);

inline constexpr const char* oracleNets[] = {"lenet", "minivgg", "alexnet", "vgg16", "resnet50", "inception4"};

}  // namespace peakscope::test
