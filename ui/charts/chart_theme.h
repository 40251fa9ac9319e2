// SPDX-License-Identifier: GPL-3.0-or-later
//
// ChartTheme: the shared palette (memory/report/palette.h) as Qt colours, blended where the design asks for less than full
// strength (never alpha: see EnvelopeStep), the pixels of the state patterns, and applyTheme for a plot, because
// QCustomPlot does not know the palette of the application.
//
//   const ChartTheme theme(report::Theme::Dark);
//   applyTheme(plot, theme);
//   theme.colour(report::Colour::Budget);
#pragma once

#include <QColor>
#include <QFont>
#include <QImage>
#include <QPalette>

#include "memory/report/palette.h"
#include "ui/models/bands.h"

class QCustomPlot;

namespace peakscope::ui {

/// State by pattern, over the colour of the kind. StripesOut `/` leaves the device, StripesIn `\` arrives.
enum class Pattern : std::uint8_t { Solid, StripesOut, StripesIn, Dots, PendingFree, Outline };

/// How one band, span or legend entry is filled: two opaque pixels and which of them is where.
struct Fill {
  QRgb base = 0xFF000000;
  QRgb ink = 0xFF000000;       ///< of the pattern; with Outline: of the frame
  Pattern pattern = Pattern::Solid;
};

class ChartTheme {
 public:
  explicit ChartTheme(report::Theme theme = report::Theme::Light);

  [[nodiscard]] report::Theme theme() const { return m_theme; }
  [[nodiscard]] bool isDark() const { return m_theme == report::Theme::Dark; }
  [[nodiscard]] QRgb rgb(report::Colour colour) const;
  [[nodiscard]] QColor colour(report::Colour colour) const { return QColor::fromRgb(rgb(colour)); }

  /// The full colour of a band (legend, edge of the floor).
  [[nodiscard]] QRgb bandColour(Band band) const;
  /// The fill of a band: the floor is blended with the panel so that it recedes.
  [[nodiscard]] Fill bandFill(Band band) const;
  /// A fill in the colour of `colour` with the ink that `pattern` has in this theme.
  [[nodiscard]] Fill fill(report::Colour colour, Pattern pattern = Pattern::Solid) const;
  /// The very light area under a ghost curve.
  [[nodiscard]] QRgb ghostFill() const;

 private:
  report::Theme m_theme;
};

/// Opaque mix: `share` of `top`, the rest of `bottom`.
[[nodiscard]] QRgb blend(QRgb top, QRgb bottom, double share);

/// The pixel of a fill at scene position (x, y). Scene, not shape: patterns stand still while the view pans.
[[nodiscard]] QRgb pixelOf(const Fill& fill, std::int64_t sceneX, std::int64_t sceneY);

/// A legend swatch, table icon or brush texture of the fill.
[[nodiscard]] QImage fillImage(const Fill& fill, QSize size, std::int64_t sceneX = 0, std::int64_t sceneY = 0);

/// Background, axes, ticks, grid, labels and legend of every axis rect.
void applyTheme(QCustomPlot& plot, const ChartTheme& theme);

/// The application's palette for the same theme.
[[nodiscard]] QPalette widgetPalette(const ChartTheme& theme);

}  // namespace peakscope::ui
