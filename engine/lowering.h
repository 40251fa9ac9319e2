// SPDX-License-Identifier: Apache-2.0
//
// lower: writes one iteration of a graph as a workload. Iterative; 10,000 layers are normal.
//
//   IdealLibrary library;
//   Lowering lowering = lower(graph, 200, LoweringOptions::paper(), library);
//   makePlan({lowering.workload, device, costs}, options);
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/graph.h"
#include "engine/op.h"
#include "engine/op_library.h"
#include "memory/ids.h"
#include "memory/result.h"
#include "memory/workload.h"

namespace peakscope::engine {

/// How a graph becomes tensors. `paper` is the original's counting, `lean` what one would train with today; each option
/// can also be set alone: "paper", "lean", "lean,relu-in-place=off".
struct LoweringOptions {
  std::string preset = "lean";
  bool hasForkCopies = false;        ///< a real output per branch
  bool joinCopies = false;           ///< sum into input 0, then copy to an own output
  bool reluInPlace = true;           ///< forward
  bool fusesBatchNormRelu = true;
  bool computesInputGradient = false;  ///< of the first layer, which nobody uses
  bool updatesInBackward = true;     ///< fused optimizer: each layer updates after its backward; else one update at the end
  bool savesArgmax = true;           ///< max pooling keeps its argmax, so backward needs neither input nor output
  bool rebuildsSaved = true;         ///< saved bytes of rebuilt layers are dropped and rebuilt with them
  bool parametersOnHost = false;     ///< weights and biases live on the host and come to the device for their uses
  bool optimizerOnHost = false;      ///< momentum likewise

  [[nodiscard]] static LoweringOptions paper();
  [[nodiscard]] static LoweringOptions lean();
  [[nodiscard]] static Result<LoweringOptions> parse(std::string_view text);
  /// The canonical text: what parse() reads.
  [[nodiscard]] std::string text() const;
};

struct Lowering {
  Workload workload;
  IdVector<OpId, OpDesc> ops;                 ///< beside workload.ops
  IdVector<TensorId, TensorDesc> tensors;     ///< beside workload.tensors; parameters as n x c x h x w = O, I, kh, kw
};

/// Note [Persistent tensors come first]
/// In both lowerings below, persistent tensors (input, labels, loss, parameters, running statistics, momentum, in the
/// paper preset also weight gradients) have the lowest ids, in layer order, and are the same id by id. Placement puts them
/// in that order, so every plan of a graph, batch and preset has the same persistent region: techniques, budget and
/// evaluation never move a weight. The loss tensor is two floats: sum of losses, hits.
/// Workspaces are not tensors: a Run carries its own (memory/plan.h).

/// One training iteration.
[[nodiscard]] Lowering lower(const Graph& graph, std::int64_t batch, const LoweringOptions& options, OpLibrary& library);
/// Forward only, for evaluation: running statistics, no dropout. Persistent tensors have the same names as in training.
[[nodiscard]] Lowering lowerForEvaluation(const Graph& graph, std::int64_t batch, const LoweringOptions& options, OpLibrary& library);

}  // namespace peakscope::engine
