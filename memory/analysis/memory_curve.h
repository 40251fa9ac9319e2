// SPDX-License-Identifier: Apache-2.0
//
// MemoryCurve: the bytes on the device after each plan step, by kind. The one place where a peak comes from: the plan's
// prediction, the measured run, the window, the report and `plan --json` all fold with this.
//
//   const MemoryCurve predicted = memoryCurve(workload, plan);
//   const MemoryCurve measured  = memoryCurve(workload, plan, deviations);
//   const Peak peak = scheduledPeak(predicted);          // first maximum wins
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "memory/log_record.h"
#include "memory/plan.h"
#include "memory/workload.h"

namespace peakscope::analysis {

/// What charts stack: tensor kinds, with rebuilt activations and library-internal bytes as kinds of their own.
enum class ChartKind : std::uint8_t {
  Activation, ActivationGrad, Recomputed, Saved, Workspace, WeightGrad, OptimizerState, Weight, Input, Staging,
};
inline constexpr int chartKindCount = 10;
[[nodiscard]] const char* toString(ChartKind kind);   ///< "activations", "data gradients", "recomputed", ...

using KindBytes = std::array<Bytes, chartKindCount>;

/// State right after a plan step (a Run: while it runs, its workspace included).
struct CurvePoint {
  PlanStepId step;
  PaperStep paperStep = 0;
  Bytes scheduled;        ///< shapeBytes of Activation + ActivationGrad: the paper's number
  Bytes total;            ///< bytes of every kind
  Bytes host;             ///< bytes on the host
  KindBytes byKind;       ///< adds up to total
};
using MemoryCurve = std::vector<CurvePoint>;           ///< one point per plan step, same index

[[nodiscard]] MemoryCurve memoryCurve(const Workload& workload, const Plan& plan, std::span<const Deviation> deviations = {});

struct Peak {
  Bytes bytes;
  PlanStepId planStep;
  PaperStep step = 0;
  LayerId layer;
  Phase phase = Phase::Forward;
  LayerId rebuilding;     ///< invalid unless the first maximum is inside a rebuild
};
[[nodiscard]] Peak scheduledPeak(const Workload& workload, const Plan& plan, const MemoryCurve& curve);
[[nodiscard]] Peak totalPeak(const Workload& workload, const Plan& plan, const MemoryCurve& curve);

/// One row per paper step, 1..2N.
struct StepBytes {
  PaperStep step = 0;
  LayerId layer;
  Phase phase = Phase::Forward;
  Bytes scheduled;        ///< while the layer itself runs (the oracle's `live`)
  Bytes scheduledInStep;  ///< maximum in the step, rebuilds included (the oracle's `peak_in_step`)
  Bytes total;            ///< maximum of total in the step
};
[[nodiscard]] std::vector<StepBytes> bytesPerStep(const Workload& workload, const Plan& plan, const MemoryCurve& curve);

}  // namespace peakscope::analysis
