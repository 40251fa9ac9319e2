// SPDX-License-Identifier: GPL-3.0-or-later
//
// PolicyPanel: all policies side by side, with a bar for the arena of each and a line for the budget. Enter or a double click
// chooses one.
//
//   connect(panel, &PolicyPanel::chosen, this, [](const QString& policy) { ... });
//   panel->show(*answer);
#pragma once

#include <QWidget>

#include "ui/charts/chart_theme.h"
#include "ui/models/policy_model.h"
#include "ui/policy_service.h"

class QLabel;
class QSortFilterProxyModel;
class QTableView;

namespace peakscope::ui {

class PolicyPanel : public QWidget {
  Q_OBJECT

 public:
  explicit PolicyPanel(QWidget* parent = nullptr);

  void show(const PolicyAnswer& answer);
  /// Empty, and why.
  void showNothing(const QString& reason);
  void setTheme(const ChartTheme& theme);
  [[nodiscard]] const PolicyModel& model() const { return m_model; }

 signals:
  void chosen(const QString& policy);
  /// Why a policy cannot be chosen.
  void refused(const QString& reason);

 private:
  class Bars;
  void choose(const QModelIndex& index);
  void spanRefusals();

  PolicyModel m_model;
  ChartTheme m_theme;
  QLabel* m_headline;
  QSortFilterProxyModel* m_sorted;
  QTableView* m_table;
};

}  // namespace peakscope::ui
