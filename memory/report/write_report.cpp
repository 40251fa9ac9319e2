// SPDX-License-Identifier: Apache-2.0
#include "memory/report/write_report.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <random>

#include "memory/report/cairo_figure.h"
#include "memory/report/csv.h"
#include "memory/report/html_report.h"
#include "memory/report/lane_chart.h"
#include "memory/report/summary_json.h"
#include "memory/report/svg.h"
#include "memory/report/training_chart.h"

namespace peakscope::report {
namespace {

namespace fs = std::filesystem;

std::string reason(int error) { return error != 0 ? std::strerror(error) : "the write failed"; }

/// A name in the same folder that nobody else has: rename works within one file system only.
fs::path besides(const fs::path& path) {
  std::random_device entropy;
  return path.parent_path() / fmt::format(".{}.{:08x}.part", path.filename().string(), entropy());
}

/// What the rename replaces: a link's target, never the link, and never a device or a pipe, which a file would take the place of.
Result<fs::path> replaceable(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    return deviceFailed(fmt::format("cannot write {}: it is not a file; name a file", path.string()));
  return fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
}

std::string titleOf(const ReportInput& input) {
  return fmt::format("{}, batch {}", input.history.workload().net, input.history.workload().batch);
}

}  // namespace

Result<void> ensureFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return deviceFailed(fmt::format("cannot make the folder {}: {}", folder.string(), error.message()));
  return {};
}

Result<void> writeFile(const fs::path& asked, const std::function<void(std::ostream&)>& write) {
  const auto target = replaceable(asked);
  if (!target) return fail(target.error());
  const fs::path& path = *target;
  const fs::path part = besides(path);
  errno = 0;
  std::ofstream out{part, std::ios::binary | std::ios::trunc};
  if (!out) return deviceFailed(fmt::format("cannot write {}: {}", path.string(), reason(errno)));
  write(out);
  out.close();
  const int writeError = errno;
  std::error_code error;
  if (!out) {
    fs::remove(part, error);
    return deviceFailed(fmt::format("cannot write {}: {}; what was there is unchanged", path.string(), reason(writeError)));
  }
  fs::rename(part, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(part, ignored);
    return deviceFailed(fmt::format("cannot write {}: {}", path.string(), error.message()));
  }
  return {};
}

Result<void> writeFile(const fs::path& path, std::string_view bytes) {
  return writeFile(path, [&](std::ostream& out) { out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); });
}

Result<void> writeHtml(const fs::path& path, const ReportInput& input) {
  const auto page = htmlReport(input);
  if (!page) return fail(page.error());
  return writeFile(path, std::string_view{*page});
}

Result<void> writeSummaryJson(const fs::path& path, const ReportInput& input) {
  const auto facts = reportFacts(input);
  if (!facts) return fail(facts.error());
  return writeFile(path, std::string_view{summaryJson(input, *facts)});
}

Result<void> writeCsv(const fs::path& folder, const ReportInput& input) {
  const auto facts = reportFacts(input);
  if (!facts) return fail(facts.error());
  if (auto made = ensureFolder(folder); !made) return made;
  if (auto done = writeFile(folder / "events.csv", [&](std::ostream& out) { writeEventsCsv(out, input.history); }); !done) return done;
  if (auto done = writeFile(folder / "steps.csv", [&](std::ostream& out) { writeStepsCsv(out, *facts); }); !done) return done;
  const std::vector<RunRow> rows{{input, *facts}};
  return writeFile(folder / "runs.csv", [&](std::ostream& out) { writeRunsCsv(out, rows); });
}

std::vector<Figure> figuresOf(const ReportInput& input, const ReportFacts& facts) {
  const MemoryChartInput memory{*facts.workload, *facts.plan, facts.measured, facts.predicted, facts.times,
                                input.replanned.baseline, facts.plan->options.budget};
  std::vector<Figure> figures;
  figures.push_back({"memory", memoryChart(memory)});
  figures.push_back({"memory-total", memoryChart(memory, {.view = MemoryView::Total})});
  if (!facts.events.empty()) {
    figures.push_back({"lanes", laneChart({*facts.workload, *facts.plan, facts.events, facts.times})});
    figures.push_back({"memory-time", memoryChart(memory, {.x = XUnit::Time})});
    figures.push_back({"lanes-time", laneChart({*facts.workload, *facts.plan, facts.events, facts.times}, {.x = XUnit::Time})});
  }
  const auto& iterations = input.history.iterations();
  if (std::ranges::any_of(iterations, [](const IterationDone& i) { return std::isfinite(i.loss); }))
    figures.push_back({"loss", lossChart(iterations, {.width = 640, .height = 240})});
  if (!input.history.epochs().empty()) figures.push_back({"accuracy", accuracyChart(input.history.epochs(), {.width = 640, .height = 240})});
  return figures;
}

Result<void> writeFigure(const fs::path& path, const DisplayList& figure, std::int64_t createdUnixNs) {
  const std::string ending = path.extension().string();
  if (ending == ".svg") return writeFile(path, std::string_view{svgDocument(figure)});
  if (ending != ".pdf" && ending != ".png")
    return badInput(fmt::format("cannot write {}: a figure is a .svg, .pdf or .png file", path.string()));
  const auto bytes = ending == ".pdf" ? pdfDocument(figure, {.title = figure.title, .createdUnixNs = createdUnixNs}) : pngImage(figure, {.scale = 2});
  if (!bytes) return fail(bytes.error());
  return writeFile(path, std::string_view{*bytes});
}

Result<void> writeFigures(const fs::path& folder, const ReportInput& input, FigureFormat format) {
  const auto facts = reportFacts(input);
  if (!facts) return fail(facts.error());
  if (auto made = ensureFolder(folder); !made) return made;
  constexpr std::array endings{".svg", ".pdf", ".png"};
  for (Figure& figure : figuresOf(input, *facts)) {
    figure.drawing.title = titleOf(input) + ": " + figure.drawing.title;
    const fs::path path = folder / (figure.name + endings[static_cast<std::size_t>(format)]);
    if (auto done = writeFigure(path, figure.drawing, input.history.session().info.startedUnixNs); !done) return done;
  }
  return {};
}

}  // namespace peakscope::report
