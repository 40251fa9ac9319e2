// SPDX-License-Identifier: Apache-2.0
//
// Words and numbers of figures and pages: harmless text out of any bytes, and numbers that look the same everywhere
// whatever the locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "memory/bytes.h"

namespace peakscope::report {

/// Valid UTF-8: each maximal invalid piece and each control character becomes U+FFFD; tab and line breaks become spaces.
[[nodiscard]] std::string cleanText(std::string_view bytes);
/// cleanText, with & < > " ' escaped: fit for XML and HTML text and attributes.
[[nodiscard]] std::string escapeMarkup(std::string_view bytes);
/// An argument as a POSIX shell takes it: as it is if it is plain, else in quotes.
[[nodiscard]] std::string shellWord(std::string_view argument);
/// At most `limit` characters (code points), the middle cut out with an ellipsis: names differ at both ends.
[[nodiscard]] std::string shorten(std::string_view bytes, std::int32_t limit);

/// Width in px of text in DejaVu Sans, from a table: layout must not depend on installed fonts.
[[nodiscard]] double textWidth(std::string_view text, double size, bool isBold = false);

/// "12,345", with U+2212 as minus.
[[nodiscard]] std::string grouped(std::int64_t value);
/// "1,489.355": MiB with thousands separators.
[[nodiscard]] std::string groupedMiB(Bytes bytes, int decimals = 3);
/// "12.3 ms", "845 µs", "3.2 s".
[[nodiscard]] std::string formatDuration(std::int64_t nanoseconds);
/// Fixed digits, trailing zeros cut, never "-0" nor an exponent; not finite: "0". For coordinates.
[[nodiscard]] std::string shortNumber(double value, int decimals = 2);
/// "57.8 %"
[[nodiscard]] std::string formatPercent(double share, int decimals = 1);
/// "2026-03-01 12:30:05 UTC"; 0: "".
[[nodiscard]] std::string formatDate(std::int64_t unixNanoseconds);
/// "2026-03-01T12:30:05Z"; 0: "".
[[nodiscard]] std::string isoDate(std::int64_t unixNanoseconds);

}  // namespace peakscope::report
