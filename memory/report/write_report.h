// SPDX-License-Identifier: Apache-2.0
//
// Reports as files. Each file is written beside its place and renamed into it: a reader never sees half of one, and a full
// disk leaves what was there. Errors are one line that names the file and the reason.
//
//   if (const auto done = writeHtml("run.html", input); !done) return fail(done.error());
#pragma once

#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string_view>
#include <vector>

#include "memory/report/report_facts.h"

namespace peakscope::report {

[[nodiscard]] Result<void> writeFile(const std::filesystem::path& path, std::string_view bytes);
/// The same for content that is streamed.
[[nodiscard]] Result<void> writeFile(const std::filesystem::path& path, const std::function<void(std::ostream&)>& write);

/// Makes the folder if it is not there.
[[nodiscard]] Result<void> ensureFolder(const std::filesystem::path& folder);

[[nodiscard]] Result<void> writeHtml(const std::filesystem::path& path, const ReportInput& input);
[[nodiscard]] Result<void> writeSummaryJson(const std::filesystem::path& path, const ReportInput& input);
/// events.csv, steps.csv, runs.csv; the folder is made if it is not there.
[[nodiscard]] Result<void> writeCsv(const std::filesystem::path& folder, const ReportInput& input);

enum class FigureFormat : std::uint8_t { Svg, Pdf, Png };
/// memory.*, memory-total.*, lanes.*, loss.*, accuracy.* in a folder; charts without data are left out.
[[nodiscard]] Result<void> writeFigures(const std::filesystem::path& folder, const ReportInput& input, FigureFormat format);
/// One figure; the format follows the file's ending (.svg, .pdf, .png). createdUnixNs: the run's date, for PDF.
[[nodiscard]] Result<void> writeFigure(const std::filesystem::path& path, const DisplayList& figure, std::int64_t createdUnixNs);

struct Figure {
  std::string name;      ///< "memory": file name without its ending
  DisplayList drawing;
};
/// All charts of a run that have data.
[[nodiscard]] std::vector<Figure> figuresOf(const ReportInput& input, const ReportFacts& facts);

}  // namespace peakscope::report
