// SPDX-License-Identifier: GPL-3.0-or-later
//
// The style sheet of the window: the design's colours and spacing, from the same table as the charts.
#pragma once

#include <QString>

#include "ui/charts/chart_theme.h"

namespace peakscope::ui {

[[nodiscard]] QString styleSheet(const ChartTheme& theme);

}  // namespace peakscope::ui
