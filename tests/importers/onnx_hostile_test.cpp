// SPDX-License-Identifier: Apache-2.0
//
// Files that are no models, damaged, or made to harm, and models that cannot be planned: one line each, with what and where.
#include <sys/stat.h>

#include <QFile>
#include <QTemporaryDir>
#include <functional>
#include <limits>

#include "engine/importers/onnx.h"
#include "tests/importers/model_builder.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();

/// A good model with 3 x 8 x 8 images, broken afterwards.
ModelBuilder good() {
  ModelBuilder m;
  m.input("x", {-1, 3, 8, 8}).parameter("w", {4, 3, 3, 3});
  m.node("Conv", {"x", "w"}, "y").ints("pads", {1, 1, 1, 1}).called("/conv/Conv");
  m.classifier("y", 4);
  return m;
}

onnx::NodeProto& conv(ModelBuilder& m) { return *m.model.mutable_graph()->mutable_node(0); }

void setInts(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values) {
  for (int i = node.attribute_size() - 1; i >= 0; --i)
    if (node.attribute(i).name() == name) node.mutable_attribute()->DeleteSubrange(i, 1);
  NodeBuilder(node).ints(name, values);
}

ModelBuilder withInput(const std::vector<std::int64_t>& dims) {
  ModelBuilder m = good();
  m.model.mutable_graph()->clear_input();
  m.input("x", dims);
  return m;
}

ModelBuilder withWeights(const std::vector<std::int64_t>& dims) {
  ModelBuilder m = good();
  m.model.mutable_graph()->mutable_initializer(0)->clear_dims();
  for (const std::int64_t dim : dims) m.model.mutable_graph()->mutable_initializer(0)->add_dims(dim);
  return m;
}

ModelBuilder withInts(const std::string& name, const std::vector<std::int64_t>& values) {
  ModelBuilder m = good();
  setInts(conv(m), name, values);
  return m;
}

ModelBuilder with(const std::function<void(ModelBuilder&)>& change) {
  ModelBuilder m = good();
  change(m);
  return m;
}

struct Case {
  const char* name;
  ModelBuilder model;
  const char* says;
};

