// SPDX-License-Identifier: Apache-2.0
//
// Sessions that really train, on the CPU: losses do not depend on techniques, measured is predicted, a network learns.
#include <QTemporaryDir>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/backends/cpu/cpu_backend.h"
#include "tests/runtime/session_log.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using test::readLog;
using test::readToEnd;
using test::SessionRecords;

namespace {

BackendFactory cpuBackends() {
  return [](const SessionConfig& config) -> Result<std::unique_ptr<Backend>> {
    return std::make_unique<cpu::CpuBackend>(BackendOptions{.threads = config.threads, .linkBytesPerSecond = config.linkBytesPerSecond, .checkMemory = config.checkMemory, .seed = config.seed});
  };
}

/// The bundled subset and two threads, so that every machine trains the same.
SessionConfig cpuConfig(const char* net, std::int64_t batch, std::int64_t iterations) {
  SessionConfig config = test::sampleConfig(net);
  config.backend = "cpu";
  config.dataDir = config.samplesDir + "/data";
  config.batch = batch;
  config.iterations = iterations;
  config.threads = 2;
  return config;
}

SessionRecords train(const SessionConfig& config) {
  Session session(cpuBackends());
  session.post(Start{config});
  session.post(Run{});
  return readToEnd(session.log());
}

std::vector<float> lossesOf(const SessionRecords& records) {
  std::vector<float> losses;
  for (const IterationDone& done : records.of<IterationDone>()) losses.push_back(done.loss);
  return losses;
}

bool areFinite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

const std::vector<std::pair<const char*, Techniques>> techniqueSets{
    {"none", {}},
    {"liveness", {.liveness = true}},
    {"offload", {.liveness = true, .offload = true}},
    {"recompute", {.liveness = true, .recompute = true}},
    {"all", {.liveness = true, .offload = true, .recompute = true}},
};
/// What a step of the first plan is about.
QString textOf(const SessionRecords& records, PlanStepId step) {
  const Workload& workload = records.of<SessionStarted>().at(0).workload;
  const PlanAction& action = records.of<PlanInstalled>().at(0).value.steps[static_cast<std::size_t>(step.index)].action;
  if (const auto* run = std::get_if<RunStep>(&action)) return QString::fromStdString(opName(workload, run->op)) + QStringLiteral(", implementation %1").arg(run->candidate);
  if (const auto* alloc = std::get_if<AllocStep>(&action)) return QString::fromStdString(workload.tensors[alloc->tensor].name);
  return {};
}

Techniques techniquesOf(int index) { return techniqueSets[static_cast<std::size_t>(index)].second; }

}  // namespace

