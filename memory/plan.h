// SPDX-License-Identifier: Apache-2.0
//
// Plan: one iteration, fully decided. What is allocated where, what runs, what is copied, what waits for what.
// A policy makes it, checkPlan proves it, a backend executes it, folds read its curve. Addresses are in it, so peak and
// fragmentation are known before anything runs.
//
//   for (const PlanStep& step : plan.steps)
//     std::visit(Overloaded{[&](const AllocStep& s) { ... }, [&](const RunStep& s) { ... }, ...}, step.action);
//
// Note [Lanes]
//   compute   Alloc a | Run conv1 | ........ | Run relu1 | Wait(out 3) | Free a
//   copy-out                      | 3: CopyOut a -------- |
// Each lane keeps its own order; lanes are joined only by Wait steps. Alloc and Free belong to the compute lane: a Free
// takes effect when compute gets there. A copy starts when its lane has passed the Waits before it. An iteration starts
// when every lane has finished the previous one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "memory/bytes.h"
#include "memory/ids.h"
#include "memory/policy_options.h"
#include "memory/workload.h"

namespace peakscope {

enum class Lane : std::uint8_t { Compute, CopyOut, CopyIn };
inline constexpr int laneCount = 3;
[[nodiscard]] const char* toString(Lane lane);

/// Device bytes [offset, offset + slot of the tensor) become the tensor's, with unknown content.
struct AllocStep {
  TensorId tensor;
  Bytes offset;
  friend bool operator==(const AllocStep&, const AllocStep&) = default;
};
/// Device bytes of the tensor become free; its content is gone.
struct FreeStep {
  TensorId tensor;
  friend bool operator==(const FreeStep&, const FreeStep&) = default;
};
/// Runs an op (on compute; a Load op on copy-in). Its workspace lives for just this step.
struct RunStep {
  OpId op;
  std::int32_t candidate = 0;
  Bytes workspaceOffset;  ///< meaningless if the candidate takes no workspace
  friend bool operator==(const RunStep&, const RunStep&) = default;
};
struct CopyOutStep {
  TensorId tensor;
  Bytes hostOffset;
  friend bool operator==(const CopyOutStep&, const CopyOutStep&) = default;
};
struct CopyInStep {
  TensorId tensor;
  Bytes hostOffset;
  friend bool operator==(const CopyInStep&, const CopyInStep&) = default;
};
/// `lane` does not go on until step `on`, earlier in the plan and of another lane, has finished.
struct WaitStep {
  Lane lane = Lane::Compute;
  PlanStepId on;
  friend bool operator==(const WaitStep&, const WaitStep&) = default;
};
using PlanAction = std::variant<AllocStep, FreeStep, RunStep, CopyOutStep, CopyInStep, WaitStep>;

/// Why a step is in the plan; `op` is the route op that made it necessary.
enum class CauseKind : std::uint8_t {
  Route,            ///< the op itself
  KeepAll,          ///< everything lives for the whole iteration
  FirstUse, LastUse,
  DroppedForRecompute, RebuiltFor, DroppedWhileRebuilding,
  Offloaded, PrefetchedAt, FetchedFor,
  InputBatch,
  Evicted,          ///< left the tensor cache to make room for `op`
  WrittenBack,      ///< lives on the host and was changed by `op`
};
struct Cause {
  CauseKind kind = CauseKind::Route;
  OpId op;
  friend bool operator==(const Cause&, const Cause&) = default;
};
/// "prefetched at conv2 backward"
[[nodiscard]] std::string describe(const Cause& cause, const Workload& workload);

struct PlanStep {
  PlanAction action;
  PaperStep paperStep = 0;   ///< of the route op in whose slot this step stands
  Cause cause;
  friend bool operator==(const PlanStep&, const PlanStep&) = default;
};

/// The chain of cheap layers behind one checkpoint output, and how it is rebuilt.
struct Segment {
  TensorId checkpoint;
  std::vector<LayerId> layers;
  Bytes cost;                       ///< sum over its layers of input + output bytes
  RecomputeMode mode = RecomputeMode::Speed;
  friend bool operator==(const Segment&, const Segment&) = default;
};

/// The largest need of a single layer's backward: the paper's bound for recomputation.
struct LayerPeak {
  Bytes bytes;                      ///< counts what the paper's code counts twice (see Op::duplicateNeed)
  LayerId layer;
  Bytes distinctBytes;
  LayerId distinctLayer;
  friend bool operator==(const LayerPeak&, const LayerPeak&) = default;
};

struct Plan {
  PolicyOptions options;
  std::vector<PlanStep> steps;
  IdVector<TensorId, Bytes> persistentOffsets;  ///< offset of each persistent tensor; the same for every plan of a workload
  Bytes persistentBytes;                        ///< the persistent region is [0, persistentBytes) of the arena
  Bytes arenaBytes;                             ///< extent of all slots, persistent and transient
  IdVector<TensorId, Bytes> hostHomes;          ///< host offset of each tensor that lives there; empty if none does
  Bytes hostHomeBytes;                          ///< they take [0, hostHomeBytes) of the host region, the same in every plan
  Bytes hostBytes;                              ///< extent of the host region: what lives there and what is offloaded
  Bytes alignment{256};                         ///< of every slot
  std::vector<Segment> segments;                ///< empty unless recompute is on
  LayerPeak lPeak;
  std::int32_t extraForwards = 0;

  friend bool operator==(const Plan&, const Plan&) = default;
};

[[nodiscard]] Lane laneOf(const PlanAction& action, const Workload& workload);

/// Helper for std::visit over PlanAction and other variants.
template <class... Fs>
struct Overloaded : Fs... { using Fs::operator()...; };
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace peakscope
