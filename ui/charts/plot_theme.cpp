// SPDX-License-Identifier: GPL-3.0-or-later
//
// applyTheme: QCustomPlot ignores the palette, so every pen and brush of it is set here and nowhere else.
#include <qcustomplot.h>

#include "ui/charts/chart_theme.h"

namespace peakscope::ui {

using report::Colour;

void applyTheme(QCustomPlot& plot, const ChartTheme& theme) {
  plot.setBackground(QBrush(theme.colour(Colour::Panel)));
  QFont font = plot.font();
  font.setPixelSize(11);
  const QPen axisPen(theme.colour(Colour::Axis), 1);
  const QPen gridPen(theme.colour(Colour::Grid), 1);
  for (QCPAxisRect* rect : plot.axisRects()) {
    rect->setBackground(QBrush(Qt::NoBrush));
    for (QCPAxis* axis : rect->axes()) {
      axis->setBasePen(axisPen);
      axis->setTickPen(axisPen);
      axis->setSubTickPen(axisPen);
      axis->setTickLabelColor(theme.colour(Colour::MutedText));
      axis->setLabelColor(theme.colour(Colour::MutedText));
      axis->setTickLabelFont(font);
      axis->setLabelFont(font);
      axis->setSelectedBasePen(axisPen);
      axis->setSelectedTickPen(axisPen);
      axis->setSelectedTickLabelColor(theme.colour(Colour::Accent));
      axis->grid()->setPen(gridPen);
      axis->grid()->setSubGridPen(gridPen);
      axis->grid()->setZeroLinePen(axisPen);
      axis->grid()->setAntialiased(false);
    }
  }
  if (plot.legend != nullptr) {
    plot.legend->setBrush(QBrush(theme.colour(Colour::Panel)));
    plot.legend->setBorderPen(QPen(theme.colour(Colour::Border)));
    plot.legend->setTextColor(theme.colour(Colour::MutedText));
    plot.legend->setSelectedTextColor(theme.colour(Colour::Accent));
    plot.legend->setFont(font);
  }
}

}  // namespace peakscope::ui
