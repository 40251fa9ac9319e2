// SPDX-License-Identifier: Apache-2.0
//
// Counter-based random numbers that are the same on every machine and in every order: a hash of what they are for.
//
//   Random random(mix(seed, hashOf("conv1.weights")));
//   random.uniform(); random.normal();
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace peakscope::engine {

/// splitmix64's finaliser.
[[nodiscard]] constexpr std::uint64_t scramble(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15U;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) { return scramble(a ^ scramble(b)); }
/// FNV-1a.
[[nodiscard]] constexpr std::uint64_t hashOf(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

class Random {
 public:
  explicit constexpr Random(std::uint64_t key) : m_key(key) {}
  [[nodiscard]] constexpr std::uint64_t bits() { return mix(m_key, m_count++); }
  /// In (0, 1).
  [[nodiscard]] constexpr double uniform() { return (static_cast<double>(bits() >> 11) + 0.5) * 0x1p-53; }
  [[nodiscard]] double normal() {   // Box-Muller; the second value of the pair is not kept, so that counting stays simple
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  /// In [0, bound).
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t bound) {
    return static_cast<std::uint64_t>((static_cast<unsigned __int128>(bits()) * bound) >> 64);
  }

 private:
  std::uint64_t m_key;
  std::uint64_t m_count = 0;
};

}  // namespace peakscope::engine
