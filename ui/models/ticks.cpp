// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ticks at 1, 2 or 5 times a power of ten of the unit; whole steps on a step axis; labels in the unit that fits the range.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "ui/models/coordinates.h"

namespace peakscope::ui {
namespace {

struct Scale {
  const char* unit;
  double size;      ///< in axis values
};

Scale scaleOf(const TickRequest& request) {
  const double span = std::max(1.0, difference(request.last, request.first));
  switch (request.unit) {
    case AxisUnit::MiB: return {"MiB", 1024.0 * 1024.0};
    case AxisUnit::Steps: return {"step", static_cast<double>(unitsPerStep)};
    case AxisUnit::Plain: return {"", 1};
    case AxisUnit::Nanoseconds: break;
  }
  if (span >= 2e9) return {"s", 1e9};
  if (span >= 2e6) return {"ms", 1e6};
  if (span >= 2e3) return {"µs", 1e3};
  return {"ns", 1};
}

/// The least of 1, 2, 5 times a power of ten that is not below `least`.
double niceStep(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

std::string formatNumber(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  char digits[400];
  std::snprintf(digits, sizeof digits, "%.*f", std::clamp(decimals, 0, 12), std::abs(value));
  std::string text = digits;
  const bool isZero = text.find_first_not_of("0.") == std::string::npos;
  auto end = text.find('.');
  if (end == std::string::npos) end = text.size();
  for (auto at = static_cast<std::ptrdiff_t>(end) - 3; at > 0; at -= 3) text.insert(static_cast<std::size_t>(at), 1, ',');
  if (value < 0 && !isZero) text.insert(0, "\u2212");
  return text;
}

std::string tickUnit(const TickRequest& request) { return scaleOf(request).unit; }

std::vector<Tick> ticks(const TickRequest& request) {
  const Scale scale = scaleOf(request);
  const double span = std::max(1.0, difference(request.last, request.first));
  double step = niceStep(span / scale.size / std::max(1, request.wanted));
  // No tick between two whole units that cannot be told apart: bytes, nanoseconds, plan steps are integers.
  step = std::max(step, request.unit == AxisUnit::Steps ? 1.0 : 1.0 / scale.size);
  const int decimals = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 9);

  // Counted from the origin, so that values near 1.7e18 keep their last digits.
  const double low = difference(request.first, request.origin) / scale.size;
  const double high = difference(std::max(request.last, request.first), request.origin) / scale.size;
  std::vector<Tick> result;
  const std::int64_t firstNumber = saturatingAdd(0, std::ceil(low / step - 1e-9));
  const int most = 4 * std::max(1, request.wanted);   // a backstop: far from the origin doubles cannot tell ticks apart
  for (int i = 0; i < most; ++i) {
    const double at = static_cast<double>(saturatingAdd(firstNumber, i)) * step;
    if (at > high + step * 1e-9) break;
    Tick tick;
    tick.value = saturatingAdd(request.origin, std::round(at * scale.size));
    // A step is a slot: its label stands in the middle of it.
    if (request.unit == AxisUnit::Steps) tick.value = saturatingAdd(tick.value, static_cast<double>(unitsPerStep) / 2);
    tick.label = formatNumber(at, decimals);
    if (tick.value <= request.last && tick.value >= request.first) result.push_back(std::move(tick));
  }
  return result;
}

}  // namespace peakscope::ui
