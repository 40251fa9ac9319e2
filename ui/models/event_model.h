// SPDX-License-Identifier: GPL-3.0-or-later
//
// EventModel: the events of one iteration as a table.
//
//   model.show(workload, analysis::expand(workload, plan, iteration, PlanStepId{0}, times));
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "memory/analysis/events.h"

namespace peakscope::ui {

class EventModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Step, Time, LaneName, What, Subject, MiB, Duration, Why, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void show(const Workload& workload, std::vector<analysis::Event> events);
  void clear() { show({}, {}); }
  /// The event at a row; rows are never sorted.
  [[nodiscard]] const analysis::Event& event(int row) const { return m_events[static_cast<std::size_t>(row)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  Workload m_workload;
  std::vector<analysis::Event> m_events;
};

}  // namespace peakscope::ui
