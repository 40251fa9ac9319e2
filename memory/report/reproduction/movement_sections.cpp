// SPDX-License-Identifier: Apache-2.0
//
// Traffic, workspaces and the pool.
#include <algorithm>
#include <fmt/format.h>

#include "memory/report/html_parts.h"
#include "memory/report/reproduction/charts.h"
#include "memory/report/reproduction/sections.h"
#include "memory/report/svg.h"
#include "memory/report/text.h"

namespace peakscope::report::html {
namespace {

std::string copied(const std::optional<Bytes>& bytes) { return bytes ? groupedMiB(*bytes) : "does not fit"; }
std::string milliseconds(std::int64_t ns) { return fmt::format("{:.2f}", static_cast<double>(ns) / 1e6); }
std::string rate(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 2 : 1); }

}  // namespace

std::string traffic(const Reproduction& found) {
  Table t{{">batch", ">copied eagerly, MiB", ">an image", ">with the cache, MiB", ">evictions"}, {}};
  t.isNarrow = true;
  for (const TrafficRow& row : found.traffic) {
    const double perImage = row.eager ? inMiB(*row.eager) / static_cast<double>(row.batch) : 0;
    t.rows.push_back({grouped(row.batch), copied(row.eager), row.eager ? fmt::format("{:.2f}", perImage) : "", copied(row.cached), row.cached ? grouped(row.evictions) : ""});
  }
  const std::string perImage = t.rows.empty() ? std::string{} : t.rows.front()[2];
  return section(fmt::format("Traffic of {} with and without the tensor cache", title(found.trafficNet)),
                 fmt::format("Bytes copied out and back in one iteration with {}, convolution outputs offloaded. With the cache nothing moves while everything fits; eagerly it is {} MiB an image "
                             "at any batch ({}: {}).",
                             formatBytes(found.budget), perImage, toString(found.trafficPerImage.mark), toText(found.trafficPerImage)),
                 svgInline(trafficChart(found, 1000), "traffic") + "<div class=\"gap\"></div>\n" + table(t));
}

std::string workspaces(const Reproduction& found) {
  const WorkspaceTable& w = found.workspaces;
  Table t{{">step", "convolution"}, {}};
  for (const Bytes budget : w.budgets) {
    t.heads.push_back(fmt::format("{} MiB", groupedMiB(budget, 0)));
    t.heads.emplace_back(">MiB");
    t.heads.emplace_back(">ms");
  }
  std::vector<std::int64_t> sum(w.budgets.size());
  for (const WorkspaceRow& row : w.rows) {
    std::vector<std::string> cells{grouped(row.step), name(row.layer) + ' ' + toString(row.phase)};
    for (std::size_t b = 0; b < row.choices.size(); ++b) {
      const WorkspaceChoice& choice = row.choices[b];
      // What the budget before chose already recedes: changes are what the table is about.
      const bool isNew = b == 0 || row.choices[b - 1].algorithm != choice.algorithm;
      for (const std::string& cell : {name(choice.algorithm), groupedMiB(choice.workspace, 1), milliseconds(choice.timeNs)})
        cells.push_back(isNew ? cell : "<small>" + cell + "</small>");
      sum[b] += choice.timeNs;
    }
    t.rows.push_back(std::move(cells));
  }
  std::vector<std::string> total{"", "all convolutions"};
  for (const std::int64_t ns : sum) total.insert(total.end(), {"", "", milliseconds(ns)});
  t.totals.push_back(std::move(total));
  return section(fmt::format("Workspaces of {}'s convolutions, batch {}", title(w.net), w.batch),
                 "Each step takes the fastest algorithm whose workspace fits beside the tensors of that step, so the choice changes from step to step and with the budget. The first budget is the "
                 "least with which the tensors fit; small print: as under the budget before. Workspaces and times are " + name(found.costs) + "; no published table is known.",
                 table(t));
}

std::string poolSpeeds(const Reproduction& found) {
  Table t{{"network", ">batch", ">native, images/s", ">pool", ">faster", ">driver calls", ">share of time", ">published native", ">pool", ">faster", "mark"}, {}};
  for (const PoolRow& row : found.pool) {
    const double share = row.nativeNs > 0 ? static_cast<double>(row.nativeNs - row.poolNs) / static_cast<double>(row.nativeNs) : 0;
    t.rows.push_back({title(row.net), grouped(row.batch), rate(row.imagesPerSecond(row.nativeNs)), rate(row.imagesPerSecond(row.poolNs)), fmt::format("{:.2f} ×", row.ratio()),
                      grouped(row.driverCalls), formatPercent(share), row.nativePublished ? toText(*row.nativePublished) : "–", row.poolPublished ? toText(*row.poolPublished) : "–",
                      toText(row.ratioPublished) + " ×", toString(row.ratioPublished.mark)});
  }
  return section("The pool against native allocation",
                 fmt::format("Images a second with liveness alone, every tensor from the paper's pool or from the driver. <b>Ours are modelled, not measured</b>: the length of each op is a model of "
                             "the {}, and one malloc or free costs {}, as measured on an H200, since no K40c was at hand. The published figures are recollected with low confidence, at batches "
                             "that are not known, and rest on cuDNN's speed of that time.",
                             name(found.device), formatDuration(found.nativeAllocNs)),
                 table(t));
}

}  // namespace peakscope::report::html
