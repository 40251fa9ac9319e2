// SPDX-License-Identifier: GPL-3.0-or-later
//
// Integer subtraction first, doubles afterwards; 128-bit products where a position times a width is needed.
#include "ui/models/coordinates.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace peakscope::ui {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();

std::int64_t saturated(Wide value) {
  return static_cast<std::int64_t>(std::clamp<Wide>(value, lowest, highest));
}

Wide floorDivide(Wide a, Wide b) {   // b > 0
  const Wide quotient = a / b;
  return quotient * b > a ? quotient - 1 : quotient;
}
Wide ceilDivide(Wide a, Wide b) { return -floorDivide(-a, b); }

}  // namespace

double difference(std::int64_t a, std::int64_t b) { return static_cast<double>(Wide{a} - Wide{b}); }

std::int64_t saturatingAdd(std::int64_t a, double b) {
  if (std::isnan(b)) return a;
  constexpr double limit = 9.3e18;   // both ends of int64 are less far apart from zero; conversion stays defined
  return saturated(Wide{a} + static_cast<Wide>(std::clamp(b, -2 * limit, 2 * limit)));
}

double AxisMap::span() const { return std::max(1.0, difference(last, first)); }

double AxisMap::unitsPerPixel() const {
  const double pixels = std::abs(pixelLast - pixelFirst);
  return span() / (pixels > 0 ? pixels : 1.0);
}

double AxisMap::toPixel(std::int64_t value) const {
  return pixelFirst + difference(value, first) / span() * (pixelLast - pixelFirst);
}

std::int64_t AxisMap::toValue(double pixel) const {
  const double pixels = pixelLast - pixelFirst;
  if (pixels == 0 || !std::isfinite(pixel)) return first;
  return saturatingAdd(first, std::floor((pixel - pixelFirst) / pixels * span() + 1e-9));
}

ColumnGrid::ColumnGrid(std::int64_t first, std::int64_t last, int width)
    : m_span(std::max<std::int64_t>(1, saturated(Wide{last} - Wide{first}))), m_width(std::max(1, width)) {
  m_firstColumn = static_cast<std::int64_t>(floorDivide(Wide{first} * m_width, m_span));
}

std::int64_t ColumnGrid::begin(int column) const {
  return saturated(ceilDivide((Wide{m_firstColumn} + column) * m_span, m_width));
}

ViewRange zoomed(ViewRange range, std::int64_t centre, double factor, std::int64_t narrowest) {
  if (!(factor > 0) || !std::isfinite(factor)) return range;
  const double before = std::max(1.0, range.span());
  const double after = std::clamp(before * factor, static_cast<double>(std::max<std::int64_t>(1, narrowest)), 4e18);
  // Written from the centre so that the value under the pointer stays under it.
  const double share = std::clamp(difference(centre, range.first) / before, 0.0, 1.0);
  const std::int64_t first = saturatingAdd(centre, -std::round(after * share));
  return {first, saturatingAdd(first, std::round(after))};
}

ViewRange panned(ViewRange range, std::int64_t units) {
  const Wide room = units < 0 ? Wide{lowest} - range.first : Wide{highest} - range.last;
  const Wide move = units < 0 ? std::max<Wide>(units, room) : std::min<Wide>(units, room);
  return {static_cast<std::int64_t>(range.first + move), static_cast<std::int64_t>(range.last + move)};
}

ViewRange clamped(ViewRange range, ViewRange limits) {
  if (limits.last <= limits.first) limits.last = saturated(Wide{limits.first} + 1);
  if (range.last <= range.first) range.last = saturated(Wide{range.first} + 1);
  if (range.span() >= limits.span()) return limits;
  if (range.first < limits.first) return panned(range, saturated(Wide{limits.first} - range.first));
  if (range.last > limits.last) return panned(range, saturated(Wide{limits.last} - range.last));
  return range;
}

}  // namespace peakscope::ui
