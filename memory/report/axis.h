// SPDX-License-Identifier: Apache-2.0
//
// Axes of figures: round tick values, and the x-axis that the memory and the lane chart share to the pixel.
// Everything here is finite for any input: nothing, one value, zero length, not-a-number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/log_record.h"
#include "memory/plan.h"

namespace peakscope::report {

struct Ticks {
  std::vector<double> values;   ///< ascending, multiples of step inside [low, high]
  double step = 1;
  int decimals = 0;             ///< digits that tell neighbours apart
};
/// Ticks at 1, 2 or 5 times a power of ten, at most `atMost` (at least 2).
[[nodiscard]] Ticks roundTicks(double low, double high, int atMost);

/// value in [low, high] -> px in [from, to]; the middle when the range is empty.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0;
  double to = 1;
  [[nodiscard]] double operator()(double value) const;
};

enum class XUnit : std::uint8_t { Step, Time };

/// x of plan steps. Step: slots of equal width, one per paper step, time linear inside a slot. Time: true lengths.
/// Without times the unit is Step, and lanes have nothing to show.
class XAxis {
 public:
  XAxis(const Plan& plan, std::span<const StepTime> times, double left, double width, XUnit unit);

  [[nodiscard]] XUnit unit() const { return m_unit; }
  [[nodiscard]] bool hasTimes() const { return m_hasTimes; }
  [[nodiscard]] double left() const { return m_left; }
  [[nodiscard]] double right() const { return m_left + m_width; }
  [[nodiscard]] PaperStep firstStep() const { return m_first; }
  [[nodiscard]] PaperStep lastStep() const { return m_last; }
  [[nodiscard]] std::int64_t beginNs() const { return m_slotNs.front(); }
  [[nodiscard]] std::int64_t endNs() const { return m_slotNs.back(); }

  [[nodiscard]] double slotLeft(PaperStep step) const;
  [[nodiscard]] double slotMiddle(PaperStep step) const { return (slotLeft(step) + slotLeft(step + 1)) / 2; }
  [[nodiscard]] double atTime(std::int64_t ns) const;

  /// Where a moment of the curve stands: the state after `point` holds over [x0, x1).
  struct Column {
    double x0 = 0;
    double x1 = 0;
    std::int32_t point = 0;
  };
  /// One column per paper step (Step) or per pixel (Time), or per pixel where steps are narrower; it shows the point with
  /// the greatest value in it, the first if several. `value` has one entry per plan step.
  [[nodiscard]] std::vector<Column> columns(std::span<const std::int64_t> value) const;

 private:
  [[nodiscard]] std::vector<Column> stepColumns(std::span<const std::int64_t> value) const;
  [[nodiscard]] std::vector<Column> timeColumns(std::span<const std::int64_t> value) const;

  double m_left;
  double m_width;
  XUnit m_unit;
  bool m_hasTimes;
  PaperStep m_first = 0;
  PaperStep m_last = 0;
  std::vector<PaperStep> m_stepOf;         ///< per plan step
  std::vector<std::int64_t> m_pointNs;     ///< per plan step: when the compute lane got there; ascending
  std::vector<std::int64_t> m_slotNs;      ///< per paper step from m_first, and the end
};

}  // namespace peakscope::report
