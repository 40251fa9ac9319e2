// SPDX-License-Identifier: Apache-2.0
//
// The tensor cache: no traffic while everything fits, evictions by the rule chosen, locks, and any budget that can be met.
#include <algorithm>
#include <random>

#include "memory/analysis/cache_report.h"
#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

constexpr Techniques cached{.liveness = true, .offload = true, .cache = true};

struct Net {
  explicit Net(const char* name) : workload(readOracle(name).workload), costs(uniformCosts(workload)) {}
  Result<Plan, PlanError> plan(const PolicyOptions& options) const { return makePlan({workload, device, costs}, options); }
  Plan within(Bytes budget, PolicyOptions options = {.techniques = cached}) const {
    options.budget = budget;
    return *plan(options);
  }
  analysis::CacheReport report(const Plan& plan) const { return analysis::cacheReport(workload, plan); }

  Workload workload;
  CostTable costs;
  DeviceSpec device = roomyDevice();
};

}  // namespace

class TensorCacheTest : public QObject {
  Q_OBJECT
 private slots:
  void nothingIsCopiedWhileEverythingFits() {
    for (const char* name : {"lenet", "alexnet", "resnet50"}) {
      const Net net(name);
      const Plan roomy = *net.plan({.policy = "liveness"});
      const Plan plan = net.within(roomy.arenaBytes);
      QCOMPARE(plan.hostBytes.count(), 0);
      QCOMPARE(net.report(plan).copiedOut.count() + net.report(plan).copiedIn.count(), 0);
      QCOMPARE(net.report(plan).misses, 0);
      QCOMPARE(plan.arenaBytes.count(), roomy.arenaBytes.count());
    }
  }

  void lessBudgetMeansMoreTrafficAndNeverMoreThanTheBudget() {
    const Net net("alexnet");
    const Bytes all = net.plan({.policy = "liveness"})->arenaBytes;
    Bytes last;
    for (const int percent : {95, 90, 80, 75}) {
      const Bytes budget{all.count() / 100 * percent};
      const Plan plan = net.within(budget);
      QVERIFY(plan.arenaBytes <= budget);
      QVERIFY(checkPlan(plan, net.workload).empty());
      const Bytes traffic = net.report(plan).copiedOut + net.report(plan).copiedIn;
      QVERIFY(traffic >= last);
      last = traffic;
    }
    QVERIFY(last > Bytes{});
  }

  void theLeastRecentlyUsedTensorLeavesFirst() {
    // AlexNet's convolutions are touched in the order of their numbers in forward, so conv1.out is the oldest when pool5's
    // gradients need room.
    const Net net("alexnet");
    const Bytes all = net.plan({.policy = "liveness"})->arenaBytes;
    const auto evictions = net.report(net.within(all - Bytes{bytesPerMiB})).evictions;
    QCOMPARE(evictions.size(), std::size_t{1});
    QCOMPARE(net.workload.tensors[evictions[0].tensor].name, std::string("conv1.out"));
    QVERIFY(evictions[0].request > Bytes{});
  }

  void beladysRuleNeverCopiesMoreThanLruOnTheOraclesNetworks() {
    for (const char* name : {"alexnet", "vgg16", "resnet50"}) {
      const Net net(name);
      const Bytes all = net.plan({.policy = "liveness"})->arenaBytes;
      for (const int percent : {95, 85, 75}) {
        const Bytes budget{all.count() / 100 * percent};
        const PolicyOptions lru{.techniques = cached, .budget = budget}, belady{.techniques = cached, .eviction = Eviction::Belady, .budget = budget};
        const auto a = net.plan(lru), b = net.plan(belady);
        QCOMPARE(a.has_value(), b.has_value());
        if (a) QVERIFY(net.report(*b).copiedIn <= net.report(*a).copiedIn);
      }
    }
  }

  void whatAnOpTouchesIsNeverEvictedForIt() {
    std::mt19937 random(11);
    for (int round = 0; round < 20; ++round) {
      const Workload workload = randomWorkload(random, {.layers = 5 + static_cast<int>(random() % 30)});
      const CostTable costs = randomCosts(random, workload);
      const DeviceSpec device = roomyDevice();
      PolicyOptions options{.techniques = cached, .offload = OffloadSet::Checkpoints, .budget = Bytes{1}};
      options.budget = makePlan({workload, device, costs}, options).error().smallestBudget;
      const auto plan = makePlan({workload, device, costs}, options);
      QVERIFY(plan.has_value());
      for (const auto& eviction : analysis::cacheReport(workload, *plan).evictions)
        for (const OpArg& arg : workload.ops[eviction.op].args) QVERIFY(arg.tensor != eviction.tensor);
    }
  }

  void anyBudgetDownToTheSmallestNamedIsKept() {
    std::mt19937 random(5);
    for (int round = 0; round < 30; ++round) {
      const Workload workload = randomWorkload(random, {.layers = 5 + static_cast<int>(random() % 40)});
      const CostTable costs = randomCosts(random, workload);
      const DeviceSpec device = roomyDevice();
      PolicyOptions options;
      options.techniques.recompute = round % 2 == 0;
      options.offload = round % 3 == 0 ? OffloadSet::Convolutions : OffloadSet::Checkpoints;
      options.eviction = round % 5 == 0 ? Eviction::Belady : Eviction::LeastRecentlyUsed;
      const Bytes all = makePlan({workload, device, costs}, options)->arenaBytes;
      options.budget = Bytes{1};
      const Bytes least = makePlan({workload, device, costs}, options).error().smallestBudget;
      for (int i = 0; i <= 8; ++i) {
        options.budget = least + Bytes{(all - least).count() * i / 8};
        const auto plan = makePlan({workload, device, costs}, options);
        QVERIFY2(plan.has_value(), std::to_string(round).c_str());
        QVERIFY(plan->arenaBytes <= *options.budget);
        const auto problems = checkPlan(*plan, workload);
        QVERIFY2(problems.empty(), problems.empty() ? "" : problems.front().text.c_str());
      }
    }
  }

  void everyAccessIsAHitOrAMiss() {
    const Net net("alexnet");
    const Bytes all = net.plan({.policy = "liveness"})->arenaBytes;
    const auto roomy = net.report(net.within(all)), tight = net.report(net.within(Bytes{all.count() / 100 * 75}));
    QCOMPARE(roomy.hits, tight.hits + tight.misses);
    QVERIFY(tight.misses > 0);
  }

 private:
};

PEAKSCOPE_TEST(TensorCacheTest)
#include "tensor_cache_test.moc"
