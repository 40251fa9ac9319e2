// SPDX-License-Identifier: GPL-3.0-or-later
//
// MaxPyramid: samples of a step curve {x, total} with a pyramid over them, so that any zoom finds the highest moment under
// a pixel in O(log n) and no peak is ever lost. It keeps the *index* of the highest sample: what is drawn is that moment
// with its kinds stacked, never the maxima of the kinds, which belong to different moments and add up to too much.
//
//   MaxPyramid curve;
//   curve.append(0, 100);  curve.append(10, 250);  curve.append(20, 50);
//   const auto held = curve.samplesIn(5, 15);            // samples 0 and 1: 0 is still in force at x = 5
//   curve.range(held.first, held.last).indexOfMax;       // 1
//
// Buckets are multiples of 16^level samples and never move, so panning cannot make a peak flicker. Append-only.
#pragma once

#include <cstdint>
#include <vector>

namespace peakscope::ui {

/// A half-open range of sample indices.
struct SampleRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  [[nodiscard]] bool isEmpty() const { return last <= first; }
  [[nodiscard]] std::int64_t size() const { return isEmpty() ? 0 : last - first; }
  friend bool operator==(SampleRange, SampleRange) = default;
};

class MaxPyramid {
 public:
  static constexpr int fanOutBits = 4;
  static constexpr std::int64_t fanOut = std::int64_t{1} << fanOutBits;

  struct Node {
    std::int64_t min = 0;
    std::int64_t max = 0;
    std::int64_t last = 0;
    std::int64_t indexOfMax = -1;   ///< the first of several; -1: no samples
    friend bool operator==(const Node&, const Node&) = default;
  };

  /// `x` must not be below the previous one; it is raised to it if it is (a clock that went back must not break the search).
  void append(std::int64_t x, std::int64_t total);
  void reserve(std::int64_t count);
  void clear();

  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(m_x.size()); }
  [[nodiscard]] bool isEmpty() const { return m_x.empty(); }
  [[nodiscard]] std::int64_t x(std::int64_t index) const { return m_x[static_cast<std::size_t>(index)]; }
  [[nodiscard]] std::int64_t total(std::int64_t index) const { return m_total[static_cast<std::size_t>(index)]; }

  /// The last sample at or before `x`, -1 if `x` is before all of them. Of several at the same x, the last.
  [[nodiscard]] std::int64_t indexAt(std::int64_t x) const;
  /// The first sample at or after `x`, searched outward from `guess`: near when columns are asked for in order.
  [[nodiscard]] std::int64_t firstNotBefore(std::int64_t x, std::int64_t guess) const;
  /// Samples in force somewhere in [begin, end): those that start in it and the one that still holds at `begin`.
  [[nodiscard]] SampleRange samplesIn(std::int64_t begin, std::int64_t end) const;
  /// The fold over samples first .. last - 1; of an empty range a node with indexOfMax -1.
  [[nodiscard]] Node range(std::int64_t first, std::int64_t last) const;
  /// The fold over everything.
  [[nodiscard]] Node all() const { return range(0, count()); }

  [[nodiscard]] int levelCount() const { return static_cast<int>(m_levels.size()); }
  /// Bucket `bucket` of `level` (1: 16 samples, 2: 256 ...), only complete ones exist.
  [[nodiscard]] const Node& bucket(int level, std::int64_t bucket) const;
  [[nodiscard]] std::int64_t memoryBytes() const;

 private:
  std::vector<std::int64_t> m_x;
  std::vector<std::int64_t> m_total;
  std::vector<std::vector<Node>> m_levels;   ///< [0] folds 16 samples, [k] folds 16 nodes of [k - 1]; complete ones only
};

}  // namespace peakscope::ui
