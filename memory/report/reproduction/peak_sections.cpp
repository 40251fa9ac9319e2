// SPDX-License-Identifier: Apache-2.0
//
// Fig. 10 and Table 1: what is reproduced to the byte.
#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "memory/report/html_parts.h"
#include "memory/report/reproduction/charts.h"
#include "memory/report/reproduction/sections.h"
#include "memory/report/svg.h"
#include "memory/report/text.h"

namespace peakscope::report::html {
namespace {

constexpr double chartWidth = 1000;

/// Said only while it is so.
std::string whyNot401(const Reproduction& found) {
  for (const RecomputeRow& row : found.recompute)
    if (row.net == "resnet50" && !isEqualAsPrinted(inMiB(row.peak), row.peakPublished))
      return fmt::format(
          " The {} MiB of the ResNets are not reproduced: at {} four tensors of {} MiB must be there at once (the checkpoint conv1, two outputs rebuilt from it, one gradient), "
          "so the counting that gives every other figure of this table gives {}.",
          toText(row.peakPublished), name(row.peakAt), shortNumber(inMiB(row.peak) / 4, 3), groupedMiB(row.peak));
  return {};
}

}  // namespace

std::string title(const std::string& net) {
  constexpr std::array<std::pair<std::string_view, const char*>, 6> titles{{{"alexnet", "AlexNet"}, {"vgg16", "VGG16"}, {"inception4", "Inception-v4"},
                                                                          {"resnet50", "ResNet-50"}, {"resnet101", "ResNet-101"}, {"resnet152", "ResNet-152"}}};
  for (const auto& [key, words] : titles)
    if (key == net) return words;
  return name(net);
}

std::string printed(const Published& published) {
  std::string digits = toText(published);
  const auto point = std::min(digits.find('.'), digits.size());
  return grouped(std::stoll(digits.substr(0, point))) + digits.substr(point);
}

std::string difference(double ours, const Published& published) {
  if (isEqualAsPrinted(ours, published)) return "<span class=\"good\">equal ✓</span>";
  const double apart = ours - published.value;
  return fmt::format("{}{:.{}f}", apart < 0 ? "−" : "+", std::abs(apart), published.decimals == 0 ? 3 : published.decimals);
}

std::string stepPeaks(const Reproduction& found) {
  const StepCurves& steps = found.steps;
  Table t{{"configuration", ">peak, MiB", ">published", ">difference", ">saved", ">published", "at step", "mark of the peak"}, {}};
  for (const StepCurve& curve : steps.curves) {
    const bool isFlat = &curve == &steps.curves.front();
    const auto step = static_cast<std::size_t>(curve.peakStep);
    const bool isKnown = step >= 1 && step <= steps.layers.size();
    const std::string place = isFlat ? "all" : !isKnown ? "" : fmt::format("{}, {} {}", curve.peakStep, name(steps.layers[step - 1]), toString(steps.phases[step - 1]));
    t.rows.push_back({name(curve.name), groupedMiB(curve.peak), printed(curve.peakPublished), difference(inMiB(curve.peak), curve.peakPublished),
                      curve.savedPublished ? formatPercent(savedShare(steps, curve), 2) : "", curve.savedPublished ? toText(*curve.savedPublished) + " %" : "", place,
                      toString(curve.peakPublished.mark)});
  }
  return section(fmt::format("{}, batch {}, step by step", title(steps.net), steps.batch),
                 "Layer outputs and their gradients at each of the steps of one iteration, as the techniques are added one by one (Fig. 10). Each line is the maximum in the step, "
                 "rebuilds included; its peak is marked. The two published peaks that are not met lie 0.1 and 0.2 MiB above ours, which is the size of no tensor.",
                 svgInline(stepCurvesChart(steps, chartWidth), "steps") + "<div class=\"gap\"></div>\n" + table(t));
}

std::string recomputeModes(const Reproduction& found) {
  Table t{{"network", ">batch", "mode", ">extra forwards", ">published", ">difference", ">peak, MiB", ">published", ">difference", "mark of the peak"}, {}};
  std::string last;
  for (const RecomputeRow& row : found.recompute) {
    t.rows.push_back({row.net == last ? "" : title(row.net), row.net == last ? "" : grouped(row.batch), row.mode, grouped(row.extraForwards), toText(row.extraPublished),
                      difference(row.extraForwards, row.extraPublished), groupedMiB(row.peak), printed(row.peakPublished), difference(inMiB(row.peak), row.peakPublished),
                      toString(row.peakPublished.mark)});
    last = row.net;
  }
  return section("Recomputation: speed, memory, cost-aware",
                 "Forward ops run again in one iteration, and the peak (Table 1). AlexNet offloads its convolutions and prefetches at the previous one; the ResNets offload all checkpoints and "
                 "fetch them on demand, without which no mode brings them below their joins." + whyNot401(found),
                 table(t));
}

}  // namespace peakscope::report::html
