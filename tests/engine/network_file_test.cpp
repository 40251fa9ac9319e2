// SPDX-License-Identifier: Apache-2.0
//
// Network files: the samples, what the format can say, and what a person is told who wrote something else.
#include "engine/graph/network_file.h"

#include <filesystem>
#include <fstream>
#include <random>

#include "tests/engine/sample_lowerings.h"
#include "tests/support/test_main.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

/// A good network, one layer a line: data is on line 3, softmax on line 9.
const QString goodNetwork = R"({"name": "tiny", "batch": 4,
 "layers": [
  {"name": "data", "type": "data", "shape": [3, 8, 8], "classes": 10},
  {"name": "conv", "type": "conv", "out": 4, "kernel": 3, "pad": 1},
  {"name": "relu", "type": "relu"},
  {"name": "pool", "type": "pool", "kernel": 2},
  {"name": "drop", "type": "dropout"},
  {"name": "fc", "type": "fc", "out": 10},
  {"name": "softmax", "type": "softmax"}]})";

/// Branches of a fork, merged by channels.
const std::string concatNetwork = R"({"name": "branches",
 "layers": [
  {"name": "data", "type": "data", "shape": [3, 8, 8], "classes": 10},
  {"name": "fork", "type": "fork"},
  {"name": "a", "type": "conv", "out": 4, "kernel": [1, 3], "pad": [0, 1]},
  {"name": "b", "type": "batchnorm", "input": "fork", "perActivation": true},
  {"name": "concat", "type": "concat", "input": ["b", "a", "fork"]},
  {"name": "fc", "type": "fc", "out": 10},
  {"name": "softmax", "type": "softmax"}]})";

