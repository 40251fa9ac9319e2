// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table as all tables of the window are: rows, no grid, and "Copy as CSV" in its menu and on Ctrl+C.
//
//   m_layerTable = copyableTable(&model, "layerTable", tr("Layers"), this);
#pragma once

#include <QTableView>

namespace peakscope::ui {

[[nodiscard]] QTableView* copyableTable(QAbstractItemModel* model, const char* name, const QString& accessible, QWidget* parent);

}  // namespace peakscope::ui
