// SPDX-License-Identifier: Apache-2.0
#include "memory/report/text.h"

#include <array>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace peakscope::report {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t length = 1;   ///< bytes it takes; of an invalid piece, bytes to skip
  bool isValid = false;
};

/// The code point at the start of `bytes` (not empty), after the table of well-formed sequences in the Unicode standard.
CodePoint decode(std::string_view bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(bytes[i]); };
  const std::uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : (lead & 0xF0) == 0xE0 ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
  if (length == 0) return {};
  std::uint32_t value = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if (i >= bytes.size()) return {0, i, false};
    const std::uint8_t next = byte(i);
    std::uint8_t low = 0x80, high = 0xBF;
    if (i == 1 && lead == 0xE0) low = 0xA0;
    if (i == 1 && lead == 0xED) high = 0x9F;   // no surrogates
    if (i == 1 && lead == 0xF0) low = 0x90;
    if (i == 1 && lead == 0xF4) high = 0x8F;
    if (next < low || next > high) return {0, i, false};
    value = (value << 6) | (next & 0x3Fu);
  }
  return {value, length, true};
}

bool isControl(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c & 0xFFFEu) == 0xFFFEu || (c >= 0xFDD0 && c <= 0xFDEF);
}
/// Marks that would turn the direction of all text behind them.
bool isDirection(std::uint32_t c) { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

constexpr std::array<std::int16_t, 95> regularWidths{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635,
    634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838};
constexpr std::array<std::int16_t, 95> boldWidths{
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696, 696, 696,
    696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775, 637, 995, 837, 850,
    733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716,
    712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838};

/// Thousandths of the size; characters outside of the table count like a digit, wide ones like two.
int advance(std::uint32_t c, bool isBold) {
  if (c >= 32 && c < 127) return (isBold ? boldWidths : regularWidths)[c - 32];
  if (c == 0xB7) return isBold ? 380 : 318;                        // middle dot
  if (c == 0x2212 || c == 0xD7 || c == 0xB1) return 838;           // minus, times, plus-minus
  if (c == 0x2026) return 1000;
  return c >= 0x1100 ? 1000 : 650;
}

std::string withSeparators(std::string digits) {
  const auto end = digits.find('.');
  auto at = static_cast<std::ptrdiff_t>(end == std::string::npos ? digits.size() : end) - 3;
  for (; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), ",");
  return digits;
}

struct Date {
  int year;
  unsigned month, day;
  std::int64_t seconds;   ///< of the day
};
Date dateOf(std::int64_t unixNanoseconds) {
  const auto since = std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds{unixNanoseconds});
  const auto days = std::chrono::floor<std::chrono::days>(since);
  const std::chrono::year_month_day day{std::chrono::sys_days{days}};
  return {static_cast<int>(day.year()), static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
          (since - days).count()};
}

}  // namespace

std::string cleanText(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  while (!bytes.empty()) {
    const CodePoint c = decode(bytes);
    if (c.isValid && (c.value == '\t' || c.value == '\n' || c.value == '\r')) text += ' ';
    else if (!c.isValid || isControl(c.value) || isDirection(c.value)) text += replacement;
    else text += bytes.substr(0, c.length);
    bytes.remove_prefix(c.length);
  }
  return text;
}

std::string escapeMarkup(std::string_view bytes) {
  std::string escaped;
  for (const char c : cleanText(bytes)) {
    switch (c) {
      case '&': escaped += "&amp;"; break;
      case '<': escaped += "&lt;"; break;
      case '>': escaped += "&gt;"; break;
      case '"': escaped += "&quot;"; break;
      case '\'': escaped += "&#39;"; break;
      default: escaped += c;
    }
  }
  return escaped;
}

std::string shellWord(std::string_view argument) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=,+-";
  if (!argument.empty() && argument.find_first_not_of(plain) == std::string_view::npos) return std::string(argument);
  std::string word = "'";
  for (const char c : argument) word += c == '\'' ? std::string_view("'\\''") : std::string_view(&c, 1);
  return word + '\'';
}

std::string shorten(std::string_view bytes, std::int32_t limit) {
  const std::string text = cleanText(bytes);
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); i += decode(std::string_view{text}.substr(i)).length) starts.push_back(i);
  const auto count = static_cast<std::int32_t>(starts.size());
  if (count <= limit) return text;
  const std::int32_t kept = std::max(0, limit - 1);
  const std::int32_t head = (kept + 1) / 2;
  const std::int32_t tail = kept - head;
  const std::string_view whole = text;
  return fmt::format("{}…{}", whole.substr(0, starts[static_cast<std::size_t>(head)]),
                     tail > 0 ? whole.substr(starts[static_cast<std::size_t>(count - tail)]) : std::string_view{});
}

double textWidth(std::string_view text, double size, bool isBold) {
  std::int64_t thousandths = 0;
  while (!text.empty()) {
    const CodePoint c = decode(text);
    thousandths += advance(c.value, isBold);
    text.remove_prefix(c.length);
  }
  return static_cast<double>(thousandths) * size / 1000;
}

std::string grouped(std::int64_t value) {
  const std::string digits = fmt::format("{}", value);
  return value < 0 ? fmt::format("−{}", withSeparators(digits.substr(1))) : withSeparators(digits);
}

std::string groupedMiB(Bytes bytes, int decimals) {
  const std::string digits = formatMiB(bytes, decimals);
  return digits.starts_with('-') ? fmt::format("−{}", withSeparators(digits.substr(1))) : withSeparators(digits);
}

std::string formatDuration(std::int64_t nanoseconds) {
  const bool isNegative = nanoseconds < 0;
  double value = std::abs(static_cast<double>(nanoseconds));
  constexpr std::array units{"ns", "µs", "ms", "s"};
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return fmt::format("{}{} {}", isNegative ? "−" : "", withSeparators(fmt::format("{:.{}f}", value, decimals)), units[unit]);
}

std::string shortNumber(double value, int decimals) {
  if (!std::isfinite(value)) return "0";
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return digits == "-0" ? "0" : digits;
}

std::string formatPercent(double share, int decimals) {
  const std::string digits = fmt::format("{:.{}f}", std::isfinite(share) ? std::abs(share) * 100 : 0, decimals);
  return fmt::format("{}{} %", share < 0 ? "−" : "", digits);
}

std::string formatDate(std::int64_t unixNanoseconds) {
  if (unixNanoseconds == 0) return {};
  const Date d = dateOf(unixNanoseconds);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", d.year, d.month, d.day, d.seconds / 3600,
                     d.seconds / 60 % 60, d.seconds % 60);
}

std::string isoDate(std::int64_t unixNanoseconds) {
  if (unixNanoseconds == 0) return {};
  const Date d = dateOf(unixNanoseconds);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", d.year, d.month, d.day, d.seconds / 3600, d.seconds / 60 % 60,
                     d.seconds % 60);
}

}  // namespace peakscope::report