class CpuSessionTest : public QObject {
  Q_OBJECT
 private slots:
  void measuredIsPredictedAndLossesAreTheSame_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("lowering");
    QTest::addColumn<int>("techniques");
    for (const char* net : {"lenet", "minivgg"})
      for (const char* lowering : {"lean", "paper"})
        for (int i = 0; i < static_cast<int>(techniqueSets.size()); ++i)
          QTest::addRow("%s %s %s", net, lowering, techniqueSets[static_cast<std::size_t>(i)].first) << QString(net) << QString(lowering) << i;
  }
  void measuredIsPredictedAndLossesAreTheSame() {
    QFETCH(QString, net);
    QFETCH(QString, lowering);
    QFETCH(int, techniques);
    SessionConfig config = cpuConfig(qPrintable(net), 8, 4);
    config.lowering = lowering.toStdString();
    config.options.techniques = techniquesOf(techniques);
    expectMeasuredIsPredicted(config);
  }

  void nestedForksAndConcatsTrainAsPlanned_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("lowering");
    for (const char* net : {"inception", "densenet"})
      for (const char* lowering : {"lean", "paper"}) QTest::addRow("%s %s", net, lowering) << QString(net) << QString(lowering);
  }
  void nestedForksAndConcatsTrainAsPlanned() {
    QFETCH(QString, net);
    QFETCH(QString, lowering);
    const QTemporaryDir folder;
    const std::string path = folder.filePath(net + ".json").toStdString();
    std::ifstream oracle(std::string(PEAKSCOPE_SOURCE_DIR) + "/tests/oracle/pytorch_" + net.toStdString() + ".json");
    std::ofstream(path) << nlohmann::json::parse(oracle)["network"];

    SessionConfig config = cpuConfig(path.c_str(), 5, 3);
    config.dataDir = "synthetic";
    config.lowering = lowering.toStdString();
    for (const auto& [name, techniques] : techniqueSets) {
      config.options.techniques = techniques;
      expectMeasuredIsPredicted(config);
    }
  }

  void techniquesToggledWhileTrainingDoNotChangeALoss() {
    const SessionConfig config = cpuConfig("minivgg", 8, 24);
    const std::vector<float> expected = lossesOf(train(config));
    QCOMPARE(expected.size(), 24U);

    Session session(cpuBackends());
    EventLog::Cursor cursor;
    SessionRecords records;
    session.post(Start{config});
    std::uint64_t random = 12345;   // where the switches fall: the same at every run
    for (int i = 0; i < 24; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      if ((random >> 60) < 7) session.post(ChangeOptions{[&] {
        PolicyOptions options;
        options.techniques = techniquesOf(static_cast<int>((random >> 40) % techniqueSets.size()));
        return options;
      }()});
      session.post(SingleStep{});
      readLog(session.log(), cursor, records, [](const LogRecord& r) { return std::holds_alternative<IterationDone>(r); });
    }
    QVERIFY(records.of<PlanInstalled>().size() > 4);
    QCOMPARE(lossesOf(records), expected);
    for (const IterationDone& done : records.of<IterationDone>()) QCOMPARE(done.measuredPeakTotal, done.predictedPeakTotal);
  }

  void aThrottledCopyRunsWhileComputeRuns() {
    SessionConfig config = cpuConfig("minivgg", 32, 2);
    config.options.techniques = techniquesOf(2);
    config.linkBytesPerSecond = 2e8;
    const SessionRecords records = train(config);
    QVERIFY2(records.states().back() == RunState::Finished, records.notices().c_str());
    const auto started = records.of<SessionStarted>().at(0);
    const Plan plan = records.of<PlanInstalled>().at(0).value;
    std::vector<StepTime> times;
    for (const StepsDone& done : records.of<StepsDone>())
      if (done.iteration == 1) times.insert(times.end(), done.times.begin(), done.times.end());
    QCOMPARE(times.size(), plan.steps.size());
    int copies = 0;
    std::int64_t overlapNs = 0;
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      const auto* copy = std::get_if<CopyOutStep>(&plan.steps[i].action);
      if (copy == nullptr) continue;
      ++copies;
      const double bytes = static_cast<double>(started.workload.tensors[copy->tensor].bytes.count());
      QVERIFY(static_cast<double>(times[i].endNs - times[i].beginNs) >= bytes / 2e8 * 1e9);   // never faster than the link
      for (std::size_t j = 0; j < plan.steps.size(); ++j)
        if (laneOf(plan.steps[j].action, started.workload) == Lane::Compute && std::holds_alternative<RunStep>(plan.steps[j].action))
          overlapNs += std::max<std::int64_t>(0, std::min(times[i].endNs, times[j].endNs) - std::max(times[i].beginNs, times[j].beginNs));
    }
    QVERIFY(copies > 0);
    QVERIFY(overlapNs > 0);
  }

  void anOffloadedTensorReallyGoesToTheHostAndComesBack() {
    SessionConfig config = cpuConfig("minivgg", 8, 2);
    config.options.techniques = techniquesOf(2);
    config.checkMemory = true;   // its device bytes are NaN meanwhile: only a real copy brings the values back
    const SessionRecords records = train(config);
    QVERIFY(records.of<PlanInstalled>().at(0).value.hostBytes > Bytes{});
    QVERIFY(areFinite(lossesOf(records)));
  }

  void parametersThatLiveOnTheHostTrainToTheSameLosses() {
    const auto lossesWith = [&](const char* lowering, const Techniques& techniques) {
      SessionConfig config = cpuConfig("lenet", 20, 6);
      config.lowering = lowering;
      config.checkMemory = true;
      config.options.techniques = techniques;
      const SessionRecords records = train(config);
      for (const StepsDone& done : records.of<StepsDone>())
        for (const Deviation& deviation : done.deviations) qFatal("plan step %d", deviation.step.index);
      return lossesOf(records);
    };
    const auto expected = lossesWith("lean", {.liveness = true});
    QCOMPARE(expected.size(), std::size_t{6});
    QVERIFY(areFinite(expected));
    for (const Techniques& techniques : {Techniques{}, Techniques{.liveness = true}, Techniques{.liveness = true, .offload = true, .recompute = true}})
      QVERIFY(lossesWith("lean,parameters-on-host=on,optimizer-on-host=on", techniques) == expected);
    QVERIFY(lossesWith("paper,optimizer-on-host=on", {.liveness = true}) == lossesWith("paper", {.liveness = true}));
  }

  void leNetLearnsTheSubset() {
    SessionConfig config = cpuConfig("lenet", 50, 0);
    config.epochs = 5;
    const SessionRecords records = train(config);
    QVERIFY2(records.states().back() == RunState::Finished, records.notices().c_str());
    const auto epochs = records.of<EpochDone>();
    QCOMPARE(epochs.size(), 5U);
    QCOMPARE(epochs.back().testImages, 400);
    QVERIFY2(epochs.back().accuracy > 0.7, std::to_string(epochs.back().accuracy).c_str());
    QVERIFY(epochs.back().meanLoss < epochs.front().meanLoss);
  }

  void thePaddingOfTheLastTestBatchCountsForNothing() {
    // 400 test images in batches of 64: the last one has 16 images and 48 of padding.
    SessionConfig config = cpuConfig("lenet", 64, 0);
    config.epochs = 1;
    const auto epochs = train(config).of<EpochDone>();
    QCOMPARE(epochs.at(0).testImages, 400);
    QVERIFY(epochs.at(0).accuracy <= 1.0);
  }

 private:
  void expectMeasuredIsPredicted(SessionConfig config) {
    const SessionRecords records = train(config);
    QVERIFY2(records.states().back() == RunState::Finished, records.notices().c_str());
    for (const StepsDone& done : records.of<StepsDone>())
      for (const Deviation& deviation : done.deviations)
        QFAIL(qPrintable(QStringLiteral("plan step %1 took %2 bytes: %3").arg(deviation.step.index).arg(deviation.measured.count()).arg(textOf(records, deviation.step))));
    for (const IterationDone& done : records.of<IterationDone>()) {
      QCOMPARE(done.measuredPeakTotal, done.predictedPeakTotal);
      QCOMPARE(roundUp(done.measuredArenaExtent, Bytes{64}), records.of<PlanInstalled>()[0].value.arenaBytes);
    }
    const std::vector<float> losses = lossesOf(records);
    QVERIFY(areFinite(losses));
    QCOMPARE(losses, lossesWithoutTechniques(config));

    config.checkMemory = true;   // bytes that no tensor owns are NaN: losses must not notice
    const SessionRecords checked = train(config);
    QVERIFY2(checked.states().back() == RunState::Finished, checked.notices().c_str());
    QCOMPARE(lossesOf(checked), losses);
  }

  const std::vector<float>& lossesWithoutTechniques(SessionConfig config) {
    auto& losses = m_losses[{config.net, config.lowering}];
    config.options.techniques = techniquesOf(0);
    if (losses.empty()) losses = lossesOf(train(config));
    return losses;
  }

  std::map<std::pair<std::string, std::string>, std::vector<float>> m_losses;   ///< by network and lowering
};
PEAKSCOPE_TEST(CpuSessionTest)
#include "cpu_session_test.moc"
