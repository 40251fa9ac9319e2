// SPDX-License-Identifier: GPL-3.0-or-later
//
// CurvePlot: thin lines without fill (loss, accuracy, throughput). Smoothing is computed by who knows the data.
//
//   CurvePlot loss(*view);
//   const int raw = loss.addCurve({.colour = theme.rgb(Colour::Axis)});
//   loss.append(raw, iteration, 5.1);
//   loss.fitValues();
#pragma once

#include <QColor>
#include <QString>
#include <memory>
#include <span>
#include <vector>

namespace peakscope::ui {

class ChartView;

struct CurveStyle {
  QRgb colour = 0xFF000000;
  bool isDashed = false;
  bool hasMarkers = false;      ///< open circles, for few points (once an epoch)
  QString name;
};

struct CurveSample {
  std::int64_t x = 0;
  double y = 0;                 ///< not finite: a gap
};

class CurvePlot {
 public:
  explicit CurvePlot(ChartView& view);
  ~CurvePlot();
  CurvePlot(CurvePlot&&) noexcept;
  CurvePlot& operator=(CurvePlot&&) noexcept;

  /// Returns the number of the curve.
  int addCurve(const CurveStyle& style);
  void setStyle(int curve, const CurveStyle& style);
  void append(int curve, std::int64_t x, double y);
  void setPoints(int curve, std::span<const CurveSample> points);
  void clear();
  [[nodiscard]] std::size_t sampleCount(int curve) const;

  /// Fits the y-axis to what is in view, with `margin` of it to spare; a flat or empty curve gets a finite range.
  void fitValues(double margin = 0.06);
  /// The range of x over all curves; {0, 1} if there are no points.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> extent() const;

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace peakscope::ui
