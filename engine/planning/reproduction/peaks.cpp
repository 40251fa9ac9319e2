// SPDX-License-Identifier: Apache-2.0
//
// Scheduled peaks: the step curves of Fig. 10 and the modes of recomputation of Table 1.
#include "engine/planning/reproduction/gather.h"
#include "engine/planning/reproduction/published.h"
#include "memory/analysis/memory_curve.h"

namespace peakscope::engine::reproduction {

Result<void> stepCurves(const ReproduceInput& input, Reproduction& found) {
  input.progress("AlexNet, step by step");
  const auto net = lowered(input, "alexnet", stepBatch);
  if (!net) return fail(net.error());
  const Workload& workload = net->lowering.workload;
  report::StepCurves& steps = found.steps;
  steps.net = workload.net;
  steps.batch = workload.batch;
  for (const PublishedStepPeak& published : stepPeaks) {
    const auto plan = planned(input, *net, {.techniques = published.techniques, .offloadFree = OffloadFree::LastReader});
    if (!plan) return fail(plan.error());
    const auto curve = analysis::memoryCurve(workload, *plan);
    const auto peak = analysis::scheduledPeak(workload, *plan, curve);
    report::StepCurve made{.name = published.name,
                           .techniques = published.techniques.any() ? techniquesText(published.techniques) : "none",
                           .live = {},
                           .liveInStep = {},
                           .peak = peak.bytes,
                           .peakStep = peak.step,
                           .peakPublished = published.peakMiB,
                           .savedPublished = published.savedPercent};
    const bool isFirst = steps.curves.empty();
    for (const analysis::StepBytes& step : analysis::bytesPerStep(workload, *plan, curve)) {
      made.live.push_back(step.scheduled);
      made.liveInStep.push_back(step.scheduledInStep);
      if (!isFirst) continue;
      steps.layers.push_back(workload.layers[step.layer].name);
      steps.phases.push_back(step.phase);
    }
    steps.curves.push_back(std::move(made));
  }
  return {};
}

Result<void> recomputeModes(const ReproduceInput& input, Reproduction& found) {
  struct Mode { RecomputeMode mode; const char* name; };
  constexpr std::array<Mode, 3> modes{{{RecomputeMode::Speed, "speed"}, {RecomputeMode::Memory, "memory"}, {RecomputeMode::CostAware, "cost-aware"}}};
  for (const PublishedRecompute& published : recomputeModesPublished) {
    input.progress(std::string("recomputation of ") + published.net);
    const auto net = lowered(input, published.net, published.batch);
    if (!net) return fail(net.error());
    const Workload& workload = net->lowering.workload;
    for (std::size_t i = 0; i < modes.size(); ++i) {
      const auto plan = planned(input, *net,
                                {.techniques = {.liveness = true, .offload = true, .recompute = true},
                                 .offload = published.offload,
                                 .prefetch = published.prefetch,
                                 .recompute = modes[i].mode,
                                 .offloadFree = OffloadFree::LastReader});
      if (!plan) return fail(plan.error());
      const auto peak = analysis::scheduledPeak(workload, *plan, analysis::memoryCurve(workload, *plan));
      found.recompute.push_back({.net = published.net,
                                 .mode = modes[i].name,
                                 .batch = published.batch,
                                 .extraForwards = plan->extraForwards,
                                 .peak = peak.bytes,
                                 .peakAt = workload.layers[peak.layer].name + ' ' + toString(peak.phase),
                                 .extraPublished = published.extraForwards[i],
                                 .peakPublished = published.peakMiB[i]});
    }
  }
  return {};
}

}  // namespace peakscope::engine::reproduction
