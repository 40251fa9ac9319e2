// SPDX-License-Identifier: Apache-2.0
//
// The command that a session writes about itself starts the same session: what the window copies can be pasted.
#include <QProcess>
#include <random>

#include "app/cli/shared_options.h"
#include "engine/runtime/train_command_line.h"
#include "tests/support/plan_cases.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

namespace {

/// The words that a shell makes of a command.
QStringList shellWords(const std::string& command) {
  QProcess shell;
  shell.start("sh", {"-c", "printf '%s\\n' " + QString::fromStdString(command)});
  shell.waitForFinished();
  return QString::fromUtf8(shell.readAllStandardOutput()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

/// The session that a train command asks for.
Result<SessionConfig> parsed(const std::string& command) {
  const QStringList words = shellWords(command);
  std::vector<std::string> arguments;
  for (auto it = words.crbegin(); it != words.crend() - 2; ++it) arguments.push_back(it->toStdString());   // CLI11 takes them last first
  CLI::App app;
  cli::RawOptions raw;
  cli::TrainRequest training;
  app.add_option("net", raw.net)->required();
  cli::addPlanOptions(app, raw);
  cli::addTrainOptions(app, raw, training);
  try {
    app.parse(arguments);
  } catch (const CLI::ParseError& error) {
    return badInput(error.what());
  }
  auto request = cli::parseRequest(raw);
  if (!request) return fail(request.error());
  training.request = *request;
  return cli::sessionConfig(training, {});
}

void expectSame(const SessionConfig& config) {
  const std::string command = trainCommandLine(config);
  const auto back = parsed(command);
  QVERIFY2(back, (command + ": " + (back ? "" : back.error().message)).c_str());
  // Written again it is the same command, so nothing that a command can say was lost.
  QCOMPARE(trainCommandLine(*back), command);
  QVERIFY2(back->options == config.options, command.c_str());
  QCOMPARE(back->net, config.net);
  QCOMPARE(back->batch, config.batch);
  QCOMPARE(back->lowering, config.lowering);
  QCOMPARE(back->iterations, config.iterations);
}

}  // namespace

class CommandLineTest : public QObject {
  Q_OBJECT
 private slots:
  void everyPolicyAndTechniqueComesBack() {
    for (const char* lowering : {"lean", "paper", "lean,relu-in-place=off"})
      for (PolicyOptions options : test::allPolicyOptions()) {
        // What a switched-off technique would do has no option, and is at its default.
        const PolicyOptions plain;
        const bool isPaper = std::string(lowering).starts_with("paper");
        const bool isSuperneurons = options.policy == "superneurons";
        if (!isSuperneurons) options.techniques = allTechniques;
        if (!isSuperneurons || !options.techniques.moves()) options.offload = plain.offload, options.prefetch = plain.prefetch;
        if (!isSuperneurons || !options.techniques.offload) options.offloadFree = isPaper ? OffloadFree::LastReader : OffloadFree::Hidden;
        if (!isSuperneurons || !options.techniques.recompute) options.recompute = plain.recompute;
        expectSame({.net = "lenet", .batch = 7, .lowering = lowering, .options = options, .iterations = 3});
      }
  }

  void everythingElseComesBack() {
    SessionConfig config{.net = "my nets/it.json", .batch = 12, .inputHeight = 64, .inputWidth = 48, .backend = "virtual", .device = "k40c", .dataDir = "a folder", .epochs = 4, .threads = 3, .seed = 9,
                         .linkBytesPerSecond = 2.5e9, .deterministic = true, .checkMemory = true};
    config.options.offloadFree = OffloadFree::Hidden;
    config.options.techniques.workspace = false;   // it chooses algorithms, --deterministic fixes them
    config.options.eviction = Eviction::Belady;
    config.options.checkpointRule = CheckpointRule::Listed;
    config.options.checkpoints = {"conv1", "a layer"};
    config.options.budget = Bytes{123'456'789};
    config.options.hostBudget = Bytes{1};
    expectSame(config);
  }
};
PEAKSCOPE_TEST(CommandLineTest)
#include "command_line_test.moc"
