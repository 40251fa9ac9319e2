// SPDX-License-Identifier: Apache-2.0
//
// self-test says of each op how far it is from the reference, for people and for programs.
#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

class SelfTestTest : public QObject {
  Q_OBJECT
 private slots:
  void everyOpOfTheCpuIsCompared() {
    const CliResult result = runCli({"self-test", "--backend", "cpu", "--threads", "2", "--json"});
    QVERIFY2(result.exitCode == 0, result.err.constData());
    const auto json = result.json();
    QVERIFY(json["passed"].get<bool>());
    for (const char* part : {"reference", "ops"}) {
      QVERIFY(json[part].size() > 20);
      for (const auto& row : json[part]) QVERIFY2(row["max_error"].get<double>() <= row["tolerance"].get<double>(), row["name"].get<std::string>().c_str());
    }
  }

  void aBackendThatComputesNothingSaysSo() {
    const CliResult result = runCli({"self-test", "--backend", "virtual"});
    QCOMPARE(result.exitCode, 0);
    QVERIFY(result.out.contains("computes nothing"));
    QVERIFY(result.out.contains("finite differences"));
  }
};
PEAKSCOPE_TEST(SelfTestTest)
#include "self_test_test.moc"
