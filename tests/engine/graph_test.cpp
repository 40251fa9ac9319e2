// SPDX-License-Identifier: Apache-2.0
//
// Graphs built in code: shapes, routes, and what a graph that is none is told.
#include "engine/graph.h"
#include "tests/engine/sample_lowerings.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

QString errorOf(GraphBuilder& builder) {
  const auto graph = builder.build();
  return graph ? QString("no error") : QString::fromStdString(graph.error().message);
}

std::vector<std::string> namesOf(const Graph& graph, const std::vector<LayerId>& route) {
  std::vector<std::string> names;
  for (const LayerId id : route) names.push_back(graph.layers[id].name);
  return names;
}

/// data -> layer under test -> fc -> softmax
Result<Graph> around(const LayerParams& params, const Shape& image) {
  GraphBuilder b("one");
  LayerId x = b.add("data", DataParams{image, 10}, {});
  x = b.add("it", params, {x});
  x = b.add("fc", FcParams{10}, {x});
  b.add("softmax", SoftmaxLossParams{}, {x});
  return b.build();
}

/// data 4x8x8 -> fork -> { a, b, nothing } -> concat -> ...
std::string shapeOfConcat(const ConvParams& first, const ConvParams& second) {
  GraphBuilder b("concat");
  const LayerId fork = b.add("fork", ForkParams{}, {b.add("data", DataParams{{0, 4, 8, 8}, 10}, {})});
  const LayerId concat = b.add("concat", ConcatParams{}, {b.add("a", first, {fork}), b.add("b", second, {fork}), fork});
  b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{10}, {concat})});
  const auto graph = b.build();
  return graph ? toString(graph->layers[concat].shape) : graph.error().message;
}

}  // namespace

class GraphTest : public QObject {
  Q_OBJECT
 private slots:
  void shapesFollowTheDefinitions() {
    const auto shapeOf = [](const LayerParams& params, const Shape& image) {
      const auto graph = around(params, image);
      return graph ? toString(graph->layers[LayerId{1}].shape) : graph.error().message;
    };
    QCOMPARE(shapeOf(ConvParams{.outChannels = 96, .kernelH = 11, .kernelW = 11, .strideH = 4, .strideW = 4}, {0, 3, 227, 227}), std::string("1x96x55x55"));
    QCOMPARE(shapeOf(ConvParams{.outChannels = 8, .kernelH = 3, .kernelW = 5, .dilationH = 2, .groups = 4}, {0, 4, 9, 9}), std::string("1x8x5x5"));
    QCOMPARE(shapeOf(PoolParams{.kernelH = 3, .kernelW = 3, .strideH = 2, .strideW = 2}, {0, 64, 112, 112}), std::string("1x64x55x55"));
    QCOMPARE(shapeOf(PoolParams{.kernelH = 3, .kernelW = 3, .strideH = 2, .strideW = 2, .roundsUp = true}, {0, 64, 112, 112}), std::string("1x64x56x56"));
    QCOMPARE(shapeOf(PoolParams{.isGlobal = true}, {0, 64, 7, 5}), std::string("1x64x1x1"));
    QCOMPARE(shapeOf(FlattenParams{}, {0, 3, 4, 5}), std::string("1x60x1x1"));
    QCOMPARE(shapeOf(ChannelPadParams{4, 5}, {0, 16, 2, 2}), std::string("1x25x2x2"));
  }

  void aWindowLargerThanItsInputIsRefused() {
    const auto graph = around(PoolParams{.kernelH = 9, .kernelW = 9}, {0, 3, 8, 8});
    QVERIFY(!graph.has_value());
    QCOMPARE(graph.error().message, std::string("network one: layer it: kernel 9x9 with padding 0x0 does not fit its input 3x8x8"));
  }

  void aConcatHasTheChannelsOfAllItsInputs() {
    QCOMPARE(shapeOfConcat({.outChannels = 2}, {.outChannels = 5}), std::string("1x11x8x8"));   // and the fork's 4
  }

  void aConcatOfOtherHeightsOrWidthsIsRefused() {
    QCOMPARE(shapeOfConcat({.outChannels = 2}, {.outChannels = 5, .strideH = 2}),
             std::string("network concat: layer concat: its inputs 2x8x8 and 5x4x8 differ in height or width; only channels are concatenated"));
    QCOMPARE(shapeOfConcat({.outChannels = 2}, {.outChannels = 5, .kernelW = 2}),
             std::string("network concat: layer concat: its inputs 2x8x8 and 5x8x7 differ in height or width; only channels are concatenated"));
  }

