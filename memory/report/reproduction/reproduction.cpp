// SPDX-License-Identifier: Apache-2.0
#include "memory/report/reproduction/reproduction.h"

#include <algorithm>
#include <fmt/format.h>

namespace peakscope::report {

const char* toString(Mark mark) {
  switch (mark) {
    case Mark::Paper: return "paper";
    case Mark::Recollected: return "recollected";
    case Mark::RecollectedEqual: return "recollected, computed equal";
    case Mark::Computed: return "computed";
  }
  return "?";
}

std::string toText(const Published& published) { return fmt::format("{:.{}f}", published.value, published.decimals); }

bool isEqualAsPrinted(double ours, const Published& published) { return fmt::format("{:.{}f}", ours, published.decimals) == toText(published); }

double savedShare(const StepCurves& curves, const StepCurve& curve) {
  const Bytes baseline = curves.curves.empty() ? Bytes{} : curves.curves.front().peak;
  return baseline > Bytes{} ? 1 - inMiB(curve.peak) / inMiB(baseline) : 0;
}

Agreement agreement(const Reproduction& found) {
  Agreement sum;
  const auto add = [&](double ours, const Published& published) {
    ++sum.figures;
    if (isEqualAsPrinted(ours, published)) ++sum.equal;
  };
  for (const StepCurve& curve : found.steps.curves) add(inMiB(curve.peak), curve.peakPublished);
  for (const RecomputeRow& row : found.recompute) {
    add(row.extraForwards, row.extraPublished);
    add(inMiB(row.peak), row.peakPublished);
  }
  return sum;
}

double depthRatio(const Reproduction& found) {
  std::int64_t ours = 0, others = 0;
  for (std::size_t i = 0; i < found.depth.limits.size() && i < found.policies.size(); ++i) {
    std::int64_t& best = found.policies[i].system == "SuperNeurons" ? ours : others;
    best = std::max(best, found.depth.limits[i].size);
  }
  return others > 0 ? static_cast<double>(ours) / static_cast<double>(others) : 0;
}

}  // namespace peakscope::report
