// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/table_csv.h"

#include <QAbstractItemModel>

namespace peakscope::ui {
namespace {

QString quoted(const QVariant& exact, const QVariant& shown) {
  QString text = (exact.isValid() ? exact : shown).toString();
  if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n')) return text;
  return QLatin1Char('"') + text.replace(QLatin1String("\""), QLatin1String("\"\"")) + QLatin1Char('"');
}

}  // namespace

QString tableCsv(const QAbstractItemModel& model) {
  QString csv;
  for (int row = -1; row < model.rowCount(); ++row)
    for (int column = 0; column < model.columnCount(); ++column) {
      const auto value = [&](int role) { return row < 0 ? model.headerData(column, Qt::Horizontal, role) : model.index(row, column).data(role); };
      csv += quoted(value(Qt::EditRole), value(Qt::DisplayRole)) + (column + 1 < model.columnCount() ? QLatin1Char(',') : QLatin1Char('\n'));
    }
  return csv;
}

}  // namespace peakscope::ui
