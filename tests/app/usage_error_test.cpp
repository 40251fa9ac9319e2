// SPDX-License-Identifier: Apache-2.0
//
// Wrong use is exit code 2, and one line that names what is wrong.
#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

namespace {

struct Case {
  const char* arguments;      ///< separated by spaces; "" is written as ''
  const char* says;
};

QStringList split(const char* text) {
  QStringList arguments = QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
  for (QString& argument : arguments)
    if (argument == QLatin1String("''")) argument.clear();
  return arguments;
}

constexpr Case cases[] = {
    // commands
    {"", "subcommand"},
    {"bogus", "'bogus' is not a command"},
    {"--bogus", "'--bogus' is not a command"},
    {"plan", "net is required"},
    {"report", "trace is required"},
    {"nets policies", "policies"},
    {"nets --nonsense", "--nonsense"},
    {"plan lenet extra", "extra"},
    {"plan lenet --nonsense", "--nonsense"},
    {"plan lenet --nonsense=3", "--nonsense"},
    {"plan lenet --batch", "--batch"},
    // networks
    {"plan nosuchnet", "nosuchnet"},
    {"plan ''", "empty"},
    {"plan resnet:1,2", "resnet:1,2"},
    {"plan resnet:0,0,0,0", "resnet:0,0,0,0"},
    {"plan resnet:3,4,6,3,9", "resnet:3,4,6,3,9"},
    {"plan resnet:999999999999,1,1,1", "resnet:999999999999"},
    {"simulate nosuchnet", "nosuchnet"},
    {"train nosuchnet", "nosuchnet"},
    // numbers
    {"plan lenet --batch x", "--batch"},
    {"plan lenet --batch 1.5", "--batch"},
    {"plan lenet --batch 0", "--batch"},
    {"plan lenet --batch -3", "--batch"},
    {"plan lenet --batch 1048577", "1048576"},
    {"plan lenet --batch 99999999999", "99999999999"},
    {"plan lenet --batch 99999999999999999999999", "--batch"},
    {"simulate lenet --batch 99999999999", "--batch"},
    {"train lenet --batch 99999999999", "--batch"},
    {"plan lenet --threads 0", "--threads"},
    {"plan lenet --threads -1", "--threads"},
    {"plan lenet --threads 5000", "--threads"},
    {"plan lenet --seed -1", "--seed"},
    {"plan lenet --seed x", "--seed"},
    {"plan lenet --seed 99999999999999999999", "--seed"},
    {"plan lenet --link x", "--link"},
    {"plan lenet --link 0", "--link"},
    {"plan lenet --link -1", "--link"},
    {"plan lenet --link nan", "--link"},
    {"plan lenet --link inf", "--link"},
    {"simulate lenet --iterations 0", "--iterations"},
    {"simulate lenet --iterations 99999999999999999999", "--iterations"},
    {"train lenet --iterations 0", "--iterations"},
    {"train lenet --epochs -1", "--epochs"},
    {"train lenet --epochs 1 --iterations 1", "--epochs"},
    {"self-test --threads 0", "--threads"},
    // sizes
    {"plan lenet --budget x", "--budget"},
    {"plan lenet --budget 0", "--budget"},
    {"plan lenet --budget -1GiB", "--budget"},
    {"plan lenet --budget nan", "--budget"},
    {"plan lenet --budget 1e400", "--budget"},
    {"plan lenet --budget 1XB", "--budget"},
    {"plan lenet --budget 12GiB5", "--budget"},
    {"plan lenet --host-budget x", "--host-budget"},
    {"plan lenet --input 5", "--input"},
    {"plan lenet --input 0x0", "--input"},
    {"plan lenet --input 28x", "--input"},
    {"plan lenet --input 28x28x1", "--input"},
    {"plan lenet --input 99999999999999999999x2", "--input"},
    {"plan lenet --input 99999999x99999999", "99999999"},
    {"plan lenet --input 1x1", "conv1"},
    {"train lenet --input 1x1", "conv1"},
    // policies and techniques
    {"plan lenet --policy nosuch", "nosuch"},
    {"train lenet --policy nosuch", "nosuch"},
    {"plan lenet --policy liveness --techniques none", "--techniques"},
    {"plan lenet --policy keep-all --techniques liveness", "--techniques"},
    {"plan lenet --policy liveness --offload conv", "--offload"},
    {"plan lenet --techniques nosuch", "nosuch"},
    {"plan lenet --techniques liveness,", "--techniques"},
    {"plan lenet --techniques none,liveness", "none"},
    {"plan lenet --techniques liveness --offload conv", "--offload"},
    {"plan lenet --techniques liveness --prefetch on-demand", "--prefetch"},
    {"plan lenet --techniques recompute --offload-free hidden", "--offload-free"},
    {"plan lenet --techniques none --recompute speed", "--recompute"},
    {"simulate lenet --techniques offload --recompute speed", "--recompute"},
    {"train lenet --techniques recompute --prefetch on-demand", "--prefetch"},
    {"plan lenet --techniques liveness,recompute --eviction lru", "--eviction"},
    {"plan lenet --policy vdnn-all --eviction belady", "--eviction"},
    {"plan lenet --eviction fifo", "lru, belady"},
    {"plan lenet --placement nosuch", "packed, pool, native"},
    {"plan lenet --techniques liveness --checkpoints joins", "--checkpoints"},
    {"plan lenet --checkpoints conv1,,conv2", "empty name"},
    {"plan lenet --checkpoints nosuchlayer", "nosuchlayer"},
    {"plan lenet --techniques workspace --deterministic", "--deterministic"},
    {"compare lenet --policies liveness,nosuch", "nosuch"},
    {"compare lenet --policies liveness,", "''"},
    {"fit lenet --grow width", "batch or depth"},
    {"fit lenet --grow depth", "ResNet"},
    {"fit lenet --batch 8", "--batch"},
    {"plan lenet --offload nosuch", "conv, checkpoints"},
    {"plan lenet --prefetch nosuch", "on-demand"},
    {"plan lenet --recompute nosuch", "cost-aware"},
    {"plan lenet --offload-free nosuch", "last-reader"},
    {"plan lenet --lowering nosuch", "nosuch"},
    {"plan lenet --lowering lean,nosuch=on", "nosuch=on"},
    // devices and backends
    {"plan lenet --device nosuch", "nosuch"},
    {"simulate lenet --device nosuch", "nosuch"},
    {"train lenet --backend virtual --iterations 1 --device nosuch", "nosuch"},
    {"train lenet --backend virtual --epochs 1", "epochs"},
    {"plan lenet --backend nosuch", "nosuch"},
    {"simulate lenet --backend nosuch", "nosuch"},
    {"train lenet --backend nosuch", "nosuch"},
    {"self-test --backend nosuch", "nosuch"},
};

constexpr const char* valued[] = {"--batch", "--input",  "--lowering",    "--policy", "--techniques", "--offload", "--prefetch", "--recompute", "--offload-free", "--eviction", "--placement", "--checkpoints",
                                  "--budget", "--host-budget", "--device", "--costs", "--link", "--threads", "--gpu", "--seed", "--backend"};

}  // namespace