std::vector<Case> cases() {
  return {
      {"no graph", with([](auto& m) { m.model.clear_graph(); }), "has no graph with nodes"},
      {"no output", with([](auto& m) { m.model.mutable_graph()->clear_output(); }), "has no output"},
      {"an output of nobody", with([](auto& m) { m.model.mutable_graph()->mutable_output(0)->set_name("z"); }), "z is written by no node"},
      {"no input", with([](auto& m) { m.model.mutable_graph()->clear_input(); }), "reads x, which no node writes"},
      {"only parameters", with([](auto& m) { m.parameter("x", {1, 3, 8, 8}); }), "all its inputs are parameters"},
      {"two images", with([](auto& m) { m.input("z", {-1, 4, 8, 8}); conv(m).set_op_type("Add"); conv(m).set_input(1, "z"); }), "has 2 inputs"},
      {"an image of one dimension", withInput({3}), "is not a batch of images"},
      {"an image of six dimensions", withInput({1, 3, 8, 8, 8, 8}), "is not a batch of images"},
      {"a batch of none", withInput({0, 3, 8, 8}), "a batch that cannot be"},
      {"a negative batch", withInput({-7, 3, 8, 8}), "a batch that cannot be"},
      {"a huge batch", withInput({huge, 3, 8, 8}), "a batch that cannot be"},
      {"open channels", withInput({1, -1, 8, 8}), "leaves the number of channels open"},
      {"no height", withInput({1, 3, 0, 8}), "height is 0"},
      {"a huge width", withInput({1, 3, 8, huge}), "width is 9223372036854775807"},
      {"images that overflow", withInput({1, 1 << 23, 1 << 23, 1 << 23}), "larger than the limit"},
      {"negative weights", withWeights({4, -3, 3, 3}), "do not fit the 3 channels"},
      {"huge weights", withWeights({4, huge, 3, 3}), "do not fit the 3 channels"},
      {"no kernel", withWeights({4, 3, 0, 3}), "its kernel is not two numbers"},
      {"a kernel beyond the image", withWeights({4, 3, 30, 30}), "does not fit its input"},
      {"groups that do not divide", with([](auto& m) { NodeBuilder(conv(m)).integer("group", -1); }), "in -1 groups"},
      {"strides of zero", withInts("strides", {0, 1}), "strides are not two numbers"},
      {"huge strides", withInts("strides", {huge, 1}), "strides are not two numbers"},
      {"negative pads", withInts("pads", {-1, 0, 0, 0}), "pads are not four numbers"},
      {"pads of two sides", withInts("pads", {1, 1}), "pads are not four numbers"},
      {"a cycle", with([](auto& m) { conv(m).set_input(0, "average"); }), "nodes form a cycle"},
      {"a node that waits for itself", with([](auto& m) { conv(m).set_input(0, "y"); }), "nodes form a cycle: /conv/Conv"},
      {"a name written twice", with([](auto& m) { m.node("Relu", {"x"}, "y"); }), "two nodes write y"},
      {"weights that are not there", with([](auto& m) { conv(m).set_input(1, "v"); }), "/conv/Conv reads v, which no node writes"},
      {"a node without inputs", with([](auto& m) { conv(m).clear_input(); }), "all its inputs are parameters"},
      {"a convolution without weights", with([](auto& m) { conv(m).mutable_input()->RemoveLast(); }), "Conv with computed weights once (first: /conv/Conv)"},
      {"a convolution along a line", withWeights({4, 3, 3}), "Conv in 1 dimensions once"},
      {"a line break in a name", with([](auto& m) { conv(m).set_op_type("No\nSuch"); }), "No_Such once"},
      {"a foreign domain", with([](auto& m) { conv(m).set_domain("com.example"); }), "com.example.Conv once"},
      {"weights that do not fit", with([](auto& m) { m.model.mutable_graph()->mutable_initializer(1)->set_dims(1, 5); }), "take 5 numbers, but its input [1, 4] has 4"},
      {"scores that are an image", with([](auto& m) { m.model.mutable_graph()->mutable_output(0)->set_name("y"); }), "is not one score for each class"},
      {"a softmax in the middle", with([](auto& m) { m.node("Softmax", {"scores"}, "p"); m.node("Relu", {"p"}, "q"); m.model.mutable_graph()->mutable_output(0)->set_name("q"); }),
       "Softmax that is not at the end once"},
      {"an index beyond its list", with([](auto& m) {
         m.index("nine", 9);
         m.node("Shape", {"y"}, "s");
         m.node("Gather", {"s", "nine"}, "g");
         m.node("Reshape", {"scores", "g"}, "r");
         m.model.mutable_graph()->mutable_output(0)->set_name("r");
       }), "index 9 is outside"},
      {"a division by zero", with([](auto& m) {
         m.index("zero", 0);
         m.node("Shape", {"y"}, "s");
         m.node("Div", {"s", "zero"}, "d");
         m.node("Reshape", {"scores", "d"}, "r");
         m.model.mutable_graph()->mutable_output(0)->set_name("r");
       }), "divides by zero"},
      {"a product that overflows", with([](auto& m) {
         m.index("huge", huge);
         m.node("Shape", {"y"}, "s");
         m.node("Mul", {"s", "huge"}, "d");
         m.node("Reshape", {"scores", "d"}, "r");
         m.model.mutable_graph()->mutable_output(0)->set_name("r");
       }), "overflows"},
  };
}

}  // namespace

