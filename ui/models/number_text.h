// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the window writes numbers: MiB with three decimals and no unit, times in the unit that fits.
#pragma once

#include <QString>

#include "memory/bytes.h"
#include "ui/models/coordinates.h"

namespace peakscope::ui {

[[nodiscard]] inline QString mibText(Bytes bytes, int decimals = 3) {
  return QString::fromStdString(formatNumber(static_cast<double>(bytes.count()) / static_cast<double>(bytesPerMiB), decimals));
}

[[nodiscard]] inline QString timeText(std::int64_t ns) {
  const auto value = static_cast<double>(ns);
  if (ns >= 10'000'000'000) return QString::fromStdString(formatNumber(value / 1e9, 1)) + QStringLiteral(" s");
  if (ns >= 1'000'000) return QString::fromStdString(formatNumber(value / 1e6, 1)) + QStringLiteral(" ms");
  return QString::fromStdString(formatNumber(value / 1e3, 1)) + QStringLiteral(" \u00B5s");
}

}  // namespace peakscope::ui
