// SPDX-License-Identifier: Apache-2.0
//
// How much of the arena placement wastes, for every sample network and every set of techniques: at most a hundredth more than
// the bytes that are alive at once.
#include <filesystem>

#include "engine/cost_model.h"
#include "engine/graph/device_file.h"
#include "memory/policy.h"
#include "tests/engine/sample_lowerings.h"
#include "tests/support/plan_cases.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

/// The most bytes of slots alive at once, the persistent region included; read off the steps, not off placement.
std::int64_t mostAlive(const Plan& plan, const Workload& workload) {
  const auto slotOf = [&](Bytes bytes) { return roundUp(bytes, plan.alignment).count(); };
  std::int64_t live = plan.persistentBytes.count(), most = live;
  for (const PlanStep& step : plan.steps)
    std::visit(Overloaded{
                   [&](const AllocStep& alloc) { most = std::max(most, live += slotOf(workload.tensors[alloc.tensor].bytes)); },
                   [&](const FreeStep& free) { live -= slotOf(workload.tensors[free.tensor].bytes); },
                   [&](const RunStep& run) {
                     most = std::max(most, live + slotOf(workload.ops[run.op].candidates[static_cast<std::size_t>(run.candidate)].workspace));
                   },
                   [](const auto&) {},
               },
               step.action);
  return most;
}

std::vector<std::string> sampleNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(samplesDir))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace

class PlacementBoundTest : public QObject {
  Q_OBJECT
 private slots:
  void theArenaIsAtMostAHundredthLargerThanWhatIsAlive_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("lowering");
    QTest::addColumn<int>("batch");
    // Small batches leave weights the largest share, large ones activations; odd ones make sizes that do not divide each other.
    const auto add = [](const std::string& net, std::initializer_list<int> batches) {
      for (const char* lowering : {"paper", "lean"})
        for (const int batch : batches)
          QTest::addRow("%s, %s, batch %d", net.c_str(), lowering, batch) << QString::fromStdString(net) << QString::fromLatin1(lowering) << batch;
    };
    for (const std::string& net : sampleNames()) add(net, {1, 7, 32, 100, 256});
    for (const char* net : {"resnet50", "resnet101", "resnet152"}) add(net, {7, 16, 100});
    add("resnet:6,32,124,6", {16});
  }
  void theArenaIsAtMostAHundredthLargerThanWhatIsAlive() {
    QFETCH(QString, net);
    QFETCH(QString, lowering);
    QFETCH(int, batch);
    DeviceSpec device = *engine::readDevice("k40c", devicesDir);
    device.memory = device.hostMemory = Bytes{std::int64_t{1} << 50};
    const engine::Lowering of = lowered(sample(net.toStdString()), batch, lowering.toStdString());
    const CostTable costs = engine::modelCosts(of, device);
    for (const PolicyOptions& options : allPolicyOptions()) {
      const auto plan = makePlan({of.workload, device, costs}, options);
      QVERIFY2(plan.has_value(), textOf(options).c_str());
      if (plan->options.placement != PlacementRule::Packed) continue;   // pools that serve request by request do waste
      const std::int64_t alive = mostAlive(*plan, of.workload), arena = plan->arenaBytes.count();
      QVERIFY2(arena >= alive && arena - alive <= alive / 100,
               (textOf(options) + ": arena " + std::to_string(arena) + ", alive " + std::to_string(alive)).c_str());
    }
  }
};

PEAKSCOPE_TEST(PlacementBoundTest)
#include "placement_bound_test.moc"
