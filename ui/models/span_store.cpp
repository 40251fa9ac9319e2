// SPDX-License-Identifier: GPL-3.0-or-later
//
// Spans by start, with the running maximum of their ends: ascending, hence searchable, however the spans overlap.
#include "ui/models/span_store.h"

#include <algorithm>

namespace peakscope::ui {

void SpanStore::add(const Span& span) {
  Span kept = span;
  kept.end = std::max(kept.end, kept.start);
  m_isSorted = m_isSorted && (m_spans.empty() || m_spans.back().start <= kept.start);
  m_latestEnd.push_back(m_latestEnd.empty() ? kept.end : std::max(m_latestEnd.back(), kept.end));
  m_spans.push_back(kept);
}

void SpanStore::reserve(std::int64_t count) {
  m_spans.reserve(static_cast<std::size_t>(count));
  m_latestEnd.reserve(static_cast<std::size_t>(count));
}

void SpanStore::clear() {
  m_spans.clear();
  m_latestEnd.clear();
  m_isSorted = true;
}

void SpanStore::sort() {
  if (m_isSorted) return;
  std::stable_sort(m_spans.begin(), m_spans.end(), [](const Span& a, const Span& b) { return a.start < b.start; });
  std::int64_t latest = m_spans.front().end;
  for (std::size_t i = 0; i < m_spans.size(); ++i) m_latestEnd[i] = latest = std::max(latest, m_spans[i].end);
  m_isSorted = true;
}

std::int64_t SpanStore::firstTouching(std::int64_t x) const {
  return std::distance(m_latestEnd.begin(), std::lower_bound(m_latestEnd.begin(), m_latestEnd.end(), x));
}

std::int64_t SpanStore::endStarting(std::int64_t x) const {
  const auto isBefore = [](const Span& span, std::int64_t value) { return span.start < value; };
  return std::distance(m_spans.begin(), std::lower_bound(m_spans.begin(), m_spans.end(), x, isBefore));
}

}  // namespace peakscope::ui