  void aConcatOfMoreChannelsThanTheLimitIsRefused() {
    GraphBuilder b("wide");
    const LayerId fork = b.add("fork", ForkParams{}, {b.add("data", DataParams{{0, 1 << 24, 1, 1}, 1}, {})});
    const LayerId concat = b.add("concat", ConcatParams{}, {fork, fork, fork});
    b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{1}, {concat})});
    QCOMPARE(errorOf(b), "network wide: layer concat: 50331648 channels are more than the limit");
  }

  void branchesRunLastToFirst() {
    GraphBuilder b("diamond");
    const LayerId data = b.add("data", DataParams{{0, 4, 8, 8}, 10}, {});
    const LayerId fork = b.add("fork", ForkParams{}, {data});
    const LayerId join = b.add("join", AddParams{}, {});
    for (const char* name : {"a", "b", "c"}) b.connect(b.add(name, ConvParams{.outChannels = 2}, {fork}), join);
    b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{10}, {join})});
    const auto graph = b.build();
    QVERIFY(graph.has_value());
    QCOMPARE(namesOf(*graph, forwardRoute(*graph)), (std::vector<std::string>{"data", "fork", "b", "c", "a", "join", "fc", "softmax"}));
    QCOMPARE(namesOf(*graph, backwardRoute(*graph)), (std::vector<std::string>{"softmax", "fc", "join", "b", "c", "a", "fork", "data"}));
  }

  void routesOfVeryDeepNetworksNeedNoCallStack() {
    GraphBuilder b("deep");
    LayerId x = b.add("data", DataParams{{0, 1, 1, 1}, 1}, {});
    for (int i = 0; i < 200'000; ++i) x = b.add("relu" + std::to_string(i), ReluParams{}, {x});
    b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{1}, {x})});
    const auto graph = b.build();
    QVERIFY(graph.has_value());
    QCOMPARE(forwardRoute(*graph).size(), std::size_t{200'003});
    QCOMPARE(backwardRoute(*graph).size(), std::size_t{200'003});
  }

  void aReaderTooManyAsksForAFork() {
    GraphBuilder b("twice");
    const LayerId data = b.add("data", DataParams{{0, 1, 1, 4}, 2}, {});
    const LayerId one = b.add("one", ReluParams{}, {data});
    const LayerId join = b.add("join", AddParams{}, {one, b.add("two", ReluParams{}, {data})});
    b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{2}, {join})});
    QCOMPARE(errorOf(b), "network twice: layer data: 2 layers read it (one, two); put a fork behind it, one output per reader");
  }

  void aCycleIsNamed() {
    GraphBuilder b("round");
    const LayerId data = b.add("data", DataParams{{0, 1, 1, 4}, 2}, {});
    const LayerId join = b.add("join", AddParams{}, {data});
    const LayerId fork = b.add("fork", ForkParams{}, {b.add("relu", ReluParams{}, {join})});
    b.connect(fork, join);
    b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{2}, {fork})});
    QCOMPARE(errorOf(b), "network round: layer join: is part of a cycle: join -> relu -> fork -> join");
  }

  void anotherInputSizeInfersShapesAgain() {
    const auto larger = withInputSize(sample("alexnet"), 299, 299);
    QVERIFY(larger.has_value());
    QCOMPARE(toString(larger->layers[LayerId{1}].shape), std::string("1x96x73x73"));
    const auto smaller = withInputSize(sample("alexnet"), 20, 20);
    QVERIFY(!smaller.has_value());
    QVERIFY(QString::fromStdString(smaller.error().message).startsWith("network alexnet with input 20x20: layer pool2: kernel 3x3"));
    QVERIFY(!withInputSize(sample("alexnet"), -5, 1'000'000'000'000).has_value());
  }

  void residual32HasDepth32() {
    const Graph graph = sample("residual32");
    int dense = 0;
    for (const Layer& layer : graph.layers) dense += std::holds_alternative<ConvParams>(layer.params) || std::holds_alternative<FcParams>(layer.params) ? 1 : 0;
    QCOMPARE(dense, 32);
  }
};

PEAKSCOPE_TEST(GraphTest)
#include "graph_test.moc"
