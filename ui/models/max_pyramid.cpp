// SPDX-License-Identifier: GPL-3.0-or-later
//
// Appending folds a bucket into its parent when the bucket is complete; a query folds the complete buckets inside the range
// and the loose ends on both sides, so it never needs a partial bucket.
#include "ui/models/max_pyramid.h"

#include <algorithm>

namespace peakscope::ui {
namespace {

using Node = MaxPyramid::Node;

/// `right` follows `left`: the first of equal maxima stays.
void fold(Node& left, const Node& right) {
  if (right.indexOfMax < 0) return;
  if (left.indexOfMax < 0) {
    left = right;
    return;
  }
  left.min = std::min(left.min, right.min);
  if (right.max > left.max) {
    left.max = right.max;
    left.indexOfMax = right.indexOfMax;
  }
  left.last = right.last;
}

Node foldAll(const Node* nodes, std::int64_t count) {
  Node all;
  for (std::int64_t i = 0; i < count; ++i) fold(all, nodes[i]);
  return all;
}

Node foldSamples(const std::int64_t* totals, std::int64_t first, std::int64_t last) {
  Node all{totals[first], totals[first], totals[last - 1], first};
  for (std::int64_t i = first + 1; i < last; ++i) {
    all.min = std::min(all.min, totals[i]);
    if (totals[i] > all.max) {
      all.max = totals[i];
      all.indexOfMax = i;
    }
  }
  return all;
}

}  // namespace

void MaxPyramid::append(std::int64_t x, std::int64_t total) {
  m_x.push_back(m_x.empty() ? x : std::max(x, m_x.back()));
  m_total.push_back(total);
  if ((count() & (fanOut - 1)) != 0) return;

  std::size_t level = 0;
  Node node = foldSamples(m_total.data(), count() - fanOut, count());
  for (;;) {
    if (m_levels.size() == level) m_levels.emplace_back();
    std::vector<Node>& nodes = m_levels[level];
    nodes.push_back(node);
    if ((nodes.size() & (fanOut - 1)) != 0) return;
    node = foldAll(nodes.data() + nodes.size() - fanOut, fanOut);
    ++level;
  }
}

void MaxPyramid::reserve(std::int64_t count) {
  m_x.reserve(static_cast<std::size_t>(count));
  m_total.reserve(static_cast<std::size_t>(count));
}

void MaxPyramid::clear() {
  m_x.clear();
  m_total.clear();
  m_levels.clear();
}

std::int64_t MaxPyramid::indexAt(std::int64_t x) const {
  return std::distance(m_x.begin(), std::upper_bound(m_x.begin(), m_x.end(), x)) - 1;
}

std::int64_t MaxPyramid::firstNotBefore(std::int64_t x, std::int64_t guess) const {
  // Doubling steps from the guess until the answer is in (lo, hi], then halving.
  guess = std::clamp<std::int64_t>(guess, 0, count());
  std::int64_t lo = guess;
  std::int64_t hi = guess;
  std::int64_t stride = 1;
  while (lo > 0 && m_x[static_cast<std::size_t>(lo - 1)] >= x) {
    hi = lo - 1;
    lo = std::max<std::int64_t>(0, lo - stride);
    stride *= 2;
  }
  stride = 1;
  while (hi < count() && m_x[static_cast<std::size_t>(hi)] < x) {
    lo = hi + 1;
    hi = std::min(count(), hi + stride);
    stride *= 2;
  }
  return std::distance(m_x.begin(), std::lower_bound(m_x.begin() + lo, m_x.begin() + hi, x));
}

SampleRange MaxPyramid::samplesIn(std::int64_t begin, std::int64_t end) const {
  if (end <= begin) return {};
  const auto firstStarting = std::lower_bound(m_x.begin(), m_x.end(), begin);
  const auto past = std::lower_bound(firstStarting, m_x.end(), end);
  std::int64_t first = std::distance(m_x.begin(), firstStarting);
  // The one before is still in force at `begin`, unless a sample starts exactly there.
  if (first > 0 && (first == count() || m_x[static_cast<std::size_t>(first)] != begin)) --first;
  return {first, std::distance(m_x.begin(), past)};
}

Node MaxPyramid::range(std::int64_t first, std::int64_t last) const {
  first = std::max<std::int64_t>(first, 0);
  last = std::min(last, count());
  if (last <= first) return {};

  // Climb: at each level fold the loose nodes left and right of the aligned middle; the middle goes one level up. The right
  // ends come in descending order, so they are collected and folded last to keep "first of equal maxima" and `last` right.
  Node left;
  Node rights[20];
  int rightCount = 0;
  std::int64_t lo = first;
  std::int64_t hi = last;
  for (int level = 0;; ++level) {
    const auto foldRange = [&](std::int64_t from, std::int64_t to) -> Node {
      if (to <= from) return {};
      if (level == 0) return foldSamples(m_total.data(), from, to);
      return foldAll(m_levels[static_cast<std::size_t>(level - 1)].data() + from, to - from);
    };
    const std::int64_t alignedLo = (lo + fanOut - 1) >> fanOutBits;
    const std::int64_t alignedHi = hi >> fanOutBits;
    if (alignedLo >= alignedHi) {
      fold(left, foldRange(lo, hi));
      break;
    }
    fold(left, foldRange(lo, alignedLo << fanOutBits));
    rights[rightCount++] = foldRange(alignedHi << fanOutBits, hi);
    lo = alignedLo;
    hi = alignedHi;
  }
  while (rightCount > 0) fold(left, rights[--rightCount]);
  return left;
}

const Node& MaxPyramid::bucket(int level, std::int64_t bucket) const {
  return m_levels[static_cast<std::size_t>(level - 1)][static_cast<std::size_t>(bucket)];
}

std::int64_t MaxPyramid::memoryBytes() const {
  std::size_t bytes = (m_x.capacity() + m_total.capacity()) * sizeof(std::int64_t);
  for (const auto& level : m_levels) bytes += level.capacity() * sizeof(Node);
  return static_cast<std::int64_t>(bytes);
}

}  // namespace peakscope::ui
