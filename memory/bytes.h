// SPDX-License-Identifier: Apache-2.0
//
// Bytes: an exact count of bytes that cannot be mixed up with elements, steps or offsets of something else. A count beyond
// 2^63 stays at the largest there is: a hostile file gives a silly number, never a wrapped one.
//
//   Bytes activations{100 * 64 * 4};
//   activations += Bytes{256};
//   formatMiB(activations);          // "0.025"
#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "memory/saturated.h"

namespace peakscope {

class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t count) : m_count(count) {}

  [[nodiscard]] constexpr std::int64_t count() const { return m_count; }

  constexpr Bytes& operator+=(Bytes other) { return *this = *this + other; }
  constexpr Bytes& operator-=(Bytes other) { return *this = *this - other; }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{addSaturated(a.m_count, b.m_count)}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{subtractSaturated(a.m_count, b.m_count)}; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes{multiplySaturated(a.m_count, n)}; }
  friend constexpr auto operator<=>(Bytes, Bytes) = default;

 private:
  std::int64_t m_count = 0;
};

inline constexpr std::int64_t bytesPerMiB = std::int64_t{1} << 20;

/// The least multiple of `alignment` (a positive count) that is not below `bytes`.
[[nodiscard]] constexpr Bytes roundUp(Bytes bytes, Bytes alignment) {
  const auto a = alignment.count();
  return Bytes{(bytes + alignment - Bytes{1}).count() / a * a};
}

/// "1489.355": MiB (2^20 bytes) with `decimals` digits, no unit, no thousands separator.
[[nodiscard]] std::string formatMiB(Bytes bytes, int decimals = 3);

/// "1.45 GiB", "38.3 MiB", "912 B": three significant digits and a unit, for sentences.
[[nodiscard]] std::string formatBytes(Bytes bytes);

}  // namespace peakscope
