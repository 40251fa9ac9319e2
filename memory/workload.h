// SPDX-License-Identifier: Apache-2.0
//
// Workload: one training iteration as the planner sees it. Tensors with bytes, ops with what they touch, and the order
// in which they run. It knows nothing of shapes' meaning, devices or layer maths: engine/lowering.h writes it.
//
//   for (OpId op : workload.route)
//     for (const OpArg& arg : workload.ops[op].args) touch(arg.tensor);
//
//   route:   load  conv1.F  relu1.F ... softmax.F | softmax.B ... conv1.B  update
//   step:      0      1        2           N          N+1          2N       2N
//
// A forward op names its rebuild op, which is in `ops` but not in `route`: it reads what a re-run reads (saved
// statistics included) and writes only what a re-run writes. Recomputation inserts it; nothing else needs to know.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/bytes.h"
#include "memory/ids.h"

namespace peakscope {

enum class TensorKind : std::uint8_t {
  Weight, WeightGrad, OptimizerState, Activation, ActivationGrad, Saved, Workspace, Input, Staging,
};
inline constexpr int tensorKindCount = 9;
[[nodiscard]] const char* toString(TensorKind kind);

/// The paper's number counts layer outputs and data gradients only.
[[nodiscard]] constexpr bool isScheduled(TensorKind kind) {
  return kind == TensorKind::Activation || kind == TensorKind::ActivationGrad;
}

struct Tensor {
  std::string name;                  ///< "conv1.out", "pool1.dx", "conv1.weights"
  TensorKind kind = TensorKind::Activation;
  LayerId layer;                     ///< the layer that owns it
  std::vector<std::int64_t> shape;   ///< N, C, H, W for activations
  Bytes shapeBytes;                  ///< elements x type: what "scheduled" counts
  Bytes bytes;                       ///< what the layout really takes: what "total" counts
  bool isPersistent = false;         ///< lives across iterations, in the persistent region
  bool livesOnHost = false;          ///< lives across iterations at a fixed place of the host region; fetched for its uses

  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// Load fills the input tensors; Rebuild re-runs a forward op; the rest is what the word says.
enum class Phase : std::uint8_t { Load, Forward, Backward, Update, Rebuild };
[[nodiscard]] const char* toString(Phase phase);

/// Index of an op in the route as the paper counts: 1..N forward, N+1..2N backward, the data layer not counted (0).
/// An update op shares the step of the op before it.
using PaperStep = std::int32_t;

enum class Access : std::uint8_t { Read, Write, ReadWrite };
[[nodiscard]] constexpr bool readsTensor(Access a) { return a != Access::Write; }
[[nodiscard]] constexpr bool writesTensor(Access a) { return a != Access::Read; }

/// What a tensor is to the op that touches it, in oneDNN's words. Planning does not look at it; backends do.
enum class ArgRole : std::uint8_t {
  Src, Dst, Weights, Bias, DiffSrc, DiffDst, DiffWeights, DiffBias,
  Mean, Variance, RunningMean, RunningVariance, Saved, Labels, Loss, Momentum, BiasMomentum,
};
[[nodiscard]] const char* toString(ArgRole role);

struct OpArg {
  ArgRole role = ArgRole::Src;
  std::int32_t index = 0;            ///< which input or branch, for roles that occur more than once
  TensorId tensor;
  Access access = Access::Read;

  friend bool operator==(const OpArg&, const OpArg&) = default;
};

/// One implementation of an op and the scratch bytes that it needs while it runs.
struct OpCandidate {
  std::string algorithm;
  Bytes workspace;

  friend bool operator==(const OpCandidate&, const OpCandidate&) = default;
};

struct Op {
  LayerId layer;
  Phase phase = Phase::Forward;
  PaperStep paperStep = 0;
  std::vector<OpArg> args;           ///< everything that must be resident while it runs, needed by the library or not
  std::vector<OpCandidate> candidates;  ///< never empty; the first takes the fewest workspace bytes
  OpId rebuild;                      ///< the op that re-runs this forward op; invalid if it is never re-run
  Bytes duplicateNeed;               ///< bytes that l_peak counts twice (LRN's in-place gradient, as the paper's code does)

  friend bool operator==(const Op&, const Op&) = default;
};

/// What techniques may do with a layer's output. Everything but Cheap is a checkpoint: never dropped and rebuilt.
enum class LayerClass : std::uint8_t { Data, Convolution, FullyConnected, Join, Fork, Concat, Loss, Cheap };
[[nodiscard]] const char* toString(LayerClass layerClass);
[[nodiscard]] constexpr bool isCheckpoint(LayerClass c) { return c != LayerClass::Cheap; }

struct WorkloadLayer {
  std::string name;                  ///< "conv2_1"
  std::string type;                  ///< "conv", for display
  LayerClass layerClass = LayerClass::Cheap;

  friend bool operator==(const WorkloadLayer&, const WorkloadLayer&) = default;
};

struct Workload {
  std::string net;
  std::string lowering;              ///< "paper", "lean", or "lean,relu-in-place=off"
  std::string library;               ///< whose layouts and workspaces are counted: "ideal", "cpu"
  std::int64_t batch = 0;
  bool isTraining = true;            ///< false: forward only, running statistics, no dropout
  IdVector<LayerId, WorkloadLayer> layers;
  IdVector<TensorId, Tensor> tensors;
  IdVector<OpId, Op> ops;
  std::vector<OpId> route;           ///< the order of one iteration; rebuild ops are not in it

  friend bool operator==(const Workload&, const Workload&) = default;
};

/// The largest PaperStep: 2N, or N of a forward-only workload.
[[nodiscard]] PaperStep paperStepCount(const Workload& workload);
/// "pool5 backward"
[[nodiscard]] std::string opName(const Workload& workload, OpId op);

}  // namespace peakscope
