// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/step_chunk.h"

#include <zstd.h>

namespace peakscope::trace {
namespace {

/// Signed numbers near zero in few bytes: zigzag, seven bits a byte.
void putNumber(std::vector<std::uint8_t>& out, std::int64_t value) {
  auto bits = (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
  while (bits >= 0x80) {
    out.push_back(static_cast<std::uint8_t>(bits | 0x80));
    bits >>= 7;
  }
  out.push_back(static_cast<std::uint8_t>(bits));
}

class Numbers {
 public:
  explicit Numbers(std::span<const std::uint8_t> bytes) : m_bytes(bytes) {}
  [[nodiscard]] bool next(std::int64_t& value) {
    std::uint64_t bits = 0;
    for (int shift = 0; shift < 64 && m_at < m_bytes.size(); shift += 7) {
      const std::uint8_t byte = m_bytes[m_at++];
      bits |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) {
        value = static_cast<std::int64_t>((bits >> 1) ^ (~(bits & 1) + 1));
        return true;
      }
    }
    return false;
  }

 private:
  std::span<const std::uint8_t> m_bytes;
  std::size_t m_at = 0;
};

/// Wraps around instead of overflowing: hostile deltas give odd times, not undefined behaviour.
std::int64_t plus(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b)); }
std::int64_t minus(std::int64_t a, std::int64_t b) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)); }

}  // namespace

std::vector<std::uint8_t> packSteps(const StepsDone& steps) {
  std::vector<std::uint8_t> raw;
  std::int64_t last = 0;
  for (const StepTime& time : steps.times) {
    putNumber(raw, minus(time.beginNs, last));
    last = time.beginNs;
  }
  for (const StepTime& time : steps.times) putNumber(raw, minus(time.endNs, time.beginNs));
  putNumber(raw, static_cast<std::int64_t>(steps.deviations.size()));
  for (const Deviation& deviation : steps.deviations) {
    putNumber(raw, deviation.step.index);
    putNumber(raw, deviation.measured.count());
  }
  std::vector<std::uint8_t> packed(ZSTD_compressBound(raw.size()));
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), raw.data(), raw.size(), 3);
  packed.resize(ZSTD_isError(size) != 0 ? 0 : size);
  return packed;
}

Result<void, const char*> unpackSteps(std::span<const std::uint8_t> bytes, std::int32_t count, StepsDone& steps) {
  if (count < 0 || count > largestStepCount) return fail("its number of steps is impossible");
  // Two numbers a step and two a deviation, at most ten bytes each, and no more deviations than steps.
  std::vector<std::uint8_t> raw(static_cast<std::size_t>(count) * 40 + 16);
  const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0) return fail("it cannot be decompressed");
  Numbers numbers(std::span<const std::uint8_t>(raw).first(size));
  steps.times.resize(static_cast<std::size_t>(count));
  std::int64_t value = 0, last = 0;
  for (StepTime& time : steps.times) {
    if (!numbers.next(value)) return fail("it is cut");
    time.beginNs = last = plus(last, value);
  }
  for (StepTime& time : steps.times) {
    if (!numbers.next(value)) return fail("it is cut");
    time.endNs = plus(time.beginNs, value);
  }
  std::int64_t deviations = 0;
  if (!numbers.next(deviations) || deviations < 0 || deviations > count) return fail("its number of deviations is impossible");
  for (std::int64_t i = 0; i < deviations; ++i) {
    std::int64_t step = 0, measured = 0;
    if (!numbers.next(step) || !numbers.next(measured)) return fail("it is cut");
    if (step < 0 || step >= largestStepCount || measured < 0) return fail("a deviation is impossible");
    steps.deviations.push_back({PlanStepId{static_cast<std::int32_t>(step)}, Bytes{measured}});
  }
  return {};
}

}  // namespace peakscope::trace
