// SPDX-License-Identifier: Apache-2.0
//
// A workload and a plan written by hand: two ops, one tensor that goes to the host and comes back. Sizes and times are
// round, so that tests can say what must come out without calling the code under test.
#pragma once

#include <chrono>

#include "engine/lowering.h"
#include "memory/cost_table.h"
#include "memory/plan.h"

namespace peakscope::test {

/// a: 1,000 floats, b: 500 floats. op 0 writes a; op 1 reads a and writes b.
inline engine::Lowering tinyLowering() {
  engine::Lowering lowering;
  Workload& w = lowering.workload;
  w.net = "tiny";
  w.batch = 1;
  w.layers.push_back({"first", "relu", LayerClass::Cheap});
  w.layers.push_back({"second", "relu", LayerClass::Cheap});
  const auto tensor = [&](const char* name, LayerId layer, std::int64_t elements) {
    lowering.tensors.push_back({engine::Shape{1, elements, 1, 1}, engine::Layout::Plain});
    return w.tensors.push_back({.name = name, .kind = TensorKind::Activation, .layer = layer, .shape = {1, elements, 1, 1}, .shapeBytes = Bytes{elements * 4}, .bytes = Bytes{elements * 4}});
  };
  const TensorId a = tensor("a", LayerId{0}, 1000), b = tensor("b", LayerId{1}, 500);
  const auto op = [&](LayerId layer, PaperStep step, std::vector<OpArg> args) {
    engine::OpDesc desc;
    desc.layer = w.layers[layer].name;
    desc.params = engine::ReluParams{};
    lowering.ops.push_back(std::move(desc));
    w.route.push_back(w.ops.push_back({.layer = layer, .phase = Phase::Forward, .paperStep = step, .args = std::move(args), .candidates = {{"reference", Bytes{}}}}));
  };
  op(LayerId{0}, 1, {{ArgRole::Dst, 0, a, Access::Write}});
  op(LayerId{1}, 2, {{ArgRole::Src, 0, a, Access::Read}, {ArgRole::Dst, 0, b, Access::Write}});
  return lowering;
}

/// op 0: 10 us, op 1: 20 us, link: 1 byte a ns, so that a takes 4 us.
inline CostTable tinyCosts() {
  using std::chrono::nanoseconds;
  CostTable costs{.source = CostSource::Modelled, .description = "by hand", .opTimes = {}, .linkBytesPerSecond = 1e9};
  costs.opTimes.push_back({nanoseconds{10'000}});
  costs.opTimes.push_back({nanoseconds{20'000}});
  return costs;
}

/// 0 alloc a | 1 run 0 | 2 wait out for 1 | 3 copy out a | 4 alloc b | 5 wait compute for 3 | 6 free a | 7 alloc a |
/// 8 wait in for 7 | 9 copy in a | 10 wait compute for 9 | 11 run 1 | 12 free a | 13 free b
inline Plan tinyPlan() {
  const TensorId a{0}, b{1};
  Plan plan;
  const auto add = [&](PlanAction action) { plan.steps.push_back({.action = action, .paperStep = 1, .cause = {}}); };
  add(AllocStep{a, Bytes{0}});
  add(RunStep{OpId{0}, 0, {}});
  add(WaitStep{Lane::CopyOut, PlanStepId{1}});
  add(CopyOutStep{a, Bytes{0}});
  add(AllocStep{b, Bytes{4096}});
  add(WaitStep{Lane::Compute, PlanStepId{3}});
  add(FreeStep{a});
  add(AllocStep{a, Bytes{0}});
  add(WaitStep{Lane::CopyIn, PlanStepId{7}});
  add(CopyInStep{a, Bytes{0}});
  add(WaitStep{Lane::Compute, PlanStepId{9}});
  add(RunStep{OpId{1}, 0, {}});
  add(FreeStep{a});
  add(FreeStep{b});
  plan.persistentOffsets.resize(2);
  plan.arenaBytes = Bytes{4096 + 2000};
  plan.hostBytes = Bytes{4000};
  return plan;
}

inline DeviceSpec tinyDevice() {
  return {.name = "device by hand", .source = "test", .memory = Bytes{1 << 30}, .hostMemory = Bytes{1 << 30}, .alignment = Bytes{256}, .flopsPerSecond = 1e12,
          .memoryBytesPerSecond = 1e11, .linkBytesPerSecond = 1e9, .launchNanoseconds = 0};
}

}  // namespace peakscope::test
