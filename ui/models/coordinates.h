// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coordinates: values (int64 bytes, nanoseconds, step positions) to pixels and back, and the ticks of an axis. Subtracts
// as integers first and converts afterwards, so that one nanosecond a pixel works at t = 1.7e18. Always finite.
//
//   const AxisMap x{.first = t0, .last = t0 + 800, .pixelFirst = 88, .pixelLast = 888};
//   x.toPixel(t0 + 1);                       // 89
//   x.toValue(89.2);                         // t0 + 1
//   for (const Tick& tick : ticks({.unit = AxisUnit::MiB, .first = 0, .last = peak, .wanted = 5})) ...
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace peakscope::ui {

/// The step axis counts in these: a step is a slot of this many units, time is linear inside a slot.
inline constexpr std::int64_t unitsPerStep = std::int64_t{1} << 20;
[[nodiscard]] constexpr std::int64_t stepPosition(std::int64_t step) { return step * unitsPerStep; }
/// The step whose slot holds `position`.
[[nodiscard]] constexpr std::int64_t stepAt(std::int64_t position) {
  return position >= 0 ? position / unitsPerStep : -((-position + unitsPerStep - 1) / unitsPerStep);
}

/// a - b in double, exact in the difference even where a - b overflows an int64.
[[nodiscard]] double difference(std::int64_t a, std::int64_t b);
/// a + b, at the ends of int64 instead of past them.
[[nodiscard]] std::int64_t saturatingAdd(std::int64_t a, double b);

/// A range of values on a range of pixels, each in either direction. A range with first >= last counts as one unit wide.
struct AxisMap {
  std::int64_t first = 0;
  std::int64_t last = 1;
  double pixelFirst = 0;
  double pixelLast = 1;

  [[nodiscard]] double span() const;            ///< values, at least 1
  [[nodiscard]] double unitsPerPixel() const;   ///< > 0
  [[nodiscard]] double toPixel(std::int64_t value) const;
  [[nodiscard]] std::int64_t toValue(double pixel) const;
};

/// Columns of one pixel, anchored in data space: column k starts at ceil(k * span / width), so that panning moves whole
/// columns and never what is in one.
class ColumnGrid {
 public:
  /// `width` pixels for [first, last).
  ColumnGrid(std::int64_t first, std::int64_t last, int width);
  [[nodiscard]] std::int64_t firstColumn() const { return m_firstColumn; }
  /// First value of the column `column` pixels right of the left edge.
  [[nodiscard]] std::int64_t begin(int column) const;
  [[nodiscard]] std::int64_t end(int column) const { return begin(column + 1); }

 private:
  std::int64_t m_span;
  int m_width;
  std::int64_t m_firstColumn;
};

/// A range of values in view; integers, so that panning keeps the width exactly.
struct ViewRange {
  std::int64_t first = 0;
  std::int64_t last = 1;
  [[nodiscard]] double span() const { return difference(last, first); }
  friend bool operator==(ViewRange, ViewRange) = default;
};
/// Scales by `factor` (< 1: in) about `centre`; never narrower than `narrowest` units, never past int64.
[[nodiscard]] ViewRange zoomed(ViewRange range, std::int64_t centre, double factor, std::int64_t narrowest = 16);
/// Moves by `units` with the same width; stops at the ends of int64.
[[nodiscard]] ViewRange panned(ViewRange range, std::int64_t units);
/// Moved, and narrowed if it must be, to lie inside `limits`.
[[nodiscard]] ViewRange clamped(ViewRange range, ViewRange limits);

enum class AxisUnit : std::uint8_t { MiB, Nanoseconds, Steps, Plain };

struct TickRequest {
  AxisUnit unit = AxisUnit::Plain;
  std::int64_t first = 0;    ///< in view
  std::int64_t last = 1;
  std::int64_t origin = 0;   ///< what is labelled 0: the start of the run on a time axis
  int wanted = 6;            ///< at most about this many
};
struct Tick {
  std::int64_t value = 0;
  std::string label;         ///< without its unit; thousands have commas, minus is U+2212
};
[[nodiscard]] std::vector<Tick> ticks(const TickRequest& request);
/// "MiB", "ms", "step": the unit that the labels of `ticks` are in.
[[nodiscard]] std::string tickUnit(const TickRequest& request);

/// "1,489.355": `value` with `decimals` digits, commas for thousands, U+2212 for minus.
[[nodiscard]] std::string formatNumber(double value, int decimals);

}  // namespace peakscope::ui
