// SPDX-License-Identifier: Apache-2.0
//
// simulate --json: the plan's fields and the modelled times, the same every time.
#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;
using nlohmann::json;

class SimulateTest : public QObject {
  Q_OBJECT
 private slots:
  void thePlansFieldsAreThereAndTheTimesAreAdded() {
    const CliResult result = runCli({"simulate", "minivgg", "--device", "k40c", "--json"});
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.err, QByteArray());
    const json simulated = result.json();
    const json plan = runCli({"plan", "minivgg", "--device", "k40c", "--json"}).json();
    for (const char* field : {"schema", "net", "batch", "lowering", "techniques", "peak", "extra_forwards", "host_bytes", "transfer_bytes", "l_peak", "by_kind"}) {
      QVERIFY2(simulated.contains(field), field);
      QVERIFY2(simulated[field] == plan[field], field);
    }
    QVERIFY(simulated["time_ns"].get<std::int64_t>() > 0);
    QVERIFY(simulated["stall_ns"].get<std::int64_t>() >= 0);
    QVERIFY(simulated["overlap"].get<double>() >= 0 && simulated["overlap"].get<double>() <= 1);
  }

  void theMeasuredPeakIsThePredictedOne() {
    const json simulated = runCli({"simulate", "minivgg", "--json"}).json();
    QCOMPARE(simulated["measured_peak_bytes"].get<std::int64_t>(), simulated["peak"]["total_bytes"].get<std::int64_t>());
    QCOMPARE(simulated["measured_peak_scheduled_bytes"].get<std::int64_t>(), simulated["peak"]["scheduled_bytes"].get<std::int64_t>());
  }

  void twoRunsSayTheSame() {
    for (const QStringList& arguments : {QStringList{"simulate", "minivgg", "--json"}, {"simulate", "minivgg"}}) {
      const CliResult first = runCli(arguments), second = runCli(arguments);
      QCOMPARE(first.exitCode, 0);
      QVERIFY(!first.out.isEmpty());
      QCOMPARE(first.out, second.out);
    }
  }

  void aSlowerLinkIsAStallNeverBytes() {
    const json fast = runCli({"simulate", "minivgg", "--lowering", "paper", "--link", "1000", "--json"}).json();
    const json slow = runCli({"simulate", "minivgg", "--lowering", "paper", "--link", "1", "--json"}).json();
    QVERIFY(slow["time_ns"].get<std::int64_t>() > fast["time_ns"].get<std::int64_t>());
    QVERIFY(slow["stall_ns"].get<std::int64_t>() > fast["stall_ns"].get<std::int64_t>());
    QVERIFY(slow["peak"] == fast["peak"]);
  }
};

PEAKSCOPE_TEST(SimulateTest)
#include "simulate_test.moc"
