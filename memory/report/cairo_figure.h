// SPDX-License-Identifier: Apache-2.0
//
// PDF and PNG of a display list, drawn by cairo. The PDF's date is the run's, not the day's.
//
//   Result<std::string> pdf = pdfDocument(figure, {.title = "AlexNet", .createdUnixNs = info.startedUnixNs});
//   Result<std::string> png = pngImage(figure, {.scale = 2});
#pragma once

#include <cstdint>
#include <string>

#include "memory/report/display_list.h"
#include "memory/result.h"

namespace peakscope::report {

struct PdfOptions {
  Theme theme = Theme::Light;
  std::string title;
  std::int64_t createdUnixNs = 0;
  double widthMillimetres = 0;   ///< 0: 1 px is 1/96 inch; the height follows
};
struct PngOptions {
  Theme theme = Theme::Light;
  double scale = 1;              ///< pixels per px of the figure
};
[[nodiscard]] Result<std::string> pdfDocument(const DisplayList& figure, const PdfOptions& options = {});
[[nodiscard]] Result<std::string> pngImage(const DisplayList& figure, const PngOptions& options = {});

}  // namespace peakscope::report
