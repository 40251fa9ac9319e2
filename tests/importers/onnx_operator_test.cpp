// SPDX-License-Identifier: Apache-2.0
//
// Operators of CNNs, each in a small model: what layers they become, with which shapes and parameters.
#include "engine/lowering.h"
#include "tests/importers/model_builder.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

/// An 8 x 8 image of 6 channels.
ModelBuilder image(std::int64_t opset = 20) {
  ModelBuilder m(opset);
  m.input("x", {-1, 6, 8, 8});
  return m;
}

Graph readGood(const ModelBuilder& m) {
  auto graph = m.read();
  if (!graph) qFatal("%s", graph.error().message.c_str());
  return std::move(*graph);
}

template <class Params>
const Params& paramsOf(const Graph& graph, const std::string& name) {
  return std::get<Params>(layerOf(graph, name).layer->params);
}

const Op& opOf(const Workload& workload, const std::string& name) {
  for (const OpId id : idsOf(workload.ops))
    if (opName(workload, id) == name) return workload.ops[id];
  qFatal("no op %s", name.c_str());
}

bool readsIn(const Workload& workload, const Op& op, const std::string& tensor) {
  return std::any_of(op.args.begin(), op.args.end(), [&](const OpArg& arg) { return readsTensor(arg.access) && workload.tensors[arg.tensor].name == tensor; });
}

}  // namespace

class OnnxOperatorTest : public QObject {
  Q_OBJECT
 private slots:
  void aConvolutionHasGroupsStridesAndDilations() {
    ModelBuilder m = image();
    m.parameter("w", {12, 3, 3, 5}).parameter("b", {12});
    m.node("Conv", {"x", "w", "b"}, "y").integer("group", 2).ints("strides", {2, 1}).ints("dilations", {1, 2}).ints("pads", {1, 4, 1, 4});
    const Graph graph = readGood(m.classifier("y", 12));
    QCOMPARE(paramsOf<ConvParams>(graph, "y"), (ConvParams{.outChannels = 12, .kernelH = 3, .kernelW = 5, .strideH = 2, .strideW = 1, .padH = 1, .padW = 4, .dilationH = 1,
                                                           .dilationW = 2, .groups = 2, .hasBias = true}));
    QCOMPARE(layerOf(graph, "y").shape, std::string("1x12x4x8"));
  }

  void paddingThatDiffersBetweenSidesIsALayerInFront() {
    ModelBuilder m = image();
    m.parameter("w", {4, 6, 3, 3});
    m.node("Conv", {"x", "w"}, "y").ints("pads", {0, 1, 1, 2}).ints("strides", {2, 2});
    const Graph graph = readGood(m.classifier("y", 4));
    QCOMPARE(paramsOf<ImagePadParams>(graph, "x.pad"), (ImagePadParams{0, 1, 1, 2}));
    QCOMPARE(layerOf(graph, "x.pad").shape, std::string("1x6x9x11"));
    QCOMPARE(layerOf(graph, "y").shape, std::string("1x4x4x5"));
  }

  void samePaddingFollowsTheImage() {
    ModelBuilder m = image();
    m.parameter("w", {4, 6, 3, 3});
    m.node("Conv", {"x", "w"}, "y").text("auto_pad", "SAME_UPPER").ints("strides", {2, 2});
    const Graph graph = readGood(m.classifier("y", 4));
    QCOMPARE(paramsOf<ImagePadParams>(graph, "x.pad"), (ImagePadParams{0, 0, 1, 1}));
    QCOMPARE(layerOf(graph, "y").shape, std::string("1x4x4x4"));
  }

  void poolsRoundAsTheFileSays() {
    for (const std::int64_t roundsUp : {0, 1}) {
      ModelBuilder m = image();
      m.node("MaxPool", {"x"}, "y").ints("kernel_shape", {3, 3}).ints("strides", {2, 2}).integer("ceil_mode", roundsUp);
      QCOMPARE(layerOf(readGood(m.classifier("y", 6)), "y").shape, std::string(roundsUp == 1 ? "1x6x4x4" : "1x6x3x3"));
    }
    ModelBuilder m = image();
    m.node("AveragePool", {"x"}, "y").ints("kernel_shape", {2, 2}).ints("pads", {1, 1, 1, 1}).integer("count_include_pad", 1);
    const Graph graph = readGood(m.classifier("y", 6));
    QCOMPARE(paramsOf<PoolParams>(graph, "y").mode, PoolParams::Mode::AverageIncludingPadding);
    QCOMPARE(paramsOf<PoolParams>(graph, "y").strideH, std::int64_t{1});   // ONNX's default, not the kernel
    QCOMPARE(layerOf(graph, "y").shape, std::string("1x6x9x9"));
  }

