// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colours of bands, blends, pattern pixels, and the application's palette. No plot here: see plot_theme.cpp.
#include "ui/charts/chart_theme.h"

#include <cmath>

namespace peakscope::ui {
namespace {

using report::Colour;

Colour colourOf(Band band) {
  switch (band) {
    case Band::CopyingOut:
    case Band::CopyingIn:
    case Band::Activation: return Colour::Activations;
    case Band::ActivationGrad: return Colour::DataGradients;
    case Band::Recomputed: return Colour::Recomputed;
    case Band::Saved: return Colour::Saved;
    case Band::Workspace: return Colour::Workspace;
    case Band::Gradients: return Colour::Gradients;
    case Band::Weights: return Colour::Weights;
    case Band::Input: return Colour::Input;
  }
  return Colour::Axis;
}

Pattern patternOf(Band band) {
  switch (band) {
    case Band::CopyingOut: return Pattern::StripesOut;
    case Band::CopyingIn: return Pattern::StripesIn;
    case Band::Recomputed: return Pattern::Dots;
    default: return Pattern::Solid;
  }
}

std::int64_t modulo(std::int64_t value, std::int64_t period) { return ((value % period) + period) % period; }

}  // namespace

QRgb blend(QRgb top, QRgb bottom, double share) {
  const auto mix = [&](int a, int b) { return static_cast<int>(std::lround(a * share + b * (1 - share))); };
  return qRgb(mix(qRed(top), qRed(bottom)), mix(qGreen(top), qGreen(bottom)), mix(qBlue(top), qBlue(bottom)));
}

ChartTheme::ChartTheme(report::Theme theme) : m_theme(theme) {}

QRgb ChartTheme::rgb(Colour colour) const { return 0xFF000000U | report::palette(m_theme)[colour]; }

QRgb ChartTheme::bandColour(Band band) const { return rgb(colourOf(band)); }

Fill ChartTheme::bandFill(Band band) const {
  Fill made = fill(colourOf(band), patternOf(band));
  if (isFloor(band)) made.base = blend(made.base, rgb(Colour::Panel), report::palette(m_theme).floorOpacity);
  return made;
}

Fill ChartTheme::fill(Colour colour, Pattern pattern) const {
  const QRgb base = rgb(colour);
  switch (pattern) {
    case Pattern::Solid: return {base, base, pattern};
    case Pattern::StripesOut:
    case Pattern::StripesIn: return {base, blend(rgb(Colour::Stripes), base, 0.75), pattern};
    case Pattern::PendingFree: return {base, blend(rgb(Colour::Stripes), base, 0.40), pattern};
    case Pattern::Dots: return {base, rgb(Colour::Dots), pattern};
    case Pattern::Outline: return {rgb(Colour::Panel), base, pattern};
  }
  return {base, base, Pattern::Solid};
}

QRgb ChartTheme::ghostFill() const {
  return blend(rgb(Colour::Axis), rgb(Colour::Panel), report::palette(m_theme).ghostOpacity);
}

QRgb pixelOf(const Fill& fill, std::int64_t x, std::int64_t y) {
  switch (fill.pattern) {
    case Pattern::Solid:
    case Pattern::Outline: return fill.base;
    // A 1.5 px line at 45 degrees in a 6 px tile covers two pixels of each row.
    case Pattern::StripesOut:
    case Pattern::PendingFree: return modulo(x + y, 6) < 2 ? fill.ink : fill.base;
    case Pattern::StripesIn: return modulo(x - y, 6) < 2 ? fill.ink : fill.base;
    case Pattern::Dots: {
      // Two dots of 1.6 px in a 4 px tile: a full pixel, and half of the ones right and below.
      const std::int64_t tx = modulo(x, 4);
      const std::int64_t ty = modulo(y, 4);
      if ((tx == 0 && ty == 0) || (tx == 2 && ty == 2)) return fill.ink;
      const bool isHalf = (tx == 1 && ty == 0) || (tx == 0 && ty == 1) || (tx == 3 && ty == 2) || (tx == 2 && ty == 3);
      return isHalf ? blend(fill.ink, fill.base, 0.5) : fill.base;
    }
  }
  return fill.base;
}

QImage fillImage(const Fill& fill, QSize size, std::int64_t sceneX, std::int64_t sceneY) {
  QImage image(size, QImage::Format_ARGB32_Premultiplied);
  for (int y = 0; y < size.height(); ++y) {
    auto* row = reinterpret_cast<QRgb*>(image.scanLine(y));
    for (int x = 0; x < size.width(); ++x) row[x] = pixelOf(fill, sceneX + x, sceneY + y);
  }
  if (fill.pattern == Pattern::Outline)
    for (int y = 0; y < size.height(); ++y)
      for (int x = 0; x < size.width(); ++x)
        if (x == 0 || y == 0 || x == size.width() - 1 || y == size.height() - 1) image.setPixel(x, y, fill.ink);
  return image;
}

QPalette widgetPalette(const ChartTheme& theme) {
  QPalette palette;
  const auto set = [&](QPalette::ColorRole role, Colour colour) { palette.setColor(role, theme.colour(colour)); };
  set(QPalette::Window, Colour::Window);
  set(QPalette::Base, Colour::Panel);
  set(QPalette::AlternateBase, Colour::AlternateRow);
  set(QPalette::Button, Colour::Control);
  set(QPalette::ToolTipBase, Colour::Tooltip);
  set(QPalette::WindowText, Colour::Text);
  set(QPalette::Text, Colour::Text);
  set(QPalette::ButtonText, Colour::Text);
  set(QPalette::ToolTipText, Colour::Text);
  set(QPalette::BrightText, Colour::Budget);
  set(QPalette::PlaceholderText, Colour::DisabledText);
  set(QPalette::Highlight, Colour::Accent);
  set(QPalette::HighlightedText, Colour::TextOnAccent);
  set(QPalette::Link, Colour::Accent);
  set(QPalette::LinkVisited, Colour::Accent);
  set(QPalette::Light, Colour::Panel);
  set(QPalette::Midlight, Colour::Header);
  set(QPalette::Mid, Colour::Border);
  set(QPalette::Dark, Colour::Axis);
  set(QPalette::Shadow, Colour::Axis);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, theme.colour(Colour::DisabledText));
  return palette;
}

}  // namespace peakscope::ui
