// SPDX-License-Identifier: Apache-2.0
//
// Commands cross a pipe: what goes in comes out, and anything else is an error, never a crash.
#include <nlohmann/json.hpp>
#include <random>

#include "engine/runtime/session_messages.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

class CommandCodecTest : public QObject {
  Q_OBJECT
 private slots:
  void everyFieldOfAConfigArrives() {
    SessionConfig config;
    config.net = "resnet:3,4,6,3";
    config.batch = 17;
    config.inputHeight = 99;
    config.lowering = "paper";
    config.options.policy = "other";
    config.options.techniques = {.liveness = true, .recompute = true};
    config.options.recompute = RecomputeMode::Memory;
    config.options.offloadFree = OffloadFree::Hidden;
    config.options.budget = Bytes{std::int64_t{5} << 40};
    config.seed = ~std::uint64_t{0};
    config.linkBytesPerSecond = 1.5e9;
    config.checkMemory = true;
    config.commandLine = "train \xC3\xA9";
    const auto back = decodeCommand(encode(Command{Start{config}}));
    QVERIFY2(back.has_value(), back ? "" : back.error().message.c_str());
    const SessionConfig& c = std::get<Start>(*back).config;
    QCOMPARE(c.net, config.net);
    QCOMPARE(c.batch, config.batch);
    QCOMPARE(c.inputHeight, config.inputHeight);
    QCOMPARE(c.lowering, config.lowering);
    QVERIFY(c.options == config.options);
    QCOMPARE(c.seed, config.seed);
    QCOMPARE(c.linkBytesPerSecond, config.linkBytesPerSecond);
    QVERIFY(c.checkMemory);
    QCOMPARE(c.commandLine, config.commandLine);
  }

  void everyCommandComesBackAsItself() {
    const std::vector<Command> commands{Start{}, Run{}, Pause{}, SingleStep{}, Stop{}, ChangeOptions{}};
    for (const Command& command : commands) {
      const auto back = decodeCommand(encode(command));
      QVERIFY(back.has_value());
      QCOMPARE(back->index(), command.index());
    }
  }

  void wrongTypesAndNumbersOutOfRangeAreErrors() {
    const auto spoilt = [](const char* field, const nlohmann::json& value) {
      nlohmann::json message = nlohmann::json::from_msgpack(encode(Command{Start{}}));
      message["config"][field] = value;
      return decodeCommand(nlohmann::json::to_msgpack(message)).has_value();
    };
    QVERIFY(spoilt("threads", 4));
    QVERIFY(!spoilt("threads", 4.5));
    QVERIFY(!spoilt("threads", true));
    QVERIFY(!spoilt("threads", std::int64_t{1} << 40));
    QVERIFY(!spoilt("batch", 1e300));
    QVERIFY(!spoilt("seed", -1));
    QVERIFY(!spoilt("net", 7));
    QVERIFY(!spoilt("deterministic", 1));
  }

  void damagedCommandsAreErrors() {
    const auto whole = encode(Command{Start{}});
    std::mt19937 random(1);
    for (int i = 0; i < 3000; ++i) {
      auto bytes = whole;
      if (i % 2 == 0) bytes.resize(random() % bytes.size());
      if (!bytes.empty()) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      (void)decodeCommand(bytes);   // no crash; some damage leaves a readable command
    }
    QVERIFY(!decodeCommand({}).has_value());
  }
};
PEAKSCOPE_TEST(CommandCodecTest)
#include "command_codec_test.moc"
