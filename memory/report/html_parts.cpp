// SPDX-License-Identifier: Apache-2.0
//
// Head of the page and the small sections; the tables of tensors and layers are in html_tables.cpp.
#include "memory/report/html_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "memory/report/lane_chart.h"
#include "memory/report/svg.h"
#include "memory/report/text.h"
#include "memory/report/training_chart.h"

namespace peakscope::report::html {
namespace {

constexpr double chartWidth = 1000;

std::string figure(std::string_view word, const std::string& value, const std::string& note, const char* tone = "") {
  return fmt::format("<div><dt>{}</dt><dd><b{}>{}</b><small>{}</small></dd></div>\n", word,
                     *tone ? fmt::format(" class=\"{}\"", tone) : "", value, note);
}

std::string fact(std::string_view word, const std::string& value) {
  return value.empty() ? std::string{} : fmt::format("<dt>{}</dt><dd>{}</dd>\n", word, name(value));
}

std::string proofFigure(const ReportInput& input) {
  const analysis::Proof proof = input.history.proof();
  if (proof.firstDifference >= 0)
    return figure("predicted and measured", "differ",
                  fmt::format("first at iteration {}, at most {} apart", proof.firstDifference, formatBytes(proof.largestDifference)), "bad");
  if (proof.iterations == 0) return figure("predicted and measured", "not run", "no iteration has finished; the plan is shown");
  return figure("predicted = measured", "0 bytes apart",
                fmt::format("over {} iteration{}, at every step", grouped(proof.iterations), proof.iterations == 1 ? "" : "s"), "good");
}

}  // namespace

std::string name(std::string_view text) {
  const std::string clean = shorten(text, 160);
  return clean.empty() ? std::string{} : escapeMarkup(clean);
}

std::string swatch(Colour colour) {
  return fmt::format("<span class=\"sw{}\" style=\"--c:var(--{})\"></span>", colour == Colour::Recomputed ? " dots" : "", toString(colour));
}

std::string table(const Table& t) {
  const auto isNumber = [&](std::size_t column) { return column < t.heads.size() && t.heads[column].starts_with('>'); };
  std::string out = t.isNarrow ? "<div class=\"scroll\"><table class=\"narrow\">\n<thead><tr>" : "<div class=\"scroll\"><table>\n<thead><tr>";
  for (std::size_t c = 0; c < t.heads.size(); ++c)
    out += isNumber(c) ? fmt::format("<th class=\"n\">{}</th>", t.heads[c].substr(1)) : fmt::format("<th>{}</th>", t.heads[c]);
  out += "</tr></thead>\n<tbody>\n";
  const auto add = [&](const std::vector<std::string>& row, const char* open) {
    out += open;
    for (std::size_t c = 0; c < row.size(); ++c) out += fmt::format("<td{}>{}</td>", isNumber(c) ? " class=\"n\"" : "", row[c]);
    out += "</tr>\n";
  };
  for (const auto& row : t.rows) add(row, "<tr>");
  for (const auto& row : t.totals) add(row, "<tr class=\"total\">");
  return out + "</tbody>\n</table></div>\n";
}

std::string section(std::string_view title, std::string_view note, std::string_view body) {
  const std::string words = note.empty() ? std::string{} : fmt::format("<p class=\"note\">{}</p>\n", note);
  return fmt::format("<section>\n<h2>{}</h2>\n{}{}</section>\n", title, words, body);
}

std::string header(const ReportInput& input, const ReportFacts& facts) {
  const RunInfo& info = input.history.session().info;
  std::string line = fmt::format("{} lowering · {}", name(facts.workload->lowering), name(techniquesText(facts.plan->options)));
  const std::string date = formatDate(info.startedUnixNs);
  const std::string second = fmt::format("backend {}{}{}", name(info.backend), date.empty() ? "" : " · ", date);
  return fmt::format("<header>\n<h1>{}, batch {}</h1>\n<p>{}</p>\n<p>{}</p>\n</header>\n", name(facts.workload->net),
                     grouped(facts.workload->batch), line, second);
}

std::string headline(const ReportInput& input, const ReportFacts& facts) {
  const Workload& w = *facts.workload;
  std::string out = "<dl class=\"figures\">\n";
  out += figure("peak, scheduled", groupedMiB(facts.scheduledPeak.bytes) + " MiB", name(placeText(facts.scheduledPeak, w)));
  if (const auto& baseline = input.replanned.baseline; baseline && baseline->scheduled.count() > 0) {
    const double share = 1 - static_cast<double>(facts.scheduledPeak.bytes.count()) / static_cast<double>(baseline->scheduled.count());
    const bool isBelow = share > 0;
    out += figure(isBelow ? "below keeping everything" : "against keeping everything", formatPercent(std::abs(share)),
                  "keep-all schedules " + groupedMiB(baseline->scheduled) + " MiB", isBelow ? "good" : "");
  }
  out += figure("peak, total", groupedMiB(facts.totalPeak.bytes) + " MiB", name(placeText(facts.totalPeak, w)));
  const std::string cap = facts.plan->options.budget ? "of a budget of " + formatBytes(*facts.plan->options.budget) : "no budget was set";
  out += figure("arena", groupedMiB(facts.plan->arenaBytes) + " MiB", cap);
  out += proofFigure(input);
  if (facts.imagesPerSecond.count > 0) {
    const Spread& s = facts.imagesPerSecond;
    const int digits = s.median < 100 ? 1 : 0;
    const auto rate = [&](double v) { return digits > 0 ? fmt::format("{:.1f}", v) : grouped(std::llround(v)); };
    out += figure("images per second", rate(s.median) + " ± " + rate(s.deviation),
                  fmt::format("median ± MAD of {} iteration{}, {}", grouped(s.count), s.count == 1 ? "" : "s",
                              name(input.history.session().info.timeSource)));
  }
  if (input.history.lastEvaluated() != nullptr) {
    const EpochDone& last = *input.history.lastEvaluated();
    out += figure("test accuracy", formatPercent(last.accuracy, 2),
                  fmt::format("after epoch {}, {} images", last.epoch, grouped(last.testImages)));
  }
  if (facts.plan->hostBytes.count() > 0 || facts.plan->extraForwards > 0)
    out += figure("copied each iteration", groupedMiB(facts.copiedOut + facts.copiedIn, 1) + " MiB",
                  fmt::format("{} layer{} run again, stalls {}", facts.plan->extraForwards, facts.plan->extraForwards == 1 ? "" : "s",
                              formatDuration(facts.totals.stallNs)));
  return out + "</dl>\n";
}

std::string warnings(const ReportInput& input, const ReportFacts& facts) {
  const analysis::RunHistory& h = input.history;
  std::string items;
  const auto add = [&](const std::string& text) { items += "<li>" + text + "</li>\n"; };
  if (h.proof().firstDifference >= 0)
    add(fmt::format("Measured bytes differ from the plan, first at iteration {}, by at most {}. The filled curve is the measured one.",
                    h.proof().firstDifference, formatBytes(h.proof().largestDifference)));
  if (h.droppedIterations() > 0)
    add(fmt::format("Step times of {} iterations were dropped while recording; their peaks and losses are kept.", grouped(h.droppedIterations())));
  if (facts.iteration < 0) add("No iteration has finished: the curve is the plan's prediction, and there are no times.");
  if (h.state().state == RunState::Failed) add("The run failed; see the notices below.");
  for (const Notice& notice : h.notices())
    if (notice.severity == Notice::Severity::Error) add(name(notice.text));
  if (items.empty()) return {};
  return "<section class=\"warn\">\n<h2>Read this first</h2>\n<ul>\n" + items + "</ul>\n</section>\n";
}

std::string timeline(const ReportInput& input, const ReportFacts& facts) {
  const MemoryChartInput memory{*facts.workload, *facts.plan, facts.measured, facts.predicted, facts.times,
                                input.replanned.baseline, facts.plan->options.budget};
  std::string body = svgInline(memoryChart(memory, {.width = chartWidth, .height = 380, .withHints = true}), "memory");
  body += svgInline(laneChart({*facts.workload, *facts.plan, facts.events, facts.times}, {.width = chartWidth, .withHints = true}), "lanes");
  const std::string which = facts.iteration >= 0 ? fmt::format("Iteration {}, {} plan steps. ", grouped(facts.iteration), grouped(static_cast<std::int64_t>(facts.plan->steps.size())))
                                                 : std::string{"The plan, not a run. "};
  return section("Timeline",
                 which + "Scheduled bytes stand on the line, what stays for the whole run hangs below it; each step shows its highest moment.",
                 body);
}

std::string techniques(const ReportInput& input, const ReportFacts& facts) {
  if (input.replanned.rows.empty()) return {};
  Table t{{"technique", ">peak scheduled, MiB", ">change", ">arena, MiB", ">host, MiB", ">copied, MiB", ">layers run again"}, {}};
  const TechniqueRow* before = nullptr;
  for (const TechniqueRow& row : input.replanned.rows) {
    if (!row.refused.empty()) {
      t.rows.push_back({name(row.name), "no plan", "", "", "", "", name(row.refused)});
      continue;
    }
    std::string change;
    if (before != nullptr) {
      const Bytes difference = row.scheduledPeak - before->scheduledPeak;
      change = fmt::format("<span class=\"{}\">{}{}</span>", difference.count() < 0 ? "good" : difference.count() > 0 ? "bad" : "",
                           difference.count() > 0 ? "+" : difference.count() == 0 ? "±" : "", groupedMiB(difference));
    }
    t.rows.push_back({(before != nullptr ? "+ " : "") + name(row.name), groupedMiB(row.scheduledPeak), change, groupedMiB(row.arena),
                      groupedMiB(row.host), groupedMiB(row.copied), grouped(row.extraForwards)});
    before = &row;
  }
  return section("What each technique contributes",
                 facts.plan->options.budget ? "Planned again for this report, one technique after the other, without the budget."
                                            : "Planned again for this report, one technique after the other.",
                 table(t));
}

std::string training(const ReportInput& input) {
  const auto& iterations = input.history.iterations();
  const bool hasLoss = std::ranges::any_of(iterations, [](const IterationDone& i) { return std::isfinite(i.loss); });
  if (!hasLoss && input.history.epochs().empty()) return {};
  std::string body = "<div class=\"pair\">\n" + svgInline(lossChart(iterations, {.width = 492, .height = 220}), "loss");
  body += svgInline(accuracyChart(input.history.epochs(), {.width = 492, .height = 220}), "accuracy") + "</div>\n";
  return section("Training", name(input.history.session().info.data), body);
}

std::string howItRan(const ReportInput& input, const ReportFacts& facts) {
  const RunInfo& info = input.history.session().info;
  const analysis::RunHistory& h = input.history;
  std::string list = "<dl class=\"facts\">\n";
  list += fact("network", fmt::format("{}, batch {}, {} lowering", facts.workload->net, facts.workload->batch, facts.workload->lowering));
  list += fact("techniques", techniquesText(facts.plan->options));
  list += fact("layouts and workspaces", facts.workload->library);
  list += fact("backend", info.backendDetail.empty() ? info.backend : info.backend + ": " + info.backendDetail);
  list += fact("device", h.session().device.name);
  list += fact("times", info.timeSource);
  list += fact("data", info.data);
  list += fact("seed, threads", fmt::format("{}, {}", info.seed, info.threads));
  list += fact("iterations", fmt::format("{}, {}", grouped(static_cast<std::int64_t>(h.iterations().size())), toString(h.state().state)));
  if (h.firstKept() > 0)
    list += fact("step times kept", fmt::format("from iteration {} on; older iterations keep their peaks, losses and durations", grouped(h.firstKept())));
  list += fact("plans", fmt::format("{}", h.plans().size()));
  list += fact("started", formatDate(info.startedUnixNs));
  list += fact("program", info.program);
  list += "</dl>\n";
  if (!info.commandLine.empty()) list += "<pre>" + escapeMarkup(shorten(info.commandLine, 4000)) + "</pre>\n";
  return section("How it ran", "", list);
}

std::string notices(const ReportInput& input) {
  const auto& all = input.history.notices();
  if (all.empty()) return {};
  constexpr std::size_t limit = 200;
  Table t{{">at", "kind", "notice"}, {}};
  constexpr std::array words{"info", "warning", "error"};
  for (std::size_t i = 0; i < all.size() && i < limit; ++i)
    t.rows.push_back({formatDuration(all[i].timeNs), words[static_cast<std::size_t>(all[i].severity)], name(all[i].text)});
  const std::string note = all.size() > limit ? fmt::format("The first {} of {}.", limit, grouped(static_cast<std::int64_t>(all.size()))) : "";
  return section("Notices", note, table(t));
}

std::string words() {
  return section("Words", "",
                 "<dl class=\"facts\">\n"
                 "<dt>scheduled</dt><dd>elements × type of layer outputs and their gradients: the number that papers compare, equal on every backend</dd>\n"
                 "<dt>total</dt><dd>what all tensors on the device take in their layouts, weights and workspaces included</dd>\n"
                 "<dt>arena</dt><dd>extent of the addresses in use, rounding and holes included; a budget caps it</dd>\n"
                 "<dt>step</dt><dd>one layer forward or backward, counted from 1; loading the batch is step 0</dd>\n"
                 "<dt>keep-all</dt><dd>the same network with every tensor allocated for the whole iteration</dd>\n"
                 "<dt>recomputed</dt><dd>an output that was dropped and rebuilt by running its layers again</dd>\n"
                 "<dt>offload, prefetch</dt><dd>copying an output to the host after its last forward reader, and back before its backward reader</dd>\n"
                 "<dt>MiB</dt><dd>2<sup>20</sup> bytes</dd>\n"
                 "</dl>\n");
}

}  // namespace peakscope::report::html
