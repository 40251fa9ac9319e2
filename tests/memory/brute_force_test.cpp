// SPDX-License-Identifier: Apache-2.0
//
// The planner against the brute-force interpreter: on the oracle's networks, which proves the interpreter, and on random
// ones, which no oracle file covers.
#include <random>

#include "memory/analysis/memory_curve.h"
#include "memory/policy.h"
#include "tests/memory/brute_force.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/plan_cases.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::test;

namespace {

/// Empty if the plan of these options is what the interpreter says.
std::string difference(const Workload& workload, const CostTable& costs, const PolicyOptions& options) {
  const auto plan = makePlan({workload, roomyDevice(), costs}, options);
  if (!plan) return message(plan.error());
  const Accounting expected = bruteForce(workload, options);
  const auto rows = analysis::bytesPerStep(workload, *plan, analysis::memoryCurve(workload, *plan));
  const auto compare = [](const std::string& what, std::int64_t actual, std::int64_t wanted) {
    return actual == wanted ? std::string() : what + ": planned " + std::to_string(actual) + ", expected " + std::to_string(wanted);
  };
  std::string text = compare("steps", static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(expected.live.size()));
  for (std::size_t i = 0; i < rows.size() && text.empty(); ++i) {
    text = compare("live at step " + std::to_string(i + 1), rows[i].scheduled.count(), expected.live[i]);
    if (text.empty()) text = compare("peak in step " + std::to_string(i + 1), rows[i].scheduledInStep.count(), expected.peakInStep[i]);
  }
  std::int64_t out = 0, in = 0;
  for (const PlanStep& step : plan->steps) {
    if (const auto* copy = std::get_if<CopyOutStep>(&step.action)) out += workload.tensors[copy->tensor].shapeBytes.count();
    if (const auto* copy = std::get_if<CopyInStep>(&step.action)) in += workload.tensors[copy->tensor].shapeBytes.count();
  }
  if (text.empty()) text = compare("extra forwards", plan->extraForwards, expected.extraForwards);
  if (text.empty()) text = compare("copied out", out, expected.copiedOut);
  if (text.empty()) text = compare("copied in", in, expected.copiedIn);
  if (text.empty()) text = compare("host bytes", plan->hostBytes.count(), expected.copiedOut);
  return text;
}

}  // namespace

class BruteForceTest : public QObject {
  Q_OBJECT
 private slots:
  void theInterpreterEqualsTheOracle() {
    for (const char* net : {"lenet", "minivgg", "alexnet", "vgg16", "resnet50"}) {
      const OracleNet oracle = readOracle(net);
      for (const auto& [name, expected] : oracle.json["configs"].items()) {
        const Accounting actual = bruteForce(oracle.workload, optionsOf(name));
        QVERIFY2(actual.live == expected["live"].get<std::vector<std::int64_t>>(), (std::string(net) + " " + name).c_str());
        QCOMPARE(actual.extraForwards, expected["extra_forwards"].get<std::int64_t>());
        QCOMPARE(actual.copiedOut, expected["traffic"]["d2h"].get<std::int64_t>());
        QCOMPARE(actual.copiedIn, expected["traffic"]["h2d"].get<std::int64_t>());
        QCOMPARE(*std::ranges::max_element(actual.peakInStep), expected["peak"]["bytes"].get<std::int64_t>());
      }
    }
  }

  void thePlannerEqualsTheInterpreterOnRandomNetworks() {
    for (unsigned seed = 1; seed <= 300; ++seed) {
      std::mt19937 random(seed);
      const Workload workload = randomWorkload(random, {.layers = 1 + static_cast<int>(random() % 40), .isPlain = true});
      const CostTable costs = uniformCosts(workload);
      for (const PolicyOptions& options : oraclePolicyOptions()) {
        if (options.offloadFree == OffloadFree::Hidden) continue;   // the rules speak of the last reader
        const std::string text = difference(workload, costs, options);
        QVERIFY2(text.empty(), ("network " + std::to_string(seed) + ", " + textOf(options) + ": " + text).c_str());
      }
    }
  }
};

PEAKSCOPE_TEST(BruteForceTest)
#include "brute_force_test.moc"
