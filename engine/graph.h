// SPDX-License-Identifier: Apache-2.0
//
// Graph: the network as a typed DAG with inferred shapes. It knows nothing of memory or batches of work in flight.
//
//   GraphBuilder b("tiny");
//   auto x = b.add("data", DataParams{{3, 32, 32}, 10}, {});
//   x = b.add("conv1", ConvParams{.outChannels = 16, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1}, {x});
//   x = b.add("fc", FcParams{10}, {x});
//   b.add("softmax", SoftmaxLossParams{}, {x});
//   Result<Graph> graph = b.build();          // checks arity, cycles, shapes
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/shape.h"
#include "memory/ids.h"
#include "memory/result.h"

namespace peakscope::engine {

/// Source of images and labels; `shape.n` is ignored, the batch comes from the lowering.
struct DataParams {
  Shape shape{0, 1, 28, 28};
  std::int64_t classes = 10;
  friend bool operator==(const DataParams&, const DataParams&) = default;
};
struct ConvParams {
  std::int64_t outChannels = 0;
  std::int64_t kernelH = 1, kernelW = 1;
  std::int64_t strideH = 1, strideW = 1;
  std::int64_t padH = 0, padW = 0;
  std::int64_t dilationH = 1, dilationW = 1;
  std::int64_t groups = 1;
  bool hasBias = true;
  friend bool operator==(const ConvParams&, const ConvParams&) = default;
};
struct FcParams {
  std::int64_t outChannels = 0;
  bool hasBias = true;
  std::int64_t inElements = 0;  ///< what its weights take for each output, where a model file says so; 0: whatever comes
  friend bool operator==(const FcParams&, const FcParams&) = default;
};
struct PoolParams {
  enum class Mode : std::uint8_t { Max, Average, AverageIncludingPadding } mode = Mode::Max;
  std::int64_t kernelH = 2, kernelW = 2;
  std::int64_t strideH = 2, strideW = 2;
  std::int64_t padH = 0, padW = 0;
  bool isGlobal = false;        ///< kernel = the whole input
  bool roundsUp = false;        ///< ceil instead of floor for the output side
  friend bool operator==(const PoolParams&, const PoolParams&) = default;
};
struct ReluParams {
  friend bool operator==(const ReluParams&, const ReluParams&) = default;
};
struct LrnParams {
  std::int64_t size = 5;
  float alpha = 1e-4F, beta = 0.75F, k = 1.0F;   ///< y = x / (k + alpha/size * sum x^2)^beta
  friend bool operator==(const LrnParams&, const LrnParams&) = default;
};
struct BatchNormParams {
  float epsilon = 1e-3F;
  float momentum = 0.1F;        ///< running = (1 - momentum) * running + momentum * batch
  bool isPerActivation = false;  ///< statistics, scale and shift for each element of an image, not for each channel
  /// Elements of scale, of shift and of each statistic.
  [[nodiscard]] std::int64_t parameterElements(const Shape& in) const { return isPerActivation ? in.c * in.h * in.w : in.c; }
  friend bool operator==(const BatchNormParams&, const BatchNormParams&) = default;
};
struct DropoutParams {
  float rate = 0.5F;            ///< share of elements set to zero; the rest is scaled by 1 / (1 - rate)
  friend bool operator==(const DropoutParams&, const DropoutParams&) = default;
};
/// Softmax with cross entropy, mean over the batch.
struct SoftmaxLossParams {
  friend bool operator==(const SoftmaxLossParams&, const SoftmaxLossParams&) = default;
};
/// Sum of all inputs.
struct AddParams {
  friend bool operator==(const AddParams&, const AddParams&) = default;
};
/// All inputs one behind the other along the channels, image by image.
struct ConcatParams {
  friend bool operator==(const ConcatParams&, const ConcatParams&) = default;
};
/// One input, one output per consumer, in the order in which consumers are connected.
struct ForkParams {
  friend bool operator==(const ForkParams&, const ForkParams&) = default;
};
/// N x C x H x W to N x CHW x 1 x 1; a view in the paper's counting, since fully connected layers flatten by themselves.
struct FlattenParams {
  friend bool operator==(const FlattenParams&, const FlattenParams&) = default;
};
/// Zero channels in front of and behind the input's (the shortcut of CIFAR residual nets).
struct ChannelPadParams {
  std::int64_t before = 0, after = 0;
  friend bool operator==(const ChannelPadParams&, const ChannelPadParams&) = default;
};

/// A function of each element by itself. What its backward reads decides how long tensors live: see readsSrc, readsDst.
struct ActivationParams {
  enum class Kind : std::uint8_t {
    Clip, Sigmoid, HardSigmoid, Tanh, LeakyRelu, Elu, Softplus,   // backward reads y
    HardSwish, Gelu, Mish,                                        // backward reads x
    Scale,                                                        // by a constant, plus a constant: backward reads neither
  } kind = Kind::Clip;

