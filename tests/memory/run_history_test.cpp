// SPDX-License-Identifier: Apache-2.0
//
// The fold of a run: what is kept, what is forgotten and counted, and when measured is predicted.
#include "memory/analysis/run_history.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"

using namespace peakscope;
using analysis::RunHistory;

namespace {

struct Tiny {
  std::vector<LogRecord> records = test::tinyRecords(test::tinyWorkload());
  StepsDone steps = std::get<StepsDone>(records[2]);
  IterationDone done = std::get<IterationDone>(records[3]);
  /// The history of `count` iterations like the first.
  RunHistory after(std::int64_t count) {
    RunHistory history = test::historyOf({records[0], records[1]});
    for (std::int64_t i = 0; i < count; ++i) {
      steps.iteration = done.iteration = i;
      history.add(steps);
      history.add(done);
    }
    return history;
  }
};

}  // namespace

class RunHistoryTest : public QObject {
  Q_OBJECT
 private slots:
  void oldTimesAreForgottenAndCounted() {
    Tiny tiny;
    const RunHistory history = tiny.after(RunHistory::keptIterations + 10);
    QCOMPARE(history.forgottenIterations(), std::int64_t{10});
    QCOMPARE(history.firstKept(), std::int64_t{10});
    QCOMPARE(history.timed(9), nullptr);
    QVERIFY(history.timed(10)->isComplete);
    QCOMPARE(static_cast<std::int64_t>(history.iterations().size()), RunHistory::keptIterations + 10);
    QCOMPARE(history.proof().iterations, RunHistory::keptIterations + 10);
    QCOMPARE(history.droppedIterations(), std::int64_t{0});
  }

  void anIterationThatWasDroppedInTheMiddleIsNotShownInPart() {
    Tiny tiny;
    RunHistory history = tiny.after(1);
    StepsDone piece = tiny.steps;
    piece.iteration = 1;
    piece.times.resize(2);
    history.add(piece);
    QCOMPARE(history.inProgress()->iteration, std::int64_t{1});
    history.add(IterationsDropped{1, 1});
    QCOMPARE(history.inProgress(), nullptr);
    tiny.done.iteration = 1;
    history.add(tiny.done);
    QCOMPARE(history.latestComplete()->iteration, std::int64_t{0});
    QCOMPARE(history.droppedIterations(), std::int64_t{1});
  }

  void anIterationWithAHoleIsNotShown() {
    Tiny tiny;
    RunHistory history = tiny.after(1);
    tiny.steps.iteration = tiny.done.iteration = 1;
    tiny.steps.first = PlanStepId{2};                     // the piece before it was damaged
    tiny.steps.times.erase(tiny.steps.times.begin(), tiny.steps.times.begin() + 2);
    history.add(tiny.steps);
    history.add(tiny.done);
    QCOMPARE(history.latestComplete()->iteration, std::int64_t{0});
    QCOMPARE(history.droppedIterations(), std::int64_t{1});
    QCOMPARE(history.proof().iterations, std::int64_t{1});   // the steps of the other are not known
    QCOMPARE(history.iterations().size(), std::size_t{2});
  }

  void anEpochThatWasNotEvaluatedHasNoAccuracy() {
    Tiny tiny;
    RunHistory history = tiny.after(1);
    QCOMPARE(history.lastEvaluated(), nullptr);
    history.add(EpochDone{.epoch = 1, .accuracy = 0.5, .testImages = 10});
    history.add(EpochDone{.epoch = 2, .accuracy = std::numeric_limits<double>::quiet_NaN()});
    QCOMPARE(history.lastEvaluated()->epoch, 1);
    QCOMPARE(history.epochs().size(), std::size_t{2});
  }

  void aSizeThatDiffersBelowThePeakIsADifference() {
    Tiny tiny;
    RunHistory history = tiny.after(2);
    QCOMPARE(history.proof().firstDifference, std::int64_t{-1});
    tiny.steps.iteration = tiny.done.iteration = 2;
    tiny.steps.deviations = {{PlanStepId{0}, Bytes{256 * 1024 + 64}}};   // data.out, planned with 256 KiB
    history.add(tiny.steps);
    history.add(tiny.done);
    QCOMPARE(history.proof().firstDifference, std::int64_t{2});
    QCOMPARE(history.proof().largestDifference, Bytes{64});
  }
};
PEAKSCOPE_TEST(RunHistoryTest)
#include "run_history_test.moc"