struct Bad {
  const char* title;
  const char* from;
  const char* to;
  const char* message;
};
const Bad badNetworks[] = {
    {"unknown type", R"("type": "relu")", R"("type": "rleu")",
     "net.json:5: layer relu: unknown type 'rleu'; known types: data, conv, fc, pool, relu, lrn, batchnorm, dropout, softmax, join, concat, fork, flatten, pad"},
    {"unknown key of a layer", R"("kernel": 3)", R"("kernal": 3)", "net.json:4: layer conv: unknown key 'kernal'; known keys: bias, dilation, groups, input, kernel, name, out, pad, stride, type"},
    {"unknown key of the network", R"("batch": 4)", R"("bacth": 4)", "net.json:1: unknown key 'bacth'; known keys: batch, dataSet, description, init, layers, name, solver"},
    {"missing input", R"("type": "relu")", R"("type": "relu", "input": "konv")", "net.json:5: layer relu: its input 'konv' is not a layer of this network"},
    {"input of a wrong kind", R"("type": "relu")", R"("type": "relu", "input": 3)", "net.json:5: layer relu: 'input' is a whole number; it must be the name of a layer, or a list of names"},
    {"cycle", R"("type": "conv", "out": 4)", R"("type": "conv", "input": "drop", "out": 4)", "net.json:3: layer data: nothing reads its output; every layer must lead to softmax"},
    {"two names alike", R"("name": "drop")", R"("name": "relu")", "net.json:7: layer relu: another layer has this name already; names must be unique"},
    {"no name", R"("name": "drop", )", "", "net.json:7: layer number 5: 'name' is missing"},
    {"empty name", R"("name": "drop")", R"("name": "")", "net.json:7: layer : 'name' is empty"},
    {"no type", R"("name": "drop", "type": "dropout")", R"("name": "drop")", "net.json:7: layer drop: 'type' is missing"},
    {"zero channels", R"("out": 4)", R"("out": 0)", "net.json:4: layer conv: 'out' is 0; it must be a whole number between 1 and 16777216"},
    {"negative kernel", R"("kernel": 3)", R"("kernel": -3)", "net.json:4: layer conv: 'kernel' is -3; it must be a whole number between 1 and 65536"},
    {"huge channels", R"("out": 4)", R"("out": 9223372036854775807)", "net.json:4: layer conv: 'out' is 9223372036854775807; it must be a whole number between 1 and 16777216"},
    {"more than 64 bits", R"("out": 4)", R"("out": 99999999999999999999)", "net.json:4: layer conv: 'out' is 1e+20; it must be a whole number between 1 and 16777216"},
    {"half a channel", R"("out": 4)", R"("out": 4.5)", "net.json:4: layer conv: 'out' is 4.5; it must be a whole number between 1 and 16777216"},
    {"text for a number", R"("out": 4)", R"("out": "4")", "net.json:4: layer conv: 'out' is a text; it must be a whole number"},
    {"three sides of a kernel", R"("kernel": 3)", R"("kernel": [3, 3, 3])", "net.json:4: layer conv: 'kernel' has 3 entries; write one number, or two: [vertical, horizontal]"},
    {"kernel too large", R"("kernel": 2)", R"("kernel": 9)", "net.json:6: layer pool: kernel 9x9 with padding 0x0 does not fit its input 4x8x8"},
    {"groups do not divide", R"("kernel": 3)", R"("kernel": 3, "groups": 2)", "net.json:4: layer conv: 2 groups do not divide 3 input and 4 output channels"},
    {"padding as wide as the kernel", R"("kernel": 2)", R"("kernel": 2, "pad": 2)", "net.json:6: layer pool: vertical padding is 2; it must be between 0 and 1"},
    {"unknown pooling", R"("kernel": 2)", R"("kernel": 2, "mode": "maximum")", "net.json:6: layer pool: 'mode' is 'maximum'; known: max, average, average-including-padding"},
    {"dropping everything", R"("type": "dropout")", R"("type": "dropout", "rate": 1)", "net.json:7: layer drop: 'rate' is 1; it must be between 0 and 0.999"},
    {"scores and classes", R"("out": 10)", R"("out": 11)", "net.json:9: layer softmax: has 11 scores for the 10 classes of layer data"},
    {"a shape of two numbers", "[3, 8, 8]", "[8, 8]", "net.json:3: layer data: 'shape' must be [channels, height, width] with numbers between 1 and 16777216"},
    {"an image too large", "[3, 8, 8]", "[16777216, 16777216, 16777216]", "net.json:3: layer data: its output 16777216x16777216x16777216 is larger than the limit of 2^36 elements an image"},
    {"a convolution too large", R"("out": 4, "kernel": 3, "pad": 1)", R"("out": 16777216, "kernel": 65535, "pad": 65536)",
     "net.json:4: layer conv: its output 16777216x65546x65546 is larger than the limit of 2^36 elements an image"},
    {"no batch", R"("batch": 4)", R"("batch": 0)", "net.json:1: 'batch' is 0; it must be a whole number between 1 and 1048576"},
    {"a join of one", R"("type": "relu")", R"("type": "join")", "net.json:5: layer relu: a join takes at least two inputs, this one has 1"},
    {"a concat of one", R"("type": "relu")", R"("type": "concat")", "net.json:5: layer relu: a concat takes at least two inputs, this one has 1"},
    {"two inputs", R"("type": "dropout")", R"("type": "dropout", "input": ["pool", "pool"])", "net.json:6: layer pool: 2 layers read it (drop, drop); put a fork behind it, one output per reader"},
    {"a layer before data", R"({"name": "data",)", R"({"name": "first", "type": "relu"}, {"name": "data",)", "net.json:3: layer first: has no layer before it and no 'input'; begin with a layer of type data"},
    {"a second loss", R"("type": "dropout")", R"("type": "softmax")", "net.json:9: layer softmax: a second softmax layer; a network has one"},
    {"no loss", R"("type": "softmax")", R"("type": "relu")", "net.json:2: the network has no softmax layer; end with one of type softmax"},
    {"softmax of an image", R"({"name": "fc", "type": "fc", "out": 10},)", "", "net.json:9: layer softmax: needs one score per class, a shape Cx1x1, but its input is 4x4x4"},
    {"a key twice", R"("out": 4)", R"("out": 4, "out": 5)", "net.json:4:50: key 'out' occurs twice in one object"},
    {"a missing comma", R"("out": 4, )", R"("out": 4 )", "net.json:4:52: not valid JSON: syntax error while parsing object - unexpected string literal; expected '}'"},
    {"a layer that is a number", R"({"name": "relu", "type": "relu"})", "7", "net.json:5: layer number 3: is a whole number; it must be an object {...}"},
    {"solver of a wrong kind", R"("batch": 4)", R"("solver": "adam")", "net.json:1: solver: is a text; it must be an object {...}"},
    {"unknown solver", R"("batch": 4)", R"("solver": {"type": "adam"})", "net.json:1: solver: 'type' is 'adam'; known: sgd, momentum, nesterov"},
    {"schedule out of order", R"("batch": 4)", R"("solver": {"schedule": [{"from": 9, "learningRate": 1}, {"from": 9, "learningRate": 1}]})",
     "net.json:1: solver schedule: entries must be in the order of their iterations"},
    {"no layers", R"("layers")", R"("layer")", "net.json:1: 'layers' is missing; it lists the layers, data first"},
};

}  // namespace

