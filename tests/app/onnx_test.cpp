// SPDX-License-Identifier: Apache-2.0
//
// A model of one's own on the command line: planned and simulated at any batch and size, and not trained.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

namespace {

QString model(const char* name) { return QStringLiteral(PEAKSCOPE_SOURCE_DIR "/tests/importers/data/%1.onnx").arg(QLatin1String(name)); }

}  // namespace

class OnnxTest : public QObject {
  Q_OBJECT
 private slots:
  void aModelIsPlannedAtAnyBatchAndSize() {
    const CliResult done = runCli({"plan", model("resnet50"), "--batch", "64", "--input", "256x256", "--lowering", "paper", "--json", "--steps"});
    QCOMPARE(done.exitCode, 0);
    QCOMPARE(done.err, QByteArray());
    const auto json = done.json();
    QVERIFY(json["net"] == "resnet50");
    QVERIFY(json["batch"] == 64);
    QVERIFY(json["steps"][0]["layer"] == "conv1");
    // 64 images of 64 x 128 x 128 numbers.
    QCOMPARE(json["steps"][0]["scheduled_bytes"].get<std::int64_t>(), std::int64_t{64} * 64 * 128 * 128 * 4);
  }

  void everyPolicyPlansAModel() {
    const auto known = runCli({"policies", "--json"}).json();
    QVERIFY(known["policies"].size() >= 3);
    for (const auto& policy : known["policies"]) {
      const QString name = QString::fromStdString(policy["name"].get<std::string>());
      const CliResult done = runCli({"plan", model("densenet121"), "--policy", name, "--json"});
      QCOMPARE(done.exitCode, 0);
      QVERIFY(done.json()["peak"]["scheduled_bytes"].get<std::int64_t>() > 0);
    }
  }

  void aModelIsSimulated() {
    const CliResult done = runCli({"simulate", model("mobilenet_v2"), "--batch", "8", "--iterations", "2", "--json"});
    QCOMPARE(done.exitCode, 0);
    QVERIFY(done.json()["time_ns"].get<std::int64_t>() > 0);
    QVERIFY(done.json()["measured_peak_scheduled_bytes"] == done.json()["peak"]["scheduled_bytes"]);
  }

  void trainingAModelComesLater() {
    const QByteArray problem = errorProblem(runCli({"train", model("alexnet"), "--iterations", "1"}), 2, "an imported model can be planned and simulated; training such models comes later");
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void aBackendNamesTheLayerThatItCannotCompute() {
    const QByteArray problem = errorProblem(runCli({"plan", model("mobilenet_v2"), "--backend", "cpu"}), 3, "layer features.0.2, of type clip: backend cpu cannot compute it yet");
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void whatIsNoModelIsOneLine() {
    const QTemporaryDir folder;
    QCOMPARE(runInShell("mkdir f.onnx; mkfifo p.onnx; : > e.onnx; printf 'plain text' > t.onnx; head -c 5000 \"" + model("alexnet") + "\" > c.onnx", folder.path()).exitCode, 0);
    struct Case {
      const char *name, *says;
    };
    for (const Case& c : {Case{"f.onnx", "f.onnx: is a folder"}, Case{"p.onnx", "p.onnx: is not a regular file"}, Case{"e.onnx", "e.onnx: is empty"}, Case{"t.onnx", "t.onnx: is damaged"},
                          Case{"c.onnx", "c.onnx: is damaged"}, Case{"m.onnx", "m.onnx: no such file"}})
      for (const char* command : {"plan", "simulate", "train"}) {
        const QByteArray problem = errorProblem(runCli({command, c.name}, folder.path()), 2, c.says);
        QVERIFY2(problem.isEmpty(), problem.constData());
      }
  }
};

PEAKSCOPE_TEST(OnnxTest)
#include "onnx_test.moc"
