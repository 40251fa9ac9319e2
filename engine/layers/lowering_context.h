// SPDX-License-Identifier: Apache-2.0
//
// LoweringContext: what the rules of the layer families work with while one iteration is written. A rule reads the
// layer's values and gradients here, adds tensors and ops, and hands its results on.
//
//   void lowerForward(LoweringContext& c, LayerId layer, const ReluParams&);
//   void lowerBackward(LoweringContext& c, LayerId layer, const ReluParams&);
//
// Note [Whose gradient buffer is it]
// In lean a join hands one gradient tensor to all its inputs, without copies. A layer may change its incoming gradient
// in place only if nobody else still waits for that tensor: takeDiffDst() says who took it last. In paper every branch
// has its own tensor, so the answer is always yes, as the original code assumes.
#pragma once

#include <string>
#include <vector>

#include "engine/lowering.h"

namespace peakscope::engine {

class LoweringContext {
 public:
  struct LayerState {
    std::vector<TensorId> outputs;   ///< one per consumer; all the same tensor unless the layer is a fork with copies
    std::vector<TensorId> diffDsts;  ///< what consumer k's backward left for this layer
    TensorId weights, bias, diffWeights, diffBias, momentum, biasMomentum, runningMean, runningVariance;
    TensorId mean, variance, saved;
    bool needsGradient = false;
    bool isFused = false;    ///< a ReLU that runs inside the batch norm before it
    bool isInPlace = false;  ///< forward writes into its input
  };
  /// A gradient that a layer has taken; it may be overwritten if `isExclusive`.
  struct TakenGradient {
    TensorId tensor;
    bool isExclusive = false;
  };
  struct NewTensor {
    std::string name;
    TensorKind kind = TensorKind::Activation;
    LayerId layer;
    TensorDesc desc;
    bool isPersistent = false;
    bool livesOnHost = false;
  };

  LoweringContext(const Graph& graph, std::int64_t batch, const LoweringOptions& options, OpLibrary& library,
                  bool isTraining);

  const Graph& graph;
  const LoweringOptions& options;
  const std::int64_t batch;
  const bool isTraining;
  IdVector<LayerId, LayerState> states;
  TensorId input, labels, loss;

  [[nodiscard]] const Layer& layer(LayerId id) const { return graph.layers[id]; }
  /// Lifetimes follow the lowering, not the library: in paper an op keeps resident what the original code did, read or
  /// not.
  [[nodiscard]] bool hasPaperLifetimes() const { return options.preset == "paper"; }
  [[nodiscard]] bool isClass(LayerId id, LayerClass layerClass) const {
    return result.workload.layers[id].layerClass == layerClass;
  }

  // Tensors.
  [[nodiscard]] TensorDesc activationDesc(const Shape& imageShape) const;
  [[nodiscard]] const TensorDesc& descOf(TensorId tensor) const { return result.tensors[tensor]; }
  TensorId addTensor(NewTensor tensor);
  /// The layer's output tensor "<name>.out"; all consumers read it.
  TensorId addOutput(LayerId layer);
  /// All consumers read `tensor`: a view, or a result written in place.
  void setOutput(LayerId layer, TensorId tensor);
  /// What input `k` of a layer reads.
  [[nodiscard]] TensorId src(LayerId layer, std::size_t k = 0) const;
  [[nodiscard]] TensorId dst(LayerId layer) const { return states[layer].outputs.front(); }

  // Gradients.
  [[nodiscard]] bool needsDiffSrc(LayerId layer, std::size_t k = 0) const {
    return states[graph.layers[layer].inputs[k]].needsGradient;
  }
  TakenGradient takeDiffDst(LayerId layer, std::size_t branch = 0);
  /// A new tensor "<name>.dx<suffix>" for the gradient with respect to input `k`.
  TensorId addDiffSrc(LayerId layer, std::size_t k = 0, const std::string& suffix = {});
  /// The suffix that tells several tensors of one layer apart: a neighbour's number in creation order, from 1.
  [[nodiscard]] static std::string numberOf(LayerId neighbour) { return std::to_string(neighbour.index + 1); }
  /// Hands the gradient with respect to input `k` to the producer.
  void giveDiffSrc(LayerId layer, std::size_t k, TensorId gradient);
  /// The usual end of a rule with its own dx: adds it, hands it on, and appends the arg. Nothing if no dx is needed.
  void addDiffSrcArg(LayerId layer, OpDesc& desc, std::vector<OpArg>& args);
  /// For element-wise layers: dx is dy itself if that is allowed, else its own tensor.
  void addDiffSrcInPlaceArgs(LayerId layer, OpDesc& desc, std::vector<OpArg>& args);

  // Ops.
  [[nodiscard]] OpDesc describe(LayerId layer, Phase phase) const;
  OpId addOp(LayerId layer, OpDesc desc, std::vector<OpArg> args);
  /// How a cheap forward op is re-run.
  void addRebuild(OpId forward, std::vector<OpArg> args);
  /// The tensor for what the library saves in this forward op, and its arg; nothing if it saves nothing.
  void addSaved(LayerId layer, const OpDesc& desc, std::vector<OpArg>& args);
  /// The same tensor as the re-run sees it: written again if saved bytes are dropped and rebuilt, else merely kept.
  void addSavedToRebuild(LayerId layer, std::vector<OpArg>& args) const;

  Lowering result;

 private:
  [[nodiscard]] std::vector<OpCandidate> candidatesOf(const OpDesc& desc);

  OpLibrary& m_library;
  PaperStep m_step = 0;
  IdVector<LayerId, std::vector<std::size_t>> m_branchOfInput;  ///< which consumer of its producer an input is
  IdVector<TensorId, std::int32_t> m_waiting;  ///< layers that a gradient was handed to and that have not taken it
};

/// Weights, bias and what belongs to them; persistent unless the gradients are transient.
void addParameters(LoweringContext& c, LayerId layer);
/// The op that changes a layer's parameters; nothing for layers without.
void addUpdate(LoweringContext& c, LayerId layer);

/// Appends the parameters' gradients to the args of a backward op, as tensors of their own where they are transient.
void addParameterGradientArgs(LoweringContext& c, LayerId layer, std::vector<OpArg>& args);

[[nodiscard]] inline OpArg reads(ArgRole role, TensorId tensor, std::int32_t index = 0) {
  return {role, index, tensor, Access::Read};
}
[[nodiscard]] inline OpArg writes(ArgRole role, TensorId tensor, std::int32_t index = 0) {
  return {role, index, tensor, Access::Write};
}
[[nodiscard]] inline OpArg changes(ArgRole role, TensorId tensor, std::int32_t index = 0) {
  return {role, index, tensor, Access::ReadWrite};
}

}  // namespace peakscope::engine
