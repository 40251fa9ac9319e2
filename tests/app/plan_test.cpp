// SPDX-License-Identifier: Apache-2.0
//
// plan --json: the fields of the contract, the paper's peaks, and the oracle's rows.
#include <QFile>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;
using nlohmann::json;

namespace {

/// The options of an oracle configuration such as "ckpt_demand_cost".
QStringList optionsOf(const QString& configuration) {
  if (configuration == QLatin1String("baseline")) return {"--techniques", "none"};
  QStringList techniques{"liveness"}, options;
  for (const QString& part : configuration.split(QLatin1Char('_'))) {
    if (part == QLatin1String("conv") || part == QLatin1String("ckpt")) {
      techniques << "offload";
      options << "--offload" << (part == QLatin1String("conv") ? "conv" : "checkpoints");
    }
    if (part == QLatin1String("demand")) options << "--prefetch" << "on-demand";
    if (part == QLatin1String("prefetch")) options << "--prefetch" << "previous-conv";
    if (part == QLatin1String("speed") || part == QLatin1String("memory") || part == QLatin1String("cost")) {
      techniques << "recompute";
      options << "--recompute" << (part == QLatin1String("cost") ? QStringLiteral("cost-aware") : part);
    }
  }
  return QStringList{"--techniques", techniques.join(QLatin1Char(','))} + options;
}

json oracle(const QString& net) {
  QFile file(QStringLiteral(PEAKSCOPE_SOURCE_DIR "/tests/oracle/%1.json").arg(net));
  return file.open(QIODevice::ReadOnly) ? json::parse(file.readAll().toStdString()) : json();
}

/// One value of every row.
json column(const json& steps, const char* key) {
  json values = json::array();
  for (const auto& row : steps) values.push_back(row.at(key));
  return values;
}

QByteArray difference(const char* what, const json& actual, const json& expected) {
  return actual == expected ? QByteArray() : QByteArray(what) + ": " + actual.dump().substr(0, 300).c_str() + " instead of " + expected.dump().substr(0, 300).c_str() + "\n";
}

QByteArray differences(const json& plan, const json& net, const json& expected) {
  QByteArray all;
  const json& steps = plan.at("steps");
  json places = json::array();
  for (const auto& row : steps) places.push_back({row.at("step"), row.at("layer"), row.at("phase")});
  all += difference("steps", places, net.at("steps"));
  all += difference("scheduled_bytes", column(steps, "scheduled_bytes"), expected.at("live"));
  if (!expected.at("peak_in_step").is_null()) all += difference("scheduled_bytes_in_step", column(steps, "scheduled_bytes_in_step"), expected.at("peak_in_step"));
  const json& peak = plan.at("peak");
  all += difference("peak", {peak.at("scheduled_bytes"), peak.at("scheduled_step"), peak.at("scheduled_layer"), peak.at("scheduled_phase"), peak.at("rebuilding")},
                    {expected["peak"]["bytes"], expected["peak"]["step"], expected["peak"]["layer"], expected["peak"]["phase"], expected["peak"]["rebuilding"]});
  all += difference("extra_forwards", plan.at("extra_forwards"), expected.at("extra_forwards"));
  all += difference("host_bytes", plan.at("host_bytes"), expected.at("host_bytes"));
  all += difference("transfer_bytes", {plan["transfer_bytes"]["out"], plan["transfer_bytes"]["in"]}, {expected["traffic"]["d2h"], expected["traffic"]["h2d"]});
  return all;
}

constexpr const char* fields[] = {"/schema", "/net", "/batch", "/lowering", "/techniques", "/peak/scheduled_bytes", "/peak/scheduled_step",
                                  "/peak/scheduled_layer", "/peak/scheduled_phase", "/peak/rebuilding", "/peak/total_bytes", "/peak/total_step",
                                  "/peak/total_layer", "/peak/arena_bytes", "/extra_forwards", "/host_bytes", "/transfer_bytes/out", "/transfer_bytes/in",
                                  "/l_peak/bytes", "/l_peak/layer", "/by_kind"};

}  // namespace