  [[nodiscard]] constexpr bool readsSrc() const { return kind >= Kind::HardSwish && kind < Kind::Scale; }
  [[nodiscard]] constexpr bool readsDst() const { return kind < Kind::HardSwish; }
  friend bool operator==(const ActivationParams&, const ActivationParams&) = default;
};
/// Product of two inputs, element by element; a side of 1 is repeated (the gate of squeeze-and-excite is C x 1 x 1).
struct MulParams {
  friend bool operator==(const MulParams&, const MulParams&) = default;
};
/// Zeros around each channel, each side by itself.
struct ImagePadParams {
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
  friend bool operator==(const ImagePadParams&, const ImagePadParams&) = default;
};
/// Some of the channels, one behind the other.
struct ChannelSliceParams {
  std::int64_t begin = 0, channels = 1;
  friend bool operator==(const ChannelSliceParams&, const ChannelSliceParams&) = default;
};
/// Channels dealt out like cards: channel k of group g becomes channel g of k.
struct ChannelShuffleParams {
  std::int64_t groups = 1;
  friend bool operator==(const ChannelShuffleParams&, const ChannelShuffleParams&) = default;
};

using LayerParams = std::variant<DataParams, ConvParams, FcParams, PoolParams, ReluParams, LrnParams, BatchNormParams,
                                 DropoutParams, SoftmaxLossParams, AddParams, ConcatParams, ForkParams, FlattenParams,
                                 ChannelPadParams, ActivationParams, MulParams, ImagePadParams, ChannelSliceParams,
                                 ChannelShuffleParams>;
/// Layers of imported models that lowering describes to the byte and that no backend computes yet.
template <class Params>
concept PlannedOnly = std::is_same_v<Params, ActivationParams> || std::is_same_v<Params, MulParams> ||
                      std::is_same_v<Params, ImagePadParams> || std::is_same_v<Params, ChannelSliceParams> ||
                      std::is_same_v<Params, ChannelShuffleParams>;

/// The name of the type in network files and tables: "data", "conv", "fc", "pool", "relu", "lrn", "batchnorm",
/// "dropout", "softmax", "join", "concat", "fork", "flatten", "pad"; in tables also the PlannedOnly ones: "clip",
/// "sigmoid" and so on for activations, "mul", "imagepad", "slice", "shuffle".
[[nodiscard]] const char* typeName(const LayerParams& params);

struct Layer {
  std::string name;
  LayerParams params;
  std::vector<LayerId> inputs;       ///< input 0 first
  std::vector<LayerId> consumers;    ///< in the order of connection; a fork's branch k feeds consumers[k]
  Shape shape;                       ///< of one output, for one image (n = 1)
};

struct Solver {
  enum class Kind : std::uint8_t { Sgd, Momentum, Nesterov } kind = Kind::Momentum;
  float learningRate = 0.01F;
  float momentum = 0.9F;
  float weightDecay = 0.0F;          ///< on weights and BN scale, not on biases
  struct Drop { std::int64_t iteration; float learningRate; };
  std::vector<Drop> schedule;        ///< from that iteration on, this rate
};
struct WeightInit {
  enum class Kind : std::uint8_t { Xavier, He, Gaussian } kind = Kind::He;
  float stddev = 0.01F;              ///< for Gaussian
};

/// The largest batch that a lowering takes: with the limits that build() checks, no sum of bytes overflows.
inline constexpr std::int64_t maxBatch = std::int64_t{1} << 20;

/// Layers are stored in creation order: inputs may come later (a join is created before its branches).
struct Graph {
  std::string name;
  IdVector<LayerId, Layer> layers;
  std::int64_t defaultBatch = 100;
  Solver solver;
  WeightInit init;
  std::string dataSet;               ///< "fashion-mnist" or empty: synthetic
  std::string planOnly;              ///< why it can be planned but not trained, one line; empty: it can be trained
  std::vector<std::string> remarks;  ///< what a reader of its file should know, one line each

  [[nodiscard]] LayerId dataLayer() const;
  [[nodiscard]] LayerId lossLayer() const;
};

class GraphBuilder {
 public:
  explicit GraphBuilder(std::string name) { m_graph.name = std::move(name); }

  LayerId add(std::string name, LayerParams params, std::vector<LayerId> inputs);
  /// For layers created before their inputs: appends one more input.
  void connect(LayerId from, LayerId to);
  Graph& settings() { return m_graph; }   ///< batch, solver, data set

  /// Checks names, arity, that more than one consumer goes through a fork, cycles, one data and one loss layer, and
  /// infers shapes. Errors name the layer and the shapes.
  [[nodiscard]] Result<Graph> build();

 private:
  Graph m_graph;
};

/// The paper's route: depth first from the data layer, a layer runs when all its inputs have arrived, a fork's branches
/// 1..k-1 before branch 0. Iterative.
[[nodiscard]] std::vector<LayerId> forwardRoute(const Graph& graph);
/// The same walk from the loss over inputs, input 0 last. Not always the reverse of forwardRoute.
[[nodiscard]] std::vector<LayerId> backwardRoute(const Graph& graph);
/// The same network for another input size (shapes inferred again), as `--input HxW` asks.
[[nodiscard]] Result<Graph> withInputSize(Graph graph, std::int64_t height, std::int64_t width);

}  // namespace peakscope::engine
