// SPDX-License-Identifier: Apache-2.0
//
// What is written is what is read: through the file and through a pipe's bytes, for random networks under every policy.
#include <limits>
#include <random>

#include "memory/policy.h"
#include "memory/trace/trace_recorder.h"
#include "tests/support/plan_cases.h"
#include "tests/support/random_workload.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"
#include "tests/trace/trace_folder.h"

using namespace peakscope;
using test::areEqual;
using test::TraceFolder;

namespace {

/// A session of a random network: every plan once, with times and now and then another size than planned.
std::vector<LogRecord> randomSession(std::uint32_t seed) {
  std::mt19937 random(seed);
  const Workload workload = test::randomWorkload(random, {.layers = 4 + static_cast<int>(random() % 20)});
  const CostTable costs = test::randomCosts(random, workload);
  DeviceSpec device;
  device.name = "random device";
  device.memory = Bytes{std::int64_t{1} << 40};
  device.hostMemory = device.memory;
  RunInfo info = test::tinyInfo();
  info.data = "nämen – 名前 'quoted' \"twice\" \\ ";
  std::vector<LogRecord> records{SessionStarted{info, device, workload}};
  std::int32_t number = 0;
  std::int64_t now = static_cast<std::int64_t>(random());
  for (const PolicyOptions& options : test::allPolicyOptions()) {
    const auto plan = makePlan({workload, device, costs}, options);
    if (!plan) continue;
    records.emplace_back(PlanInstalled{number, number, *plan});
    const auto steps = static_cast<std::int32_t>(plan->steps.size());
    const std::int64_t begin = now;
    for (std::int32_t first = 0; first < steps;) {
      StepsDone done{number, number, PlanStepId{first}, {}, {}};
      const std::int32_t end = std::min(steps, first + 1 + static_cast<std::int32_t>(random() % 40));
      for (; first < end; ++first) {
        const std::int64_t length = random() % 3 == 0 ? static_cast<std::int64_t>(random()) : 0;
        done.times.push_back({now, now + length});
        if (random() % 50 == 0) done.deviations.push_back({PlanStepId{first}, Bytes{static_cast<std::int64_t>(random())}});
        now += length;
      }
      records.emplace_back(std::move(done));
    }
    const float loss = number % 3 == 0 ? std::numeric_limits<float>::quiet_NaN() : 1.0F / static_cast<float>(number + 1);
    records.emplace_back(IterationDone{number, number, begin, now, loss, 4, Bytes{1}, Bytes{2}, Bytes{3}, Bytes{4}, Bytes{5}, Bytes{6}});
    ++number;
  }
  records.emplace_back(EpochDone{1, number, 0.1234567890123, 10'000, 3.5, 2.0, now});
  records.emplace_back(Notice{Notice::Severity::Error, "one line", now, ErrorKind::DeviceFailed});
  records.emplace_back(IterationsDropped{3, 4});
  records.emplace_back(StateChanged{RunState::Failed, number, now});
  return records;
}

}  // namespace

class RoundTripTest : public QObject {
  Q_OBJECT
 private slots:
  void whatIsWrittenIsRead() {
    const TraceFolder folder;
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
      const auto records = randomSession(seed);
      const auto trace = readTrace(folder.write("run.peakscope", records));
      QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
      QVERIFY(trace->wasClosed);
      QVERIFY2(trace->problems.empty(), trace->problems.empty() ? "" : trace->problems.front().c_str());
      QVERIFY(areEqual(trace->records, records));
    }
  }

  void whatIsSentIsReceived() {
    for (std::uint32_t seed = 0; seed < 4; ++seed)
      for (const LogRecord& record : randomSession(seed)) {
        const auto bytes = encodeRecord(record);
        const auto back = decodeRecordBytes(bytes);
        QVERIFY2(back, back ? "" : back.error().message.c_str());
        QCOMPARE(encodeRecord(*back), bytes);
      }
  }

  void aClosedTraceIsOneFile() {
    const TraceFolder folder;
    const auto path = folder.write("run.peakscope", test::tinyRecords(test::tinyWorkload()));
    std::size_t files = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path.parent_path())) ++files;
    QCOMPARE(files, std::size_t{1});
  }

  void aTraceCanBeReadWhileItIsWritten() {
    const TraceFolder folder;
    const auto records = test::tinyRecords(test::tinyWorkload());
    auto writer = TraceWriter::create(folder / "run.peakscope");
    QVERIFY(writer.has_value());
    for (std::size_t i = 0; i < records.size(); ++i) {
      QVERIFY(writer->append(records[i]).has_value());
      QVERIFY(writer->commit().has_value());
      const auto soFar = readTrace(folder / "run.peakscope");
      QVERIFY2(soFar, soFar ? "" : soFar.error().message.c_str());
      QVERIFY(!soFar->wasClosed);
      QVERIFY(areEqual(soFar->records, {records.begin(), records.begin() + static_cast<std::ptrdiff_t>(i) + 1}));
    }
  }

  void anOldTraceIsReplaced() {
    const TraceFolder folder;
    const auto records = test::tinyRecords(test::tinyWorkload());
    (void)folder.write("run.peakscope", {records[0]});
    const auto trace = readTrace(folder.write("run.peakscope", records));
    QVERIFY(trace.has_value());
    QVERIFY(areEqual(trace->records, records));
  }

  void aWriterThatIsReplacedClosesItsFile() {
    const TraceFolder folder;
    const auto records = test::tinyRecords(test::tinyWorkload());
    {
      auto writer = TraceWriter::create(folder / "first.peakscope");
      QVERIFY(writer && writer->append(records[0]));
      auto second = TraceWriter::create(folder / "second.peakscope");
      QVERIFY(second.has_value());
      *writer = std::move(*second);
    }
    for (const char* name : {"first.peakscope", "second.peakscope"}) {
      const auto trace = readTrace(folder / name);
      QVERIFY(trace && trace->wasClosed);
    }
  }

  void aSessionThatNeverBeginsLeavesAnOldTraceAlone() {
    const TraceFolder folder;
    const auto records = test::tinyRecords(test::tinyWorkload());
    const auto path = folder.write("run.peakscope", records);
    EventLog log;
    const auto recorder = TraceRecorder::start(log, path);
    QVERIFY(recorder.has_value());
    log.append(Notice{Notice::Severity::Error, "no such network", 0, ErrorKind::BadInput});
    log.close();
    (*recorder)->finish();
    QVERIFY(!(*recorder)->problem());
    const auto trace = readTrace(path);
    QVERIFY(trace && areEqual(trace->records, records));
  }
};
PEAKSCOPE_TEST(RoundTripTest)
#include "round_trip_test.moc"