  void aMeanOverHeightAndWidthIsAGlobalAverage_data() {
    QTest::addColumn<bool>("hasAxesAsInput");
    QTest::newRow("attribute") << false;
    QTest::newRow("input") << true;
  }
  void aMeanOverHeightAndWidthIsAGlobalAverage() {
    QFETCH(bool, hasAxesAsInput);
    ModelBuilder m = image(hasAxesAsInput ? 18 : 13);
    m.parameter("w", {10, 6}).integers("axes", {-1, 2});
    if (hasAxesAsInput) m.node("ReduceMean", {"x", "axes"}, "mean").integer("keepdims", 0);
    else m.node("ReduceMean", {"x"}, "mean").integer("keepdims", 0).ints("axes", {2, -1});
    m.node("Gemm", {"mean", "w"}, "scores").integer("transB", 1);
    const Graph graph = readGood(m.output("scores"));
    QCOMPARE(typesOf(graph), std::string("data pool fc softmax"));
    QVERIFY(paramsOf<PoolParams>(graph, "mean").isGlobal);
  }

  void aProductWithWeightsAndASumAreOneFullyConnectedLayer() {
    ModelBuilder m;
    m.input("x", {-1, 20}).parameter("w", {20, 10}).parameter("b", {10});
    m.node("MatMul", {"x", "w"}, "product").called("/head/MatMul");
    m.node("Add", {"product", "b"}, "scores");
    const Graph graph = readGood(m.output("scores"));
    QCOMPARE(typesOf(graph), std::string("data fc softmax"));
    QCOMPARE(paramsOf<FcParams>(graph, "head"), (FcParams{.outChannels = 10, .hasBias = true, .inElements = 20}));
  }

  void weightsMayBeTurnedRoundByANode() {
    ModelBuilder m;
    m.input("x", {-1, 20}).parameter("w", {10, 20});
    m.node("Transpose", {"w"}, "turned").ints("perm", {1, 0});
    m.node("MatMul", {"x", "turned"}, "scores");
    QCOMPARE(paramsOf<FcParams>(readGood(m.output("scores")), "scores").inElements, std::int64_t{20});
  }

  void aValueReadTwiceGetsAForkInTheOrderOfItsReaders() {
    ModelBuilder m = image();
    m.parameter("w", {6, 6, 3, 3});
    m.node("Conv", {"x", "w"}, "y").ints("pads", {1, 1, 1, 1});
    m.node("Add", {"y", "x"}, "sum");
    const Graph graph = readGood(m.classifier("sum", 6));
    QCOMPARE(typesOf(graph), std::string("data fork conv join pool fc softmax"));
    const Layer& fork = *layerOf(graph, "x.fork").layer;
    QCOMPARE(graph.layers[fork.consumers[0]].name, std::string("y"));
    QCOMPARE(graph.layers[fork.consumers[1]].name, std::string("sum"));
  }

  void aGateIsAProductThatRepeatsOneInput() {
    ModelBuilder m = image();
    m.parameter("w", {6, 6, 1, 1}).parameter("v", {6, 6, 1, 1});
    m.node("Conv", {"x", "v"}, "features");
    m.node("GlobalAveragePool", {"features"}, "squeeze");
    m.node("Conv", {"squeeze", "w"}, "excite");
    m.node("HardSigmoid", {"excite"}, "gate");
    m.node("Mul", {"gate", "features"}, "gated");
    const Graph graph = readGood(m.classifier("gated", 6));
    QCOMPARE(layerOf(graph, "gated").shape, std::string("1x6x8x8"));
    IdealLibrary library;
    const Workload workload = lower(graph, 4, LoweringOptions::lean(), library).workload;
    const Op& backward = opOf(workload, "gated backward");
    QVERIFY(readsIn(workload, backward, "features.out"));
    QVERIFY(readsIn(workload, backward, "excite.out"));   // the gate ran in place
    std::vector<Bytes> gradients;
    for (const OpArg& arg : backward.args)
      if (arg.role == ArgRole::DiffSrc) gradients.push_back(workload.tensors[arg.tensor].bytes);
    QCOMPARE(gradients, (std::vector{Bytes{4 * 6 * 4}, Bytes{4 * 6 * 64 * 4}}));
  }

