// SPDX-License-Identifier: Apache-2.0
#include "memory/report/reproduction/page.h"

#include <algorithm>
#include <fmt/format.h>

#include "memory/report/html_parts.h"
#include "memory/report/reproduction/sections.h"
#include "memory/report/svg.h"
#include "memory/report/text.h"

namespace peakscope::report {
namespace {

std::string figure(std::string_view word, const std::string& value, const std::string& note) {
  return fmt::format("<div><dt>{}</dt><dd><b>{}</b><small>{}</small></dd></div>\n", word, value, note);
}

std::string headline(const Reproduction& found) {
  std::string out = "<dl class=\"figures\">\n";
  const Agreement agreed = agreement(found);
  out += figure("figures met as printed", fmt::format("{} of {}", agreed.equal, agreed.figures), "peaks and extra forwards of Fig. 10 and Table 1");
  if (!found.steps.curves.empty()) {
    const StepCurve& last = found.steps.curves.back();
    out += figure(fmt::format("{}'s peak, batch {}", html::title(found.steps.net), found.steps.batch), groupedMiB(last.peak) + " MiB",
                  fmt::format("{} less than keeping everything; published {}", formatPercent(savedShare(found.steps, last), 2), toText(last.peakPublished)));
  }
  const auto deepest = std::ranges::max_element(found.depth.limits, {}, &Limit::size);
  if (deepest != found.depth.limits.end())
    out += figure("deepest ResNet planned", grouped(deepest->size) + " layers",
                  fmt::format("batch {}, {}{}", found.depthBatch, formatBytes(found.budget), deepest->published ? "; published " + grouped(static_cast<std::int64_t>(deepest->published->value)) : ""));
  const auto quiet = std::ranges::count_if(found.traffic, [](const TrafficRow& row) { return row.cached && row.cached->count() == 0; });
  if (quiet > 0)
    out += figure("no traffic with the cache", fmt::format("to batch {}", grouped(found.traffic[static_cast<std::size_t>(quiet - 1)].batch)),
                  html::title(found.trafficNet) + ", nothing leaves while everything fits");
  return out + "</dl>\n";
}

std::string marks() {
  return html::section("How to read the published numbers", "",
                       "<dl class=\"facts\">\n"
                       "<dt>paper</dt><dd>stands in the part of the paper that was read</dd>\n"
                       "<dt>recollected</dt><dd>from memory or from summaries by others; not verified, never a quotation</dd>\n"
                       "<dt>recollected, computed equal</dt><dd>recollected; an independent model of the counting gives every printed digit</dd>\n"
                       "<dt>computed</dt><dd>derived from the counting rules; not printed anywhere</dd>\n"
                       "<dt>equal ✓</dt><dd>ours, rounded to the printed digits, is the published number</dd>\n"
                       "</dl>\n");
}

}  // namespace

std::string reproductionPage(const Reproduction& found) {
  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>SuperNeurons reproduced - Peakscope</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n",
      svgStyle(), html::styleSheet());
  page += fmt::format(
      "<header>\n<h1>SuperNeurons: the memory results, planned anew</h1>\n"
      "<p>Dynamic GPU memory management for training deep neural networks, PPoPP 2018 · MB of the paper are MiB</p>\n"
      "<p>paper lowering · {}, {} · every number of ours comes from the planner, no GPU was used</p>\n</header>\n",
      html::name(found.device), formatBytes(found.budget));
  page += headline(found);
  page += html::stepPeaks(found);
  page += html::recomputeModes(found);
  page += html::largestBatches(found);
  page += html::deepest(found);
  page += html::traffic(found);
  page += html::workspaces(found);
  page += html::poolSpeeds(found);
  page += marks();
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace peakscope::report
