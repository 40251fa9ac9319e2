// SPDX-License-Identifier: Apache-2.0
//
// `report`: a trace in, files out; the same functions as the window's export.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "memory/analysis/run_history.h"
#include "memory/report/replan.h"
#include "memory/report/write_report.h"
#include "memory/trace/trace_file.h"

namespace peakscope::cli {
namespace {

namespace fs = std::filesystem;

bool isSameFile(const fs::path& a, const fs::path& b) {
  std::error_code ignored;
  const auto whole = [&](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path, ignored), ignored); };
  return !a.empty() && !b.empty() && whole(a) == whole(b);
}

/// Every file is replaced as a whole: two results of one name, or one of the trace's name, would lose something.
Result<void> checkTargets(const ReportRequest& request) {
  const std::array targets{request.html, request.csvDir, request.json, request.svgDir, request.pdfDir, request.pngDir};
  if (std::ranges::all_of(targets, [](const fs::path& target) { return target.empty(); }))
    return badInput("report: nothing to write; name at least one of --html FILE, --csv DIR, --json FILE, --svg DIR, --pdf DIR, --png DIR");
  for (const fs::path& file : {request.html, request.json})
    if (isSameFile(file, request.trace)) return badInput(fmt::format("report: {} is the trace itself; name another file", file.string()));
  if (isSameFile(request.html, request.json)) return badInput(fmt::format("report: --html and --json are both {}; name two files", request.html.string()));
  return {};
}

Result<void> writeAll(const ReportRequest& request, const report::ReportInput& input) {
  using report::FigureFormat;
  const auto write = [&](const fs::path& target, auto writer, auto... more) { return target.empty() ? Result<void>{} : writer(target, input, more...); };
  if (auto done = write(request.html, report::writeHtml); !done) return done;
  if (auto done = write(request.csvDir, report::writeCsv); !done) return done;
  if (auto done = write(request.json, report::writeSummaryJson); !done) return done;
  if (auto done = write(request.svgDir, report::writeFigures, FigureFormat::Svg); !done) return done;
  if (auto done = write(request.pdfDir, report::writeFigures, FigureFormat::Pdf); !done) return done;
  return write(request.pngDir, report::writeFigures, FigureFormat::Png);
}

}  // namespace

Result<int> report(std::ostream& out, const ReportRequest& request) {
  if (const auto checked = checkTargets(request); !checked) return fail(checked.error());
  const auto trace = readTrace(request.trace);
  if (!trace) return fail(trace.error());
  analysis::RunHistory history;
  for (const LogRecord& record : trace->records) history.add(record);
  if (!history.hasSession()) return badInput(fmt::format("{}: holds no session; record one with peakscope-cli train NET --trace FILE", request.trace.string()));
  if (const auto written = writeAll(request, {.history = history, .replanned = report::replan(history)}); !written) return fail(written.error());

  for (const fs::path& target : {request.html, request.csvDir, request.json, request.svgDir, request.pdfDir, request.pngDir})
    if (!target.empty()) out << target.string() << '\n';
  for (const std::string& problem : trace->problems) tell(fmt::format("{}: {}", request.trace.string(), problem));
  if (!trace->wasClosed) tell(fmt::format("{}: the recording did not finish; this is what was committed", request.trace.string()));
  return 0;
}

}  // namespace peakscope::cli