  void activationsKeepWhatTheirBackwardReads_data() {
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("readsInput");
    QTest::addColumn<bool>("readsOutput");
    struct Row {
      const char *op, *type;
      bool readsInput, readsOutput;
    };
    for (const Row& row : {Row{"Relu", "relu", false, true}, Row{"Sigmoid", "sigmoid", false, true}, Row{"Tanh", "tanh", false, true}, Row{"HardSigmoid", "hardsigmoid", false, true},
                           Row{"HardSwish", "hardswish", true, false}, Row{"Gelu", "gelu", true, false}, Row{"Elu", "elu", false, true}, Row{"Clip", "clip", false, true}})
      QTest::newRow(row.op) << row.op << row.type << row.readsInput << row.readsOutput;
  }
  void activationsKeepWhatTheirBackwardReads() {
    QFETCH(QString, op);
    QFETCH(QString, type);
    QFETCH(bool, readsInput);
    QFETCH(bool, readsOutput);
    ModelBuilder m = image();
    m.parameter("w", {6, 6, 3, 3}).number("least", 0).number("most", 6);
    // A pool in front: its output is no checkpoint, so that nothing runs in place.
    m.node("Conv", {"x", "w"}, "y");
    m.node("MaxPool", {"y"}, "pooled").ints("kernel_shape", {2, 2});
    const bool isClip = op == QLatin1String("Clip");
    m.node(op.toStdString(), isClip ? std::vector<std::string>{"pooled", "least", "most"} : std::vector<std::string>{"pooled"}, "z");
    const Graph graph = readGood(m.classifier("z", 6));
    QCOMPARE(layerOf(graph, "z").type, type.toStdString());
    IdealLibrary library;
    const Workload workload = lower(graph, 4, LoweringOptions::lean(), library).workload;
    const Op& backward = opOf(workload, "z backward");
    QCOMPARE(readsIn(workload, backward, "pooled.out"), readsInput);
    QCOMPARE(readsIn(workload, backward, "z.out"), readsOutput);
  }

  void aClipWithoutAnUpperEndIsARelu() {
    ModelBuilder m = image(10);
    m.node("Clip", {"x"}, "y").number("min", 0);
    QCOMPARE(layerOf(readGood(m.classifier("y", 6)), "y").type, std::string("relu"));
  }

  void channelsAreSlicedShuffledAndPutTogether() {
    ModelBuilder m = image();
    m.integers("zero", {0}).integers("three", {3}).integers("six", {6}).integers("axis", {1});
    m.node("Slice", {"x", "zero", "three", "axis"}, "left");
    m.node("Slice", {"x", "three", "six", "axis"}, "right");
    m.parameter("w", {3, 3, 1, 1});
    m.node("Conv", {"right", "w"}, "y");
    m.node("Concat", {"left", "y"}, "both").integer("axis", 1);
    m.integers("groups", {0, 2, 3, 8, 8}).integers("image", {0, -1, 8, 8});
    m.node("Reshape", {"both", "groups"}, "grouped");
    m.node("Transpose", {"grouped"}, "exchanged").ints("perm", {0, 2, 1, 3, 4});
    m.node("Reshape", {"exchanged", "image"}, "shuffled");
    const Graph graph = readGood(m.classifier("shuffled", 6));
    QCOMPARE(typesOf(graph), std::string("data fork slice slice conv concat shuffle pool fc softmax"));
    QCOMPARE(paramsOf<ChannelSliceParams>(graph, "right"), (ChannelSliceParams{3, 3}));
    QCOMPARE(paramsOf<ChannelShuffleParams>(graph, "shuffled").groups, std::int64_t{2});
  }

  void aSplitIsASliceForEachPartThatIsRead() {
    ModelBuilder m = image();
    m.node("Split", {"x"}, "a").integer("axis", 1).writes("b").writes("c");
    m.node("Add", {"a", "c"}, "sum");
    QCOMPARE(typesOf(readGood(m.classifier("sum", 2))), std::string("data fork slice slice join pool fc softmax"));
  }