class NetworkFileTest : public QObject {
  Q_OBJECT
 private slots:
  void aBadNetworkIsToldWhereAndWhy_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    for (const Bad& bad : badNetworks) {
      QVERIFY2(goodNetwork.contains(bad.from), bad.title);
      QTest::newRow(bad.title) << QString(goodNetwork).replace(bad.from, bad.to) << QString(bad.message);
    }
    QTest::newRow("nothing") << "" << "net.json:1:1: not valid JSON: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal";
    QTest::newRow("a list") << "[]" << "net.json:1: is a list; it must be an object {...}";
    QTest::newRow("too deep") << QString(40, '[') << "net.json:1:33: nested deeper than 32 levels";
  }
  void aBadNetworkIsToldWhereAndWhy() {
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto graph = parseNetwork(text.toStdString(), "net.json");
    QVERIFY(!graph.has_value());
    QCOMPARE(QString::fromStdString(graph.error().message), message);
    QCOMPARE(graph.error().kind, ErrorKind::BadInput);
  }

  void aCycleIsShown() {
    const QString text = QString(goodNetwork)
                             .replace(R"("type": "relu"})", R"("type": "join", "input": ["conv", "fork"]}, {"name": "fork", "type": "fork"})")
                             .replace(R"("type": "pool", )", R"("type": "pool", "input": "fork", )")
                             .replace(R"({"name": "fork", "type": "fork"})", R"({"name": "fork", "type": "fork", "input": "relu"})");
    const auto graph = parseNetwork(text.toStdString(), "net.json");
    QVERIFY(!graph.has_value());
    QCOMPARE(QString::fromStdString(graph.error().message), QString("net.json:5: layer relu: is part of a cycle: relu -> fork -> relu"));
  }

  void aGoodNetworkIsRead() {
    const auto graph = parseNetwork(goodNetwork.toStdString(), "net.json");
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    QCOMPARE(graph->name, std::string("tiny"));
    QCOMPARE(graph->defaultBatch, std::int64_t{4});
    QCOMPARE(graph->layers.size(), 7);
    const auto& pool = std::get<PoolParams>(graph->layers[LayerId{3}].params);
    QCOMPARE(pool.strideH, std::int64_t{2});   // as its kernel, where no stride is given
  }

  void aConcatNamesItsInputsInOrder() {
    const auto graph = parseNetwork(concatNetwork, "net.json");
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    const Layer& concat = graph->layers[LayerId{4}];
    QVERIFY(std::holds_alternative<ConcatParams>(concat.params));
    QCOMPARE(concat.inputs, (std::vector<LayerId>{LayerId{3}, LayerId{2}, LayerId{1}}));
    QCOMPARE(toString(concat.shape), std::string("1x10x8x8"));
    QVERIFY(std::get<BatchNormParams>(graph->layers[LayerId{3}].params).isPerActivation);
  }

  void aConcatOfDifferentHeightsIsToldItsLine() {
    const QString text = QString::fromStdString(concatNetwork).replace(R"("pad": [0, 1])", R"("stride": [2, 1], "pad": [0, 1])");
    const auto graph = parseNetwork(text.toStdString(), "net.json");
    QVERIFY(!graph.has_value());
    QCOMPARE(QString::fromStdString(graph.error().message),
             QString("net.json:7: layer concat: its inputs 3x8x8 and 4x4x8 differ in height or width; only channels are concatenated"));
  }

  void solverAndInitAreRead() {
    const QString text = QString(goodNetwork).replace(R"("batch": 4)", R"("batch": 4, "dataSet": "fashion-mnist", "init": {"type": "gaussian", "stddev": 0.5},
      "solver": {"type": "nesterov", "learningRate": 0.25, "momentum": 0.5, "weightDecay": 0.125, "schedule": [{"from": 100, "learningRate": 0.0625}]})");
    const auto graph = parseNetwork(text.toStdString(), "net.json");
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
    QCOMPARE(graph->dataSet, std::string("fashion-mnist"));
    QCOMPARE(graph->solver.kind, Solver::Kind::Nesterov);
    QCOMPARE(graph->solver.learningRate, 0.25F);
    QCOMPARE(graph->solver.weightDecay, 0.125F);
    QCOMPARE(graph->solver.schedule.size(), std::size_t{1});
    QCOMPARE(graph->solver.schedule[0].iteration, std::int64_t{100});
    QCOMPARE(graph->init.kind, WeightInit::Kind::Gaussian);
    QCOMPARE(graph->init.stddev, 0.5F);
  }

  void everySampleIsReadable() {
    const auto names = sampleNetworks(samplesDir);
    for (const char* expected : {"alexnet", "cifar", "cifar10", "densenet121", "googlenet", "inception4", "inception4-bn", "lenet", "minivgg", "residual32", "resnet101", "resnet152", "resnet50", "vgg16", "vgg19"})
      QVERIFY2(std::find(names.begin(), names.end(), expected) != names.end(), expected);
    for (const std::string& name : names) QCOMPARE(sample(name).name, name);
  }

  void samplesAreFoundFromTheFolderAboveAsWell() { QVERIFY(findNetwork("lenet", std::filesystem::path(samplesDir).parent_path()).has_value()); }

  void aPathIsReadAsAFile() {
    const auto graph = findNetwork(samplesDir + "/lenet.json", "no such folder");
    QVERIFY(graph.has_value());
    QCOMPARE(graph->name, std::string("lenet"));
  }

  void anUnknownNameListsTheSamples() {
    const auto graph = findNetwork("lenett", samplesDir);
    QVERIFY(!graph.has_value());
    const QString message = QString::fromStdString(graph.error().message);
    QVERIFY2(message.startsWith("network 'lenett' is not known and no such file exists; known networks: alexnet, cifar, cifar10, densenet121, googlenet, inception4, inception4-bn, lenet"), qPrintable(message));
  }

  void aResnetIsDescribedByItsBlocks() {
    QCOMPARE(findNetwork("resnet:1,1,1,1", samplesDir)->layers.size(), 11 * 4 + 16);
    for (const char* text : {"resnet:", "resnet:3,4,6", "resnet:3,4,6,3,1", "resnet:3,4,6,", "resnet:3,4,0,3", "resnet:3,4,-6,3", "resnet:3,4,x,3", "resnet:3,4,6,99999999999999999999", "resnet:99999,99999,1,1", "resnet:0,4,6,3", "resnet:99997,1,1,1"})
      QVERIFY2(!findNetwork(text, samplesDir).has_value(), text);
  }

  void mutatedSamplesNeverCrash() {
    std::mt19937 random(20180224);   // a fixed seed: the same mutations in every run
    for (const char* name : {"lenet", "minivgg", "residual32", "a concat"}) {
      std::ifstream file(samplesDir + "/" + name + ".json");
      const std::string original = file ? std::string(std::istreambuf_iterator<char>(file), {}) : concatNetwork;
      for (int round = 0; round < 200; ++round) {
        std::string text = original;
        for (unsigned edits = random() % 4 + 1; edits > 0; --edits) mutate(text, random);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
      }
    }
  }

 private:
  static void mutate(std::string& text, std::mt19937& random) {
    static constexpr const char* words[] = {"0", "-1", "9223372036854775807", "1e400", "null", "[]", "{}", "\"fork\"", "\"data\"", ",", "}", "\"", "\xff", "\"input\": \"conv1\", ", "16777216"};
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0: text[at] = static_cast<char>(random() % 256); break;
      case 1: text.insert(at, words[random() % std::size(words)]); break;
      case 2: text.erase(at, random() % 40); break;
      default: {
        // Replace a number, which keeps the document well formed and reaches the checks behind the parser.
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != std::string::npos) text.replace(digit, 1, words[random() % 4]);
      }
    }
    if (text.empty()) text = "{";
  }
};

PEAKSCOPE_TEST(NetworkFileTest)
#include "network_file_test.moc"
