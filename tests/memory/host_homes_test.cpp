// SPDX-License-Identifier: Apache-2.0
//
// Tensors that live on the host: fetched for their uses, written back when they were changed, under every policy.
#include <random>

#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/plan_cases.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

/// A random network whose weights live on the host.
struct Net {
  explicit Net(unsigned seed) : random(seed), workload(randomWorkload(random, {.layers = 12})), costs(randomCosts(random, workload)) {
    for (Tensor& tensor : workload.tensors)
      if (tensor.kind == TensorKind::Weight && tensor.isPersistent) {
        tensor.isPersistent = false;
        tensor.livesOnHost = true;
        home += tensor.bytes;
      }
  }
  Plan plan(const PolicyOptions& options) const { return *makePlan({workload, device, costs}, options); }

  std::mt19937 random;
  Workload workload;
  CostTable costs;
  DeviceSpec device = roomyDevice();
  Bytes home;
};

}  // namespace

class HostHomesTest : public QObject {
  Q_OBJECT
 private slots:
  void everyPolicyKeepsThemInTheirPlaces() {
    for (unsigned seed = 1; seed <= 10; ++seed) {
      const Net net(seed);
      QVERIFY(net.home > Bytes{});
      for (const PolicyOptions& options : allPolicyOptions()) {
        const Plan plan = net.plan(options);
        const auto problems = checkPlan(plan, net.workload);
        QVERIFY2(problems.empty(), problems.empty() ? "" : (textOf(options) + ": " + problems.front().text).c_str());
        QCOMPARE(plan.hostHomeBytes.count(), net.home.count());
        QVERIFY(plan.hostHomes == net.plan({.policy = "keep-all"}).hostHomes);
      }
    }
  }

  void whatIsNotWrittenBackIsNoticed() {
    const Net net(1);
    Plan plan = net.plan({.policy = "liveness"});
    const auto isWriteBack = [&](const PlanStep& step) {
      const auto* out = std::get_if<CopyOutStep>(&step.action);
      return out != nullptr && net.workload.tensors[out->tensor].livesOnHost;
    };
    const auto written = std::find_if(plan.steps.begin(), plan.steps.end(), isWriteBack);
    QVERIFY(written != plan.steps.end());
    const std::string name = net.workload.tensors[std::get<CopyOutStep>(written->action).tensor].name;
    std::get<CopyOutStep>(written->action).hostOffset += Bytes{net.home.count() * 2};   // somewhere else
    bool isNoticed = false;
    for (const PlanProblem& problem : checkPlan(plan, net.workload)) isNoticed = isNoticed || problem.text == name + " is not written back to its place on the host";
    QVERIFY(isNoticed);
  }

  void theyTakeDeviceBytesOnlyWhileTheyAreUsed() {
    const Net away(2);
    Net here(2);
    for (Tensor& tensor : here.workload.tensors)
      if (tensor.livesOnHost) tensor.isPersistent = true, tensor.livesOnHost = false;
    QVERIFY(away.plan({.policy = "liveness"}).persistentBytes < here.plan({.policy = "liveness"}).persistentBytes);
    QVERIFY(away.plan({.policy = "liveness"}).arenaBytes <= here.plan({.policy = "liveness"}).arenaBytes);
  }
};

PEAKSCOPE_TEST(HostHomesTest)
#include "host_homes_test.moc"