class PlanTest : public QObject {
  Q_OBJECT
 private slots:
  void everyFieldOfTheContractIsThere() {
    const CliResult result = runCli({"plan", "minivgg", "--json", "--steps"});
    QCOMPARE(result.exitCode, 0);
    QCOMPARE(result.err, QByteArray());
    const json plan = result.json();
    for (const char* field : fields) QVERIFY2(plan.contains(json::json_pointer(field)), field);
    QCOMPARE(plan["schema"].get<int>(), 1);
    QVERIFY(!plan["steps"].empty());
    for (const auto& row : plan["steps"])
      for (const char* field : {"step", "layer", "phase", "scheduled_bytes", "scheduled_bytes_in_step", "total_bytes"}) QVERIFY2(row.contains(field), field);
    std::int64_t sum = 0;
    for (const auto& [kind, bytes] : plan["by_kind"].items()) sum += bytes.get<std::int64_t>();
    QCOMPARE(sum, plan["peak"]["total_bytes"].get<std::int64_t>());
  }

  void rowsAreGivenOnlyWhenAskedFor() { QVERIFY(!runCli({"plan", "lenet", "--json"}).json().contains("steps")); }

  void thePeakIsThePapers_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("batch");
    QTest::addColumn<QString>("techniques");
    QTest::addColumn<QString>("mib");
    const char* sets[] = {"none", "liveness", "liveness,offload", "liveness,offload,recompute"};
    const char* alexnet[] = {"2189.437", "1489.355", "1132.056", "886.230"};
    const char* minivgg[] = {"175.844", "107.349", "73.853", "38.281"};
    for (int i = 0; i < 4; ++i) {
      QTest::addRow("alexnet %s", sets[i]) << "alexnet" << "200" << sets[i] << alexnet[i];
      QTest::addRow("minivgg %s", sets[i]) << "minivgg" << "100" << sets[i] << minivgg[i];
    }
  }
  void thePeakIsThePapers() {
    QFETCH(QString, net);
    QFETCH(QString, batch);
    QFETCH(QString, techniques);
    QFETCH(QString, mib);
    const QStringList arguments{"plan", net, "--batch", batch, "--lowering", "paper", "--techniques", techniques};
    const json plan = runCli(arguments + QStringList{"--json"}).json();
    QVERIFY(plan.is_object());
    QCOMPARE(QString::number(plan["peak"]["scheduled_bytes"].get<double>() / 1048576.0, 'f', 3), mib);
    const QByteArray text = runCli(arguments).out;
    const QByteArray plain = QByteArray(text).replace(",", "");
    QVERIFY2(plain.contains(mib.toLatin1() + " MiB at step"), text.constData());
  }

  void theRowsAreTheOracles_data() {
    QTest::addColumn<QString>("net");
    for (const char* net : {"lenet", "minivgg", "alexnet", "vgg16", "resnet50"}) QTest::newRow(net) << net;
  }
  void theRowsAreTheOracles() {
    QFETCH(QString, net);
    const json expected = oracle(net);
    QVERIFY(expected.is_object());
    const QString batch = QString::number(expected["batch"].get<int>());
    for (const auto& [configuration, values] : expected["configs"].items()) {
      const CliResult result = runCli(QStringList{"plan", net, "--batch", batch, "--lowering", "paper", "--json", "--steps"} + optionsOf(QString::fromStdString(configuration)));
      const json plan = result.json();
      QVERIFY2(plan.is_object(), result.err.constData());
      const QByteArray problem = differences(plan, expected, values) + difference("l_peak", {plan["l_peak"]["bytes"], plan["l_peak"]["layer"], plan["l_peak"]["distinct_bytes"]},
                                                                                  {expected["l_peak"]["bytes"], expected["l_peak"]["layer"], expected["l_peak"]["distinct_bytes"]});
      QVERIFY2(problem.isEmpty(), (configuration + "\n" + problem.toStdString()).c_str());
    }
  }
};

PEAKSCOPE_TEST(PlanTest)
#include "plan_test.moc"