class UsageErrorTest : public QObject {
  Q_OBJECT
 private slots:
  void wrongUseIsOneLineAndExitCodeTwo_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("says");
    for (const Case& c : cases) QTest::newRow(c.arguments) << split(c.arguments) << QByteArray(c.says);
  }
  void wrongUseIsOneLineAndExitCodeTwo() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, says);
    const QByteArray problem = errorProblem(runCli(arguments), 2, says);
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void anEmptyValueIsNotTheDefault_data() {
    QTest::addColumn<QString>("option");
    for (const char* option : valued) QTest::newRow(option) << QString::fromLatin1(option);
  }
  void anEmptyValueIsNotTheDefault() {
    QFETCH(QString, option);
    const QByteArray problem = errorProblem(runCli({"plan", "lenet", option, ""}), 2, option.toLatin1());
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void aNameWithALineBreakStaysOnTheLine_data() {
    QTest::addColumn<QStringList>("arguments");
    const QString name = QStringLiteral("a\nb\r\x1b[31m");
    QTest::newRow("net") << QStringList{"plan", name};
    QTest::newRow("option") << QStringList{"plan", "lenet", "--" + name};
    QTest::newRow("command") << QStringList{name};
    QTest::newRow("number") << QStringList{"plan", "lenet", "--batch", name};
    QTest::newRow("device") << QStringList{"plan", "lenet", "--device", name};
    QTest::newRow("policy") << QStringList{"plan", "lenet", "--policy", name};
    QTest::newRow("lowering") << QStringList{"plan", "lenet", "--lowering", name};
    QTest::newRow("data") << QStringList{"train", "lenet", "--data", name};
    QTest::newRow("trace") << QStringList{"report", name, "--json", "out.json"};
    QTest::newRow("self-test") << QStringList{"self-test", "--backend", name};
  }
  void aNameWithALineBreakStaysOnTheLine() {
    QFETCH(QStringList, arguments);
    const CliResult result = runCli(arguments);
    const QByteArray problem = errorProblem(result, 2, "a b");
    QVERIFY2(problem.isEmpty(), problem.constData());
    QVERIFY2(!result.err.contains('\x1b'), result.err.constData());
  }

  /// A plan that does not fit names the step, its bytes and the smallest budget; that budget then works and one byte less does not.
  void aPlanThatDoesNotFitNamesTheSmallestBudget_data() {
    QTest::addColumn<QStringList>("command");
    QTest::newRow("plan") << QStringList{"plan", "lenet", "--batch", "100"};
    QTest::newRow("simulate") << QStringList{"simulate", "lenet", "--batch", "100"};
    QTest::newRow("train") << QStringList{"train", "lenet", "--batch", "100", "--iterations", "1", "--data", bundledData};
  }
  void aPlanThatDoesNotFitNamesTheSmallestBudget() {
    QFETCH(QStringList, command);
    const CliResult refused = runCli(command + QStringList{"--budget", "1MiB"});
    for (const QByteArray says : {"step ", "conv", "1048576", " bytes"}) {
      const QByteArray problem = errorProblem(refused, 1, says);
      QVERIFY2(problem.isEmpty(), problem.constData());
    }
    static const QRegularExpression pattern(QStringLiteral("smallest that works is (\\d+) bytes"));
    const qint64 smallest = pattern.match(QString::fromUtf8(refused.err)).captured(1).toLongLong();
    QVERIFY(smallest > 1048576);
    QCOMPARE(runCli(command + QStringList{"--budget", QString::number(smallest)}).exitCode, 0);
    QCOMPARE(runCli(command + QStringList{"--budget", QString::number(smallest - 1)}).exitCode, 1);
  }

  void aHostBudgetThatDoesNotFitSaysSo() {
    const QByteArray problem = errorProblem(runCli({"plan", "lenet", "--lowering", "paper", "--techniques", "offload", "--host-budget", "1KiB"}), 1, "host budget");
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void helpAndVersionAreNoErrors() {
    for (const QStringList& arguments : {QStringList{"--help"}, {"--version"}, {"plan", "--help"}, {"train", "--help"}, {"report", "--help"}}) {
      const CliResult result = runCli(arguments);
      QCOMPARE(result.exitCode, 0);
      QVERIFY(!result.out.isEmpty());
      QCOMPARE(result.err, QByteArray());
    }
  }
};

PEAKSCOPE_TEST(UsageErrorTest)
#include "usage_error_test.moc"
