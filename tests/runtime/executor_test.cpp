// SPDX-License-Identifier: Apache-2.0
//
// The executor over the virtual backend: lanes run beside each other, waits join them, and a size that is not the plan's
// shows in what was measured.
#include <cmath>

#include "engine/backends/virtual/virtual_backend.h"
#include "engine/executor.h"
#include "tests/runtime/tiny_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

namespace {

struct Ran {
  std::vector<StepTime> times;
  std::vector<Deviation> deviations;
  IterationDone done;
};

/// One iteration of the plan; what the log says about it.
Ran run(const Lowering& lowering, const Plan& plan) {
  VirtualBackend backend(test::tinyDevice(), [](const Lowering&) { return test::tinyCosts(); });
  EventLog log;
  if (!backend.commit(lowering, plan)) qFatal("not committed");
  backend.activate(lowering, plan);
  Executor(backend, &log).iterate(PlannedRun(lowering, plan, 0), {});
  Ran ran;
  EventLog::Cursor cursor;
  for (const auto& record : log.readSince(cursor)) {
    if (const auto* steps = std::get_if<StepsDone>(record.get())) {
      ran.times.insert(ran.times.end(), steps->times.begin(), steps->times.end());
      ran.deviations.insert(ran.deviations.end(), steps->deviations.begin(), steps->deviations.end());
    }
    if (const auto* done = std::get_if<IterationDone>(record.get())) ran.done = *done;
  }
  return ran;
}

}  // namespace

class ExecutorTest : public QObject {
  Q_OBJECT
 private slots:
  void aWaitLastsAsLongAsTheCopyThatItWaitsFor() {
    const Lowering lowering = test::tinyLowering();
    const Plan plan = test::tinyPlan();
    const Ran ran = run(lowering, plan);
    QCOMPARE(ran.times.size(), plan.steps.size());
    const auto at = [&](std::size_t step) { return std::pair{ran.times[step].beginNs, ran.times[step].endNs}; };
    QCOMPARE(at(1), (std::pair<std::int64_t, std::int64_t>{0, 10'000}));         // op 0
    QCOMPARE(at(3), (std::pair<std::int64_t, std::int64_t>{10'000, 14'000}));    // 4,000 bytes at a byte a ns
    QCOMPARE(at(5), (std::pair<std::int64_t, std::int64_t>{10'000, 14'000}));    // compute stalls for it
    QCOMPARE(at(9), (std::pair<std::int64_t, std::int64_t>{14'000, 18'000}));
    QCOMPARE(at(11), (std::pair<std::int64_t, std::int64_t>{18'000, 38'000}));
    QCOMPARE(ran.done.endNs, 38'000);
  }

  void measuredIsPredictedWhenTheLibraryStatesThePlansSizes() {
    const Ran ran = run(test::tinyLowering(), test::tinyPlan());
    QVERIFY(ran.deviations.empty());
    QCOMPARE(ran.done.predictedPeakTotal, Bytes{6000});
    QCOMPARE(ran.done.measuredPeakTotal, Bytes{6000});
    QCOMPARE(ran.done.measuredPeakScheduled, Bytes{6000});
    QCOMPARE(ran.done.measuredArenaExtent, Bytes{4096 + 2000});
    QVERIFY(std::isnan(ran.done.loss));
  }

  /// The library says that b takes twice what the workload promised: measured must not follow the plan.
  void aSizeThatTheWorkloadUnderstatesIsMeasured() {
    Lowering lowering = test::tinyLowering();
    lowering.tensors[TensorId{1}].shape = {1, 1000, 1, 1};
    const Ran ran = run(lowering, test::tinyPlan());
    QCOMPARE(ran.deviations, (std::vector<Deviation>{{PlanStepId{4}, Bytes{4000}}}));
    QCOMPARE(ran.done.predictedPeakTotal, Bytes{6000});
    QCOMPARE(ran.done.measuredPeakTotal, Bytes{8000});
    QCOMPARE(ran.done.measuredArenaExtent, Bytes{4096 + 4000});
  }

  void iterationsFollowEachOtherOnTheClock() {
    const Lowering lowering = test::tinyLowering();
    const Plan plan = test::tinyPlan();
    VirtualBackend backend(test::tinyDevice(), [](const Lowering&) { return test::tinyCosts(); });
    QVERIFY(backend.commit(lowering, plan).has_value());
    backend.activate(lowering, plan);
    Executor executor(backend, nullptr);
    const PlannedRun planned(lowering, plan, 0);
    for (int i = 0; i < 3; ++i) executor.iterate(planned, {.iteration = i});
    QCOMPARE(backend.nowNs(), 3 * 38'000);
  }
};
PEAKSCOPE_TEST(ExecutorTest)
#include "executor_test.moc"
