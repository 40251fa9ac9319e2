// SPDX-License-Identifier: Apache-2.0
#include "memory/report/axis.h"

#include <algorithm>
#include <cmath>

namespace peakscope::report {

Ticks roundTicks(double low, double high, int atMost) {
  if (!std::isfinite(low)) low = 0;
  if (!std::isfinite(high) || high <= low) high = low + 1;
  const double rough = (high - low) / std::max(1, atMost - 1);
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  Ticks ticks;
  ticks.step = power * 10;
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) {
      ticks.step = factor * power;
      break;
    }
  }
  ticks.decimals = std::clamp(static_cast<int>(-std::floor(std::log10(ticks.step) + 1e-9)), 0, 9);
  const double first = std::ceil(low / ticks.step - 1e-9);
  for (int i = 0; i <= atMost; ++i) {
    const double value = (first + i) * ticks.step;
    if (value > high + ticks.step * 1e-9) break;
    ticks.values.push_back(value == 0 ? 0.0 : value);   // no minus zero
  }
  return ticks;
}

double Scale::operator()(double value) const {
  if (!(high > low) || !std::isfinite(value)) return (from + to) / 2;
  return from + (value - low) / (high - low) * (to - from);
}

XAxis::XAxis(const Plan& plan, std::span<const StepTime> times, double left, double width, XUnit unit)
    : m_left(left), m_width(std::max(1.0, width)), m_unit(unit), m_hasTimes(false) {
  const std::size_t count = plan.steps.size();
  m_stepOf.reserve(count);
  for (const PlanStep& step : plan.steps) m_stepOf.push_back(step.paperStep);
  if (count > 0) {
    const auto [low, high] = std::minmax_element(m_stepOf.begin(), m_stepOf.end());
    m_first = *low;
    m_last = *high;
  }

  m_pointNs.assign(count, 0);
  std::int64_t end = 0;
  if (times.size() >= count && count > 0) {
    // Copies take other lanes: the curve moves on when compute does. Alloc and Free have no length.
    std::int64_t now = times[0].beginNs;
    for (std::size_t i = 0; i < count; ++i) {
      const bool isCopy = std::holds_alternative<CopyOutStep>(plan.steps[i].action) ||
                          std::holds_alternative<CopyInStep>(plan.steps[i].action);
      if (!isCopy) now = std::max(now, times[i].beginNs);
      m_pointNs[i] = now;
      end = i == 0 ? times[i].endNs : std::max(end, times[i].endNs);
    }
    m_hasTimes = end > m_pointNs.front();
  }
  if (!m_hasTimes) m_unit = XUnit::Step;

  const auto slots = static_cast<std::size_t>(m_last - m_first + 1);
  m_slotNs.assign(slots + 1, end);
  for (std::size_t i = count; i-- > 0;) m_slotNs[static_cast<std::size_t>(m_stepOf[i] - m_first)] = m_pointNs[i];
  for (std::size_t i = slots; i-- > 0;) m_slotNs[i] = std::min(m_slotNs[i], m_slotNs[i + 1]);
}

double XAxis::slotLeft(PaperStep step) const {
  const PaperStep inside = std::clamp(step, m_first, m_last + 1);
  if (m_unit == XUnit::Time) return atTime(m_slotNs[static_cast<std::size_t>(inside - m_first)]);
  return m_left + m_width * static_cast<double>(inside - m_first) / static_cast<double>(m_last - m_first + 1);
}

double XAxis::atTime(std::int64_t ns) const {
  if (!m_hasTimes) return m_left;
  const std::int64_t inside = std::clamp(ns, beginNs(), endNs());
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0.0;
  };
  if (m_unit == XUnit::Time) return m_left + m_width * share(inside - beginNs(), endNs() - beginNs());
  const auto next = std::upper_bound(m_slotNs.begin(), m_slotNs.end() - 1, inside);
  const auto slot = std::max<std::ptrdiff_t>(0, next - m_slotNs.begin() - 1);
  const auto i = static_cast<std::size_t>(slot);
  const double within = share(inside - m_slotNs[i], m_slotNs[i + 1] - m_slotNs[i]);
  return m_left + m_width * (static_cast<double>(slot) + within) / static_cast<double>(m_last - m_first + 1);
}

std::vector<XAxis::Column> XAxis::columns(std::span<const std::int64_t> value) const {
  if (value.empty() || value.size() != m_stepOf.size()) return {};
  return m_unit == XUnit::Step ? stepColumns(value) : timeColumns(value);
}

std::vector<XAxis::Column> XAxis::stepColumns(std::span<const std::int64_t> value) const {
  // Slots narrower than a pixel share a column: `perColumn` of them.
  const auto slots = static_cast<std::int64_t>(m_last) - m_first + 1;
  const auto perColumn = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(static_cast<double>(slots) / m_width)));
  const auto count = static_cast<std::size_t>((slots + perColumn - 1) / perColumn);
  std::vector<std::int32_t> best(count, -1);
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::int32_t& point = best[static_cast<std::size_t>((m_stepOf[i] - m_first) / perColumn)];
    if (point < 0 || value[i] > value[static_cast<std::size_t>(point)]) point = static_cast<std::int32_t>(i);
  }
  std::vector<Column> columns;
  for (std::size_t c = 0; c < count; ++c) {
    const auto from = static_cast<PaperStep>(m_first + static_cast<std::int64_t>(c) * perColumn);
    const auto to = static_cast<PaperStep>(std::min<std::int64_t>(from + perColumn, m_last + 1));
    // A step without plan steps keeps the state before it.
    const std::int32_t point = best[c] >= 0 ? best[c] : columns.empty() ? 0 : columns.back().point;
    columns.push_back({slotLeft(from), slotLeft(to), point});
  }
  return columns;
}

std::vector<XAxis::Column> XAxis::timeColumns(std::span<const std::int64_t> value) const {
  const auto pixels = static_cast<std::int64_t>(std::ceil(m_width));
  std::vector<std::int32_t> best(static_cast<std::size_t>(pixels), -1);
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::int64_t until = i + 1 < value.size() ? m_pointNs[i + 1] : endNs();
    const auto from = std::clamp<std::int64_t>(static_cast<std::int64_t>(atTime(m_pointNs[i]) - m_left), 0, pixels - 1);
    const auto to = std::clamp<std::int64_t>(static_cast<std::int64_t>(std::ceil(atTime(until) - m_left)), from + 1, pixels);
    for (std::int64_t p = from; p < to; ++p) {
      std::int32_t& point = best[static_cast<std::size_t>(p)];
      if (point < 0 || value[i] > value[static_cast<std::size_t>(point)]) point = static_cast<std::int32_t>(i);
    }
  }
  std::vector<Column> columns;
  for (std::int64_t p = 0; p < pixels; ++p) {
    const std::int32_t point = best[static_cast<std::size_t>(p)];
    const double x0 = m_left + static_cast<double>(p);
    const double x1 = std::min(x0 + 1, right());
    if (!columns.empty() && (point < 0 || columns.back().point == point)) columns.back().x1 = x1;
    else columns.push_back({x0, x1, std::max(0, point)});
  }
  return columns;
}

}  // namespace peakscope::report