class OnnxHostileTest : public QObject {
  Q_OBJECT
 private slots:
  void aModelThatCannotBeSaysWhyInOneLine_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("says");
    for (const Case& c : cases()) QTest::newRow(c.name) << QByteArray::fromStdString(c.model.bytes()) << QByteArray(c.says);
  }
  void aModelThatCannotBeSaysWhyInOneLine() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, says);
    const auto graph = parseOnnx(bytes.toStdString(), "net.onnx");
    QVERIFY(!graph.has_value());
    const std::string& message = graph.error().message;
    QVERIFY2(message.starts_with("net.onnx: ") && message.find(says.constData()) != std::string::npos, message.c_str());
    QVERIFY2(message.find('\n') == std::string::npos, message.c_str());
    QCOMPARE(graph.error().kind, ErrorKind::BadInput);
  }

  void theGoodModelIsGood() { QVERIFY(good().read().has_value()); }

  void allUnplannedOperatorsAreNamedAtOnce() {
    ModelBuilder m;
    m.input("x", {-1, 3, 8, 8});
    m.node("Erf", {"x"}, "a").called("/gelu/Erf");
    m.node("Resize", {"a"}, "b").called("/up/Resize");
    m.node("Erf", {"b"}, "c");
    m.node("Relu", {"c"}, "d");   // could be planned: not named
    const auto graph = m.output("d").read();
    QVERIFY(!graph.has_value());
    QCOMPARE(graph.error().message, std::string("net.onnx: cannot be planned: Erf 2 times (first: /gelu/Erf), Resize once (first: /up/Resize); what can be is listed in resources/docs/onnx.md"));
  }

  void everyCutOfAFileIsAnErrorOrAModel() {
    const std::string whole = good().bytes();
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const auto graph = parseOnnx(std::string_view(whole).substr(0, size), "net.onnx");
      if (!graph) QVERIFY(graph.error().message.starts_with("net.onnx: ") && graph.error().message.find('\n') == std::string::npos);
    }
  }

  void messagesNestedTooDeepAreRefused() {
    // Attributes that hold graphs that hold nodes: each level is two messages deep.
    onnx::NodeProto node;
    for (int depth = 0; depth < 200; ++depth) {
      onnx::NodeProto outer;
      auto& attribute = *outer.add_attribute();
      attribute.set_name("body");
      *attribute.mutable_g()->add_node() = node;
      node = outer;
    }
    ModelBuilder m = good();
    conv(m).MergeFrom(node);
    const auto graph = m.read();
    QVERIFY(!graph.has_value());
    QVERIFY2(graph.error().message.find("does not parse") != std::string::npos, graph.error().message.c_str());
  }

  void whatIsNoFileIsRefusedAtOnce() {
    const QTemporaryDir folder;
    const auto path = [&](const char* name) { return std::filesystem::path(folder.filePath(name).toStdString()); };
    const auto says = [&](const char* name, const char* text) {
      const auto graph = readOnnx(path(name));
      return !graph && graph.error().message.find(text) != std::string::npos && graph.error().kind == ErrorKind::BadInput;
    };
    std::filesystem::create_directory(path("folder.onnx"));
    QCOMPARE(mkfifo(path("pipe.onnx").c_str(), 0600), 0);
    const auto write = [&](const char* name, const std::string& bytes) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(QByteArray::fromStdString(bytes));
    };
    write("empty.onnx", "");
    write("text.onnx", "this is no model\n");
    write("good.onnx", good().bytes());
    QVERIFY(says("missing.onnx", "no such file"));
    QVERIFY(says("folder.onnx", "is a folder"));
    QVERIFY(says("pipe.onnx", "is not a regular file"));
    QVERIFY(says("empty.onnx", "is empty"));
    QVERIFY(says("text.onnx", "not an ONNX model"));
    QVERIFY(says("text.onnx/x.onnx", "x.onnx"));
    QVERIFY(readOnnx(path("good.onnx")).has_value());
  }

  void manyNodesOfOneNameTakeTheirTime() {
    ModelBuilder m;
    m.input("x", {-1, 3, 8, 8});
    std::string last = "x";
    for (int i = 0; i < 20'000; ++i) {
      const std::string next = "v" + std::to_string(i);
      m.node("Relu", {last}, next).called("relu");
      last = next;
    }
    QCOMPARE(m.classifier(last, 3).read()->layers.size(), 20'000 + 4);
  }
};

PEAKSCOPE_TEST(OnnxHostileTest)
#include "onnx_hostile_test.moc"