  /// x.view(x.size(0), -1), as exporters write it.
  void shapeArithmeticIsFolded() {
    ModelBuilder m = image();
    m.index("zero", 0).integers("rest", {-1}).integers("axes", {0}).parameter("w", {10, 384});
    m.node("Shape", {"x"}, "shape");
    m.node("Gather", {"shape", "zero"}, "count").integer("axis", 0);
    m.node("Unsqueeze", {"count", "axes"}, "list");
    m.node("Concat", {"list", "rest"}, "target").integer("axis", 0);
    m.node("Reshape", {"x", "target"}, "flat");
    m.node("Gemm", {"flat", "w"}, "scores").integer("transB", 1);
    QCOMPARE(typesOf(readGood(m.output("scores"))), std::string("data fc softmax"));
  }

  void aFlattenBeforeDropoutMovesNothing() {
    ModelBuilder m = image();
    m.number("rate", 0.25F).parameter("w", {10, 384});
    m.node("Flatten", {"x"}, "flat");
    m.index("trains", 1);
    m.node("Dropout", {"flat", "rate", "trains"}, "dropped");
    m.node("Gemm", {"dropped", "w"}, "scores").integer("transB", 1);
    const Graph graph = readGood(m.output("scores"));
    QCOMPARE(typesOf(graph), std::string("data dropout fc softmax"));
    QCOMPARE(paramsOf<DropoutParams>(graph, "dropped").rate, 0.25F);
  }

  void normalisingAFlatImageHasAParameterForEachPixel() {
    ModelBuilder m = image();
    m.parameter("w", {10, 384});
    for (const char* name : {"scale", "shift", "mean", "variance"}) m.parameter(name, {384});
    m.node("Flatten", {"x"}, "flat");
    m.node("BatchNormalization", {"flat", "scale", "shift", "mean", "variance"}, "norm").integer("training_mode", 1);
    m.node("Gemm", {"norm", "w"}, "scores").integer("transB", 1);
    const Graph graph = readGood(m.output("scores"));
    QCOMPARE(typesOf(graph), std::string("data flatten batchnorm fc softmax"));
    QCOMPARE(layerOf(graph, "norm").shape, std::string("1x384x1x1"));
  }

  void aSoftmaxAtTheEndIsTheLoss() {
    ModelBuilder m = image();
    m.classifier("x", 6);
    m.model.mutable_graph()->clear_output();
    m.node("Softmax", {"scores"}, "probabilities").integer("axis", 1);
    QCOMPARE(typesOf(readGood(m.output("probabilities"))), std::string("data pool fc softmax"));
  }

  void lrnAndConstantsAreRead() {
    ModelBuilder m = image();
    m.number("two", 2);
    m.node("LRN", {"x"}, "norm").integer("size", 5).number("bias", 2);
    m.node("Div", {"norm", "two"}, "half");
    const Graph graph = readGood(m.classifier("half", 6));
    QCOMPARE(typesOf(graph), std::string("data lrn scale pool fc softmax"));
    QCOMPARE(paramsOf<LrnParams>(graph, "norm").k, 2.0F);
  }

  void padsMayBeNodes() {
    ModelBuilder m = image();
    m.integers("sides", {0, 0, 1, 2, 0, 0, 3, 4}).integers("channels", {0, 1, 0, 0, 0, 2, 0, 0});
    m.node("Pad", {"x", "sides"}, "wide");
    m.node("Pad", {"wide", "channels"}, "deep");
    const Graph graph = readGood(m.classifier("deep", 9));
    QCOMPARE(layerOf(graph, "wide").shape, std::string("1x6x12x14"));
    QCOMPARE(layerOf(graph, "deep").shape, std::string("1x9x12x14"));
  }

  void whatLeadsOnlyToOtherOutputsIsLeftOut() {
    ModelBuilder m = image();
    m.classifier("x", 6);
    m.node("Erf", {"x"}, "other");
    const Graph graph = readGood(m.output("other"));
    QCOMPARE(typesOf(graph), std::string("data pool fc softmax"));
    QVERIFY(graph.remarks.size() == 1 && graph.remarks[0].find("has 2 outputs") != std::string::npos);
  }
};

PEAKSCOPE_TEST(OnnxOperatorTest)
#include "onnx_operator_test.moc"
