// SPDX-License-Identifier: Apache-2.0
//
// Shape and Layout: what a tensor is to the maths (N, C, H, W) and how its elements lie in memory.
//
//   Shape dst{100, 20, 24, 24};
//   dst.elements();            // 1,152,000
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memory/bytes.h"

namespace peakscope::engine {

/// Logical shape, always four numbers; a fully connected layer's output is N x C x 1 x 1. fp32 throughout.
struct Shape {
  std::int64_t n = 0, c = 0, h = 1, w = 1;

  [[nodiscard]] constexpr std::int64_t elements() const { return n * c * h * w; }
  [[nodiscard]] constexpr Bytes bytes() const { return Bytes{elements() * 4}; }
  [[nodiscard]] std::vector<std::int64_t> dims() const { return {n, c, h, w}; }
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};
/// "100x20x24x24"
[[nodiscard]] std::string toString(const Shape& shape);

/// How an activation lies in memory. Parameters and their gradients are always Plain (OIHW), so that they can be
/// initialised, saved, migrated and compared without asking a library.
enum class Layout : std::uint8_t {
  Plain,         ///< NCHW
  ChannelsLast,  ///< NHWC
  Blocked,       ///< the library's channel-blocked layout; may pad channels
};

struct TensorDesc {
  Shape shape;
  Layout layout = Layout::Plain;
  friend constexpr bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

}  // namespace peakscope::engine
