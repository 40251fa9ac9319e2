// SPDX-License-Identifier: GPL-3.0-or-later
//
// SpanStore: rectangles in (x, y), sorted by start, with what is needed to find those in view by binary search. Lanes use
// it with y in row pixels, the address map with y in bytes.
//
//   SpanStore spans;
//   spans.add({.start = 10, .end = 25, .low = 3, .high = 17, .style = 2, .id = step});   // any order
//   spans.sort();                                                                        // once after adding
//   for (std::int64_t i = spans.firstTouching(viewFirst); i < spans.endStarting(viewLast); ++i) ...
#pragma once

#include <cstdint>
#include <vector>

namespace peakscope::ui {

struct Span {
  std::int64_t start = 0;
  std::int64_t end = 0;        ///< == start: an instant, drawn 3 px wide
  std::int64_t low = 0;        ///< y, low < high
  std::int64_t high = 1;
  std::int32_t id = -1;        ///< what it stands for: plan step, tensor ...
  std::uint16_t style = 0;     ///< index into the styles of the chart
};

class SpanStore {
 public:
  void add(const Span& span);
  void reserve(std::int64_t count);
  void clear();
  /// Stable by start. Must be called before the queries when `add` was not in order; cheap when it was.
  void sort();

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_spans.size()); }
  [[nodiscard]] const Span& operator[](std::int64_t index) const { return m_spans[static_cast<std::size_t>(index)]; }
  [[nodiscard]] const std::vector<Span>& all() const { return m_spans; }
  /// The first span that may reach `x` or beyond; all before it end earlier.
  [[nodiscard]] std::int64_t firstTouching(std::int64_t x) const;
  /// One past the last span that starts before `x`.
  [[nodiscard]] std::int64_t endStarting(std::int64_t x) const;
  /// The greatest end of all spans, 0 if there are none.
  [[nodiscard]] std::int64_t latestEnd() const { return m_latestEnd.empty() ? 0 : m_latestEnd.back(); }

 private:
  std::vector<Span> m_spans;
  std::vector<std::int64_t> m_latestEnd;   ///< greatest end of spans 0 .. i: ascending, so it can be searched
  bool m_isSorted = true;
};

}  // namespace peakscope::ui
