// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic that stops at the end of the range instead of wrapping: for counts and times that may come from a file.
//
//   total = addSaturated(total, span.endNs - span.beginNs);
#pragma once

#include <cstdint>
#include <limits>

namespace peakscope {

[[nodiscard]] constexpr std::int64_t addSaturated(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}
[[nodiscard]] constexpr std::int64_t subtractSaturated(std::int64_t a, std::int64_t b) {
  std::int64_t difference = 0;
  if (!__builtin_sub_overflow(a, b, &difference)) return difference;
  return b > 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}
[[nodiscard]] constexpr std::int64_t multiplySaturated(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product)) return product;
  return (a < 0) != (b < 0) ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

}  // namespace peakscope
