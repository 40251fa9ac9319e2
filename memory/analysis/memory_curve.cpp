// SPDX-License-Identifier: Apache-2.0
//
// One walk over the plan's steps adds up bytes; peaks and rows per step are read off its points.
#include "memory/analysis/memory_curve.h"

#include <algorithm>

namespace peakscope::analysis {
namespace {

ChartKind chartKindOf(TensorKind kind, bool isRebuilt) {
  switch (kind) {
    case TensorKind::Weight: return ChartKind::Weight;
    case TensorKind::WeightGrad: return ChartKind::WeightGrad;
    case TensorKind::OptimizerState: return ChartKind::OptimizerState;
    case TensorKind::Activation: return isRebuilt ? ChartKind::Recomputed : ChartKind::Activation;
    case TensorKind::ActivationGrad: return ChartKind::ActivationGrad;
    case TensorKind::Saved: return ChartKind::Saved;
    case TensorKind::Workspace: return ChartKind::Workspace;
    case TensorKind::Input: return ChartKind::Input;
    case TensorKind::Staging: return ChartKind::Staging;
  }
  return ChartKind::Staging;
}

/// The running sums of the walk; a tensor remembers what it added, so that its Free takes off just that.
class Walk {
 public:
  Walk(const Workload& workload, const Plan& plan, std::span<const Deviation> deviations)
      : m_workload(workload), m_plan(plan), m_deviations(deviations), m_liveBytes(workload.tensors.size(), Bytes{-1}),
        m_liveKind(workload.tensors.size()), m_hostBytes(workload.tensors.size(), Bytes{-1}) {
    for (const TensorId tensor : idsOf(workload.tensors))
      if (workload.tensors[tensor].isPersistent) add(tensor, workload.tensors[tensor].bytes, false);
  }

  MemoryCurve run() {
    MemoryCurve curve;
    curve.reserve(m_plan.steps.size());
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(m_plan.steps.size()); ++i) curve.push_back(after(PlanStepId{i}));
    return curve;
  }

 private:
  CurvePoint after(PlanStepId id) {
    const PlanStep& step = m_plan.steps[static_cast<std::size_t>(id.index)];
    Bytes workspace;
    std::visit(Overloaded{
                   [&](const AllocStep& alloc) {
                     add(alloc.tensor, measured(id, m_workload.tensors[alloc.tensor].bytes), step.cause.kind == CauseKind::RebuiltFor);
                   },
                   [&](const FreeStep& free) { remove(free.tensor); },
                   [&](const RunStep& run) {
                     workspace = measured(id, m_workload.ops[run.op].candidates[static_cast<std::size_t>(run.candidate)].workspace);
                   },
                   [&](const CopyOutStep& out) { addHost(out.tensor); },
                   [](const auto&) {},
               },
               step.action);
    CurvePoint point = m_now;
    point.step = id;
    point.paperStep = step.paperStep;
    point.total += workspace;
    point.byKind[static_cast<std::size_t>(ChartKind::Workspace)] += workspace;
    return point;
  }

  Bytes measured(PlanStepId step, Bytes planned) {
    while (m_nextDeviation < m_deviations.size() && m_deviations[m_nextDeviation].step < step) ++m_nextDeviation;
    const bool deviates = m_nextDeviation < m_deviations.size() && m_deviations[m_nextDeviation].step == step;
    return deviates ? m_deviations[m_nextDeviation].measured : planned;
  }

  void add(TensorId id, Bytes bytes, bool isRebuilt) {
    const Tensor& tensor = m_workload.tensors[id];
    m_liveBytes[id] = bytes;
    m_liveKind[id] = chartKindOf(tensor.kind, isRebuilt);
    if (isScheduled(tensor.kind) && !tensor.isPersistent) m_now.scheduled += tensor.shapeBytes;
    m_now.total += bytes;
    m_now.byKind[static_cast<std::size_t>(m_liveKind[id])] += bytes;
  }
  void remove(TensorId id) {
    if (m_liveBytes[id] < Bytes{}) return;
    const Tensor& tensor = m_workload.tensors[id];
    if (isScheduled(tensor.kind) && !tensor.isPersistent) m_now.scheduled -= tensor.shapeBytes;
    m_now.total -= m_liveBytes[id];
    m_now.byKind[static_cast<std::size_t>(m_liveKind[id])] -= m_liveBytes[id];
    m_liveBytes[id] = Bytes{-1};
  }
  /// The pinned bytes stay the tensor's to the end of the iteration.
  void addHost(TensorId id) {
    if (m_hostBytes[id] >= Bytes{}) return;
    m_hostBytes[id] = m_workload.tensors[id].bytes;
    m_now.host += m_hostBytes[id];
  }

