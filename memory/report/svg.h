// SPDX-License-Identifier: Apache-2.0
//
// SVG of a display list, written by us: the same list gives the same bytes on every machine.
//
//   writeText(path, svgDocument(figure, {.theme = Theme::Light}));      // a file of its own
//   page += svgInline(figure, "memory");                                // inside HTML: colours are classes, see svgStyle()
#pragma once

#include <string>
#include <string_view>

#include "memory/report/display_list.h"

namespace peakscope::report {

struct SvgOptions {
  Theme theme = Theme::Light;
};
[[nodiscard]] std::string svgDocument(const DisplayList& figure, const SvgOptions& options = {});

/// An <svg> element for a page that contains svgStyle(): it follows the page's light or dark scheme. `id` keeps the
/// names of patterns and clips apart and must be unique in the page.
[[nodiscard]] std::string svgInline(const DisplayList& figure, std::string_view id);

/// The style sheet of svgInline: one class per colour, custom properties per theme.
[[nodiscard]] std::string svgStyle();

}  // namespace peakscope::report
