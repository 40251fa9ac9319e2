// SPDX-License-Identifier: Apache-2.0
#include "memory/bytes.h"

#include <array>
#include <fmt/format.h>

namespace peakscope {

std::string formatMiB(Bytes bytes, int decimals) {
  return fmt::format("{:.{}f}", static_cast<double>(bytes.count()) / static_cast<double>(bytesPerMiB), decimals);
}

std::string formatBytes(Bytes bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  const bool isNegative = bytes.count() < 0;
  double value = static_cast<double>(isNegative ? -bytes.count() : bytes.count());
  std::size_t unit = 0;
  while (value >= 1023.5 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return fmt::format("{}{:.{}f} {}", isNegative ? "-" : "", value, decimals, units[unit]);
}

}  // namespace peakscope
