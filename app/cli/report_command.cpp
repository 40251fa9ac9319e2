// SPDX-License-Identifier: Apache-2.0
//
// `report`: a trace in, files out; the same functions as the window's export.
#include <fmt/format.h>
#include <iostream>
#include <ostream>

#include "app/cli/commands.h"
#include "memory/analysis/run_history.h"
#include "memory/report/replan.h"
#include "memory/report/write_report.h"
#include "memory/trace/trace_file.h"

namespace peakscope::cli {

Result<int> report(std::ostream& out, const ReportRequest& request) {
  const auto trace = readTrace(request.trace);
  if (!trace) return fail(trace.error());
  for (const std::string& problem : trace->problems) std::cerr << "peakscope: " << request.trace.string() << ": " << problem << '\n';
  if (!trace->wasClosed) std::cerr << "peakscope: " << request.trace.string() << ": the recording did not finish; this is what was committed\n";

  analysis::RunHistory history;
  for (const LogRecord& record : trace->records) history.add(record);
  if (!history.hasSession()) return badInput(fmt::format("{}: holds no session; record one with peakscope-cli train NET --trace FILE", request.trace.string()));

  const report::ReportInput input{.history = history, .replanned = report::replan(history)};
  bool isAsked = false;
  const auto write = [&](const std::filesystem::path& target, const auto& writer) -> Result<void> {
    if (target.empty()) return {};
    isAsked = true;
    if (const auto written = writer(target); !written) return written;
    out << target.string() << '\n';
    return {};
  };
  using report::FigureFormat;
  const auto figures = [&](FigureFormat format) {
    return [&, format](const std::filesystem::path& folder) { return report::writeFigures(folder, input, format); };
  };
  for (const auto& done : {write(request.html, [&](const auto& path) { return report::writeHtml(path, input); }),
                           write(request.csvDir, [&](const auto& path) { return report::writeCsv(path, input); }),
                           write(request.json, [&](const auto& path) { return report::writeSummaryJson(path, input); }),
                           write(request.svgDir, figures(FigureFormat::Svg)), write(request.pdfDir, figures(FigureFormat::Pdf)),
                           write(request.pngDir, figures(FigureFormat::Png))})
    if (!done) return fail(done.error());
  if (!isAsked) return badInput("report: nothing to write; name at least one of --html FILE, --csv DIR, --json FILE, --svg DIR, --pdf DIR, --png DIR");
  return 0;
}

}  // namespace peakscope::cli
