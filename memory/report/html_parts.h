// SPDX-License-Identifier: Apache-2.0
//
// The sections of the HTML report, each a piece of markup. Internal to memory/report.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "memory/report/display_list.h"
#include "memory/report/report_facts.h"

namespace peakscope::report::html {

/// A table: heads and rows of escaped cells. Columns whose head starts with '>' are numbers, set right.
struct Table {
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::vector<std::string>> totals = {};   ///< bold rows at the end
  bool isNarrow = false;                               ///< few short columns: not over the whole width
};
[[nodiscard]] std::string table(const Table& t);
[[nodiscard]] std::string swatch(Colour colour);
/// Escaped and not longer than a column can bear.
[[nodiscard]] std::string name(std::string_view text);
[[nodiscard]] std::string section(std::string_view title, std::string_view note, std::string_view body);

[[nodiscard]] std::string styleSheet();

[[nodiscard]] std::string header(const ReportInput& input, const ReportFacts& facts);
[[nodiscard]] std::string headline(const ReportInput& input, const ReportFacts& facts);
/// What a reader must know before believing the numbers: drops, differences, errors. Empty if there is nothing.
[[nodiscard]] std::string warnings(const ReportInput& input, const ReportFacts& facts);
[[nodiscard]] std::string timeline(const ReportInput& input, const ReportFacts& facts);
[[nodiscard]] std::string liveAtPeak(const ReportFacts& facts);
[[nodiscard]] std::string techniques(const ReportInput& input, const ReportFacts& facts);
[[nodiscard]] std::string training(const ReportInput& input);
[[nodiscard]] std::string layers(const ReportFacts& facts);
[[nodiscard]] std::string reconcile(const ReportFacts& facts);
[[nodiscard]] std::string howItRan(const ReportInput& input, const ReportFacts& facts);
[[nodiscard]] std::string notices(const ReportInput& input);
[[nodiscard]] std::string words();

}  // namespace peakscope::report::html
