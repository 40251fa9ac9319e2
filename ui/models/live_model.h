// SPDX-License-Identifier: GPL-3.0-or-later
//
// LiveModel: the tensors that are resident at a moment, as a table. The rows come from analysis::liveAt, the sum is checked
// against the curve by sumText.
//
//   LiveModel model;  view->setModel(&model);
//   model.show(workload, plan, step);
#pragma once

#include <QAbstractTableModel>
#include <functional>

#include "memory/analysis/live_set.h"

namespace peakscope::ui {

class LiveModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, MiB, State, NextUse, Why, ColumnCount };
  static constexpr int kindRole = Qt::UserRole;      ///< analysis::ChartKind, for swatches
  static constexpr int stateRole = Qt::UserRole + 1; ///< analysis::TensorState

  using QAbstractTableModel::QAbstractTableModel;

  /// Names are copied: workload and plan need not outlive the call.
  void show(const Workload& workload, const Plan& plan, PlanStepId step);
  void clear();
  void setFilter(const QString& text);

  [[nodiscard]] Bytes scheduledSum() const { return m_scheduled; }
  [[nodiscard]] Bytes totalSum() const { return m_total; }
  [[nodiscard]] int tensorCount() const { return static_cast<int>(m_rows.size()); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    analysis::LiveTensor live;
    QString name, layer, why;
  };
  void filter();

  std::vector<Row> m_rows;
  std::vector<int> m_shown;          ///< indices of rows that pass the filter
  QString m_filter;
  Bytes m_scheduled, m_total;
};

}  // namespace peakscope::ui
