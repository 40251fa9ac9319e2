// SPDX-License-Identifier: Apache-2.0
//
// What planning costs on one core: ResNets of 137 to 9,998 layers at batch 16, in the lean lowering with every technique, and
// the configuration of ResNet-152 that takes longest. Run with --benchmark_repetitions=5 for medians.
#include <benchmark/benchmark.h>

#include <chrono>

#include "engine/backends/virtual/virtual_backend.h"
#include "engine/cost_model.h"
#include "engine/executor.h"
#include "engine/graph/device_file.h"
#include "engine/graph/network_file.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/plan_cases.h"

namespace {

using namespace peakscope;
using namespace peakscope::engine;

const std::string root = PEAKSCOPE_SOURCE_DIR;

/// Everything up to the plan, and one plan.
struct Net {
  Net(const std::string& name, std::int64_t batch) : device(*readDevice("k40c", root + "/resources/devices")) {
    device.memory = device.hostMemory = Bytes{std::int64_t{1} << 50};
    IdealLibrary library;
    lowering = lower(*findNetwork(name, root + "/samples/networks"), batch, LoweringOptions::lean(), library);
    costs = modelCosts(lowering, device);
    made = plan({});
  }
  Plan plan(const PolicyOptions& options) const { return *makePlan({lowering.workload, device, costs}, options); }

  DeviceSpec device;
  Lowering lowering;
  CostTable costs;
  Plan made;
};

/// 3 * (44 + n) + 2 layers: the paper deepens ResNets so.
Net deepNet(benchmark::State& state) {
  Net net("resnet:6,32," + std::to_string(state.range(0)) + ",6", 16);
  state.counters["ops"] = static_cast<double>(net.lowering.workload.route.size());
  return net;
}

void plan(benchmark::State& state) {
  const Net net = deepNet(state);
  for (auto _ : state) benchmark::DoNotOptimize(net.plan({}));
}

void check(benchmark::State& state) {
  const Net net = deepNet(state);
  for (auto _ : state) benchmark::DoNotOptimize(checkPlan(net.made, net.lowering.workload));
}

void virtualRun(benchmark::State& state) {
  const Net net = deepNet(state);
  VirtualBackend backend(net.device, [&](const Lowering&) { return net.costs; });
  if (!backend.commit(net.lowering, net.made)) return state.SkipWithError("the plan does not fit the device");
  backend.activate(net.lowering, net.made);
  const PlannedRun run(net.lowering, net.made, 0);
  Executor executor(backend, nullptr);
  for (auto _ : state) benchmark::DoNotOptimize(executor.iterate(run, {}));
}

void resnet152(benchmark::State& state) {
  const Net net("resnet152", 32);
  for (auto _ : state) benchmark::DoNotOptimize(net.plan({}));
}

/// Looks for the slowest set of options once, then measures that.
void resnet152Slowest(benchmark::State& state) {
  const Net net("resnet152", 32);
  PolicyOptions slowest;
  std::chrono::nanoseconds longest{0};
  for (const PolicyOptions& options : test::allPolicyOptions()) {
    const auto begin = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(net.plan(options));
    const std::chrono::nanoseconds took = std::chrono::steady_clock::now() - begin;
    if (took > longest) longest = took, slowest = options;
  }
  state.SetLabel(test::textOf(slowest));
  for (auto _ : state) benchmark::DoNotOptimize(net.plan(slowest));
}

void depths(benchmark::internal::Benchmark* bench) {
  bench->Unit(benchmark::kMillisecond);
  for (const int blocks : {1, 124, 288, 788, 3288}) bench->Arg(blocks);
}
BENCHMARK(plan)->Apply(depths);
BENCHMARK(check)->Apply(depths);
BENCHMARK(virtualRun)->Apply(depths);
BENCHMARK(resnet152)->Unit(benchmark::kMillisecond);
BENCHMARK(resnet152Slowest)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
