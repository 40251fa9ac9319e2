// SPDX-License-Identifier: GPL-3.0-or-later
//
// EventModel: the events of one iteration as a table. A filter keeps those that say what it says: each word of it must be
// found in one of the columns, so that "evict conv1" shows what made conv1's output leave the cache.
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
  void setFilter(const QString& text);
  /// How many there are without the filter.
  [[nodiscard]] int eventCount() const { return static_cast<int>(m_events.size()); }
  /// The event at a row; rows are never sorted.
  [[nodiscard]] const analysis::Event& event(int row) const { return m_events[m_rows[static_cast<std::size_t>(row)]]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(const analysis::Event& event, int column) const;
  void filterRows();

  Workload m_workload;
  std::vector<analysis::Event> m_events;
  std::vector<std::size_t> m_rows;       ///< the events that the filter leaves
  QStringList m_words;
};

}  // namespace peakscope::ui
