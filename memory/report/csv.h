// SPDX-License-Identifier: Apache-2.0
//
// CSV tables after RFC 4180: comma, CRLF, quotes doubled, one head line. Bytes and ns are exact integers. A text that a
// spreadsheet would take for a formula gets a leading apostrophe.
//
//   std::ofstream out{path, std::ios::binary};
//   writeEventsCsv(out, history);
#pragma once

#include <iosfwd>
#include <span>
#include <string>
#include <string_view>

#include "memory/analysis/run_history.h"
#include "memory/report/report_facts.h"

namespace peakscope::report {

/// A text as a field, quoted and made harmless where needed.
[[nodiscard]] std::string csvField(std::string_view text);

/// One line per event of every iteration whose step times are kept, streamed: memory does not grow with the run.
void writeEventsCsv(std::ostream& out, const analysis::RunHistory& history);
/// One line per event of one iteration, for tables that show just that.
void writeEventsCsv(std::ostream& out, const Workload& workload, std::span<const analysis::Event> events);
/// One line per paper step of the iteration that the report draws.
void writeStepsCsv(std::ostream& out, const ReportFacts& facts);

struct RunRow {
  const ReportInput& input;
  const ReportFacts& facts;
};
/// One line per run.
void writeRunsCsv(std::ostream& out, std::span<const RunRow> runs);

}  // namespace peakscope::report