  const Workload& m_workload;
  const Plan& m_plan;
  std::span<const Deviation> m_deviations;
  std::size_t m_nextDeviation = 0;
  CurvePoint m_now;
  IdVector<TensorId, Bytes> m_liveBytes;
  IdVector<TensorId, ChartKind> m_liveKind;
  IdVector<TensorId, Bytes> m_hostBytes;
};

/// Peaks are compared while ops run: that is when everything that a step needs is there at once.
const RunStep* runAt(const Plan& plan, PlanStepId step) {
  return std::get_if<RunStep>(&plan.steps[static_cast<std::size_t>(step.index)].action);
}

/// The route op in whose slot each step stands: the next route Run, or the last one behind it.
std::vector<OpId> slotOps(const Workload& workload, const Plan& plan) {
  std::vector<OpId> ops(plan.steps.size());
  OpId current;
  for (std::size_t i = plan.steps.size(); i-- > 0;) {
    const auto* run = std::get_if<RunStep>(&plan.steps[i].action);
    if (run != nullptr && workload.ops[run->op].phase != Phase::Rebuild) current = run->op;
    ops[i] = current;
  }
  return ops;
}

Peak peakBy(const Workload& workload, const Plan& plan, const MemoryCurve& curve, Bytes CurvePoint::*value) {
  Peak peak{.bytes = Bytes{-1}};
  for (const CurvePoint& point : curve) {
    if (runAt(plan, point.step) == nullptr || point.*value <= peak.bytes || point.paperStep == 0) continue;
    peak.bytes = point.*value;
    peak.planStep = point.step;
    peak.step = point.paperStep;
  }
  if (!peak.planStep.isValid()) return {};
  const OpId slotOp = slotOps(workload, plan)[static_cast<std::size_t>(peak.planStep.index)];
  const OpId running = runAt(plan, peak.planStep)->op;
  if (slotOp.isValid()) {
    peak.layer = workload.ops[slotOp].layer;
    peak.phase = workload.ops[slotOp].phase;
  }
  if (workload.ops[running].phase == Phase::Rebuild) peak.rebuilding = workload.ops[running].layer;
  return peak;
}

}  // namespace

const char* toString(ChartKind kind) {
  switch (kind) {
    case ChartKind::Activation: return "activations";
    case ChartKind::ActivationGrad: return "data gradients";
    case ChartKind::Recomputed: return "recomputed";
    case ChartKind::Saved: return "saved";
    case ChartKind::Workspace: return "workspace";
    case ChartKind::WeightGrad: return "weight gradients";
    case ChartKind::OptimizerState: return "momentum";
    case ChartKind::Weight: return "weights";
    case ChartKind::Input: return "input";
    case ChartKind::Staging: return "staging";
  }
  return "?";
}

MemoryCurve memoryCurve(const Workload& workload, const Plan& plan, std::span<const Deviation> deviations) {
  return Walk(workload, plan, deviations).run();
}

Peak scheduledPeak(const Workload& workload, const Plan& plan, const MemoryCurve& curve) { return peakBy(workload, plan, curve, &CurvePoint::scheduled); }
Peak totalPeak(const Workload& workload, const Plan& plan, const MemoryCurve& curve) { return peakBy(workload, plan, curve, &CurvePoint::total); }

std::vector<StepBytes> bytesPerStep(const Workload& workload, const Plan& plan, const MemoryCurve& curve) {
  std::vector<StepBytes> rows;
  StepBytes row;
  for (const CurvePoint& point : curve) {
    const RunStep* run = runAt(plan, point.step);
    if (run == nullptr || point.paperStep == 0) continue;
    if (row.step != point.paperStep) {
      if (row.step != 0) rows.push_back(row);
      row = {.step = point.paperStep};
    }
    const Op& op = workload.ops[run->op];
    row.scheduledInStep = std::max(row.scheduledInStep, point.scheduled);
    row.total = std::max(row.total, point.total);
    if (op.phase != Phase::Forward && op.phase != Phase::Backward) continue;
    row.scheduled = point.scheduled;
    row.layer = op.layer;
    row.phase = op.phase;
  }
  if (row.step != 0) rows.push_back(row);
  return rows;
}

}  // namespace peakscope::analysis
