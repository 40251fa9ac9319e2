// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pixels of EnvelopeStep, without a plot: which sample stands for each pixel column, and images of bands and lines.
//
//   const EnvelopeColumns columns = columnsOf(source.pyramid(), source.end(), xMap);    // xMap: pixels 0 .. width
//   drawBands(image, source, columns, yMap, theme, isVisible);
//   drawStepLine(image, predicted, columnsOf(predicted, end, xMap), yMap, style);
//
// Note [Columns]: while samples are narrow (fewer than 3 px each), a column covers [k * span / width, (k + 1) * span / width)
// for an integer k: anchored in data space, so panning moves columns but never what is in one. When samples are wide, edges
// are rounded to pixels, so that they meet the bars of the lanes.
#pragma once

#include <QImage>
#include <array>
#include <vector>

#include "ui/charts/chart_theme.h"
#include "ui/models/bands.h"
#include "ui/models/coordinates.h"

namespace peakscope::ui {

struct EnvelopeColumns {
  std::vector<std::int64_t> index;   ///< per pixel column the sample with the greatest total; -1: nothing there
  std::int64_t sceneX = 0;           ///< scene position of column 0, for patterns
};

/// `x` maps onto pixels 0 .. width. `end`: where the last sample ends.
[[nodiscard]] EnvelopeColumns columnsOf(const MaxPyramid& pyramid, std::int64_t end, const AxisMap& x);

using BandFilter = std::array<bool, bandCount>;

/// Rows of `yMap` are rows of the image. Hidden bands take no room.
void drawBands(QImage& image, const EnvelopeSource& source, const EnvelopeColumns& columns, const AxisMap& yMap,
               const ChartTheme& theme, const BandFilter& isVisible);

struct LineStyle {
  QRgb colour = 0xFF000000;
  QRgb halo = 0;            ///< 0: none
  int width = 1;            ///< device pixels
  int on = 0;               ///< dash; 0: solid
  int off = 0;
};
/// The step line through the totals of the columns.
void drawStepLine(QImage& image, const MaxPyramid& pyramid, const EnvelopeColumns& columns, const AxisMap& yMap,
                  const LineStyle& style);
/// The area between zero and the line.
void fillUnderLine(QImage& image, const MaxPyramid& pyramid, const EnvelopeColumns& columns, const AxisMap& yMap, QRgb fill);
/// A horizontal line over the whole width.
void drawLevel(QImage& image, std::int64_t value, const AxisMap& yMap, std::int64_t sceneX, const LineStyle& style);

}  // namespace peakscope::ui
