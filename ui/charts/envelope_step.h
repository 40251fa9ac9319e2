// SPDX-License-Identifier: GPL-3.0-or-later
//
// EnvelopeStep: the memory curve. Stacked bands upward from zero, the persistent floor downward, and lines over them
// (predicted, ghosts, reserve, budget). One pyramid query per pixel column, pixels written into one image, drawn once: ten
// million events cost what a thousand cost. What a column shows is the moment with the greatest total under it.
//
//   EnvelopeStep memory(*view);
//   memory.setSource(samples);                                       // shared; call redraw after appending to it
//   memory.setPredicted({curve, end});  memory.setBudget(2048 * mib);
//   if (const auto hit = memory.at(position)) show(hit->index, hit->bands);
//
// Note [No alpha]: semi-transparent brushes send each fill to Qt's thread pool (90 ms for 1,600 columns); colours are
// blended beforehand and all pixels are opaque or empty.
#pragma once

#include <QPoint>
#include <QRect>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/chart_theme.h"
#include "ui/models/bands.h"

class QCPAxis;

namespace peakscope::ui {

class ChartView;

/// A step line over the same axes. Large ones are drawn as the extent of each pixel column.
struct StepLine {
  std::shared_ptr<const MaxPyramid> curve;
  std::int64_t end = 0;          ///< where the last value ends
};

struct EnvelopeHit {
  std::int64_t index = -1;       ///< sample in force at the position (in a narrow column: the one that is drawn)
  std::int64_t x = 0;            ///< where that sample starts
  std::int64_t total = 0;
  BandBytes bands;               ///< exact
  std::optional<Band> band;      ///< the one under the pointer
};

class EnvelopeStep {
 public:
  /// Draws on the main layer of the view's plot, which owns what is drawn; this is a handle that may die first.
  explicit EnvelopeStep(ChartView& view);
  ~EnvelopeStep();
  EnvelopeStep(EnvelopeStep&&) noexcept;
  EnvelopeStep& operator=(EnvelopeStep&&) noexcept;

  void setSource(std::shared_ptr<const EnvelopeSource> source);
  void setPredicted(std::optional<StepLine> line);            ///< dotted, with a halo
  void setGhosts(std::vector<StepLine> lines);                ///< grey, thin, 10 % fill
  void setCandidate(std::optional<StepLine> line);            ///< the plan being edited: accent, long dashes
  void setReserve(std::optional<StepLine> line);              ///< thin
  void setBudget(std::optional<std::int64_t> bytes);          ///< dashed, at this y
  void setVisible(Band band, bool isVisible);                 ///< legend filter; hidden bands take no room
  [[nodiscard]] bool isVisible(Band band) const;

  /// What is at a pixel of the view; nothing outside the curve.
  [[nodiscard]] std::optional<EnvelopeHit> at(QPoint position) const;
  /// The range of y that shows everything: floor to the highest of bands, lines and budget, with head room.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> valueExtent() const;

 private:
  class Plottable;
  Plottable* m_plottable = nullptr;   ///< owned by the plot
  ChartView* m_view = nullptr;
};

}  // namespace peakscope::ui
