// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/copyable_table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>

#include "ui/models/table_csv.h"

namespace peakscope::ui {

QTableView* copyableTable(QAbstractItemModel* model, const char* name, const QString& accessible, QWidget* parent) {
  auto* view = new QTableView(parent);
  view->setObjectName(name);
  view->setAccessibleName(accessible);
  view->setModel(model);
  view->verticalHeader()->hide();
  view->verticalHeader()->setDefaultSectionSize(20);
  view->setShowGrid(false);
  view->setAlternatingRowColors(true);
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setWordWrap(false);
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setStretchLastSection(true);
  auto* copy = new QAction(QTableView::tr("Copy as CSV"), view);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetShortcut);
  QObject::connect(copy, &QAction::triggered, view, [model] { QGuiApplication::clipboard()->setText(tableCsv(*model)); });
  view->addAction(copy);
  view->setContextMenuPolicy(Qt::ActionsContextMenu);
  return view;
}

}  // namespace peakscope::ui
