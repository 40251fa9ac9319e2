// SPDX-License-Identifier: Apache-2.0
//
// The ONNX fuzz target on seeded mutations of small models: bytes changed anywhere, and numbers and names changed inside
// of what still parses.
#include <random>

#include "tests/importers/model_builder.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

ModelBuilder seed() {
  ModelBuilder m(18);
  m.input("x", {-1, 6, 8, 8}).parameter("w", {6, 3, 3, 3}).integers("begin", {0}).integers("end", {3}).integers("axis", {1}).integers("target", {0, 2, 3, 8, 8}).integers("back", {0, 6, 8, 8});
  for (const char* name : {"scale", "shift", "mean", "variance"}) m.parameter(name, {6});
  m.node("Conv", {"x", "w"}, "y").integer("group", 2).ints("pads", {1, 1, 1, 1}).ints("strides", {1, 1});
  m.node("BatchNormalization", {"y", "scale", "shift", "mean", "variance"}, "n").integer("training_mode", 1);
  m.node("Relu", {"n"}, "r");
  m.node("Slice", {"r", "begin", "end", "axis"}, "s");
  m.node("Concat", {"s", "s"}, "c").integer("axis", 1);
  m.node("Reshape", {"c", "target"}, "five");
  m.node("Transpose", {"five"}, "t").ints("perm", {0, 2, 1, 3, 4});
  m.node("Reshape", {"t", "back"}, "b");
  m.node("Mul", {"b", "r"}, "p");
  m.node("MaxPool", {"p"}, "q").ints("kernel_shape", {2, 2}).ints("strides", {2, 2});
  m.node("Dropout", {"q"}, "d");
  return m.classifier("d", 6);
}

void run(const std::string& bytes) { QCOMPARE(LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()), 0); }

}  // namespace

class OnnxFuzzTest : public QObject {
  Q_OBJECT
 private slots:
  void theSeedIsAModel() {
    const auto graph = seed().read();
    QVERIFY2(graph.has_value(), graph ? "" : graph.error().message.c_str());
  }

  void damagedFilesNeverCrashTheReader() {
    const std::string whole = seed().bytes();
    std::mt19937 random(11);
    for (int i = 0; i < 10'000; ++i) {
      std::string bytes = whole;
      for (auto flips = random() % 4; flips > 0; --flips) bytes[random() % bytes.size()] = static_cast<char>(random());
      if (i % 5 == 0) bytes.resize(random() % (bytes.size() + 1));
      run(bytes);
    }
  }

  void changedModelsNeverCrashTheReader() {
    const ModelBuilder whole = seed();
    std::mt19937 random(12);
    constexpr std::int64_t numbers[] = {0, 1, -1, 2, 3, 7, 1 << 16, 1 << 24, std::int64_t{1} << 40, INT64_MAX, INT64_MIN};
    const auto number = [&] { return numbers[random() % std::size(numbers)]; };
    for (int i = 0; i < 10'000; ++i) {
      ModelBuilder m = whole;
      auto& graph = *m.model.mutable_graph();
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        auto& node = *graph.mutable_node(static_cast<int>(random() % static_cast<std::size_t>(graph.node_size())));
        auto& tensor = *graph.mutable_initializer(static_cast<int>(random() % static_cast<std::size_t>(graph.initializer_size())));
        const auto& other = graph.node(static_cast<int>(random() % static_cast<std::size_t>(graph.node_size())));
        switch (random() % 7) {
          case 0:
            if (node.attribute_size() > 0 && node.attribute(0).ints_size() > 0) node.mutable_attribute(0)->set_ints(0, number());
            break;
          case 1:
            if (node.attribute_size() > 0) node.mutable_attribute(0)->set_i(number());
            break;
          case 2:
            if (node.input_size() > 0) node.set_input(static_cast<int>(random() % static_cast<std::size_t>(node.input_size())), other.output(0));
            break;
          case 3: node.set_op_type(other.op_type()); break;
          case 4:
            if (tensor.dims_size() > 0) tensor.set_dims(static_cast<int>(random() % static_cast<std::size_t>(tensor.dims_size())), number());
            break;
          case 5:
            if (tensor.int64_data_size() > 0) tensor.set_int64_data(0, number());
            break;
          default: {
            auto& shape = *graph.mutable_input(0)->mutable_type()->mutable_tensor_type()->mutable_shape();
            shape.mutable_dim(static_cast<int>(random() % static_cast<std::size_t>(shape.dim_size())))->set_dim_value(number());
          }
        }
      }
      run(m.bytes());
    }
  }
};

PEAKSCOPE_TEST(OnnxFuzzTest)
#include "onnx_fuzz_test.moc"
