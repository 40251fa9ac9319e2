// SPDX-License-Identifier: GPL-3.0-or-later
//
// LiveModel: the tensors that are resident at a moment, in groups with their sums: what is scheduled (the paper's number),
// what lives beside it for a while (workspaces, saved tensors, weight gradients), the persistent floor with one row a
// kind, and what is away on the host. The rows come from analysis::liveAt; the panel compares scheduledSum and totalSum
// with the curve.
//
//   LiveModel model;  view->setModel(&model);
//   model.show(workload, plan, step);
#pragma once

#include <QAbstractTableModel>
#include <span>
#include <vector>

#include "memory/analysis/live_set.h"

namespace peakscope::ui {

class LiveModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, MiB, State, NextUse, ColumnCount };
  static constexpr int kindRole = Qt::UserRole;         ///< analysis::ChartKind, for swatches; none for a heading
  static constexpr int stateRole = Qt::UserRole + 1;    ///< analysis::TensorState
  static constexpr int headingRole = Qt::UserRole + 2;  ///< true for the first row of a group

  using QAbstractTableModel::QAbstractTableModel;

  /// Names are copied: workload and plan need not outlive the call.
  void show(const Workload& workload, const Plan& plan, PlanStepId step, std::span<const Deviation> deviations = {});
  void clear();
  /// Shows tensors whose name, kind or state holds the text, persistent ones one by one.
  void setFilter(const QString& text);

  [[nodiscard]] Bytes scheduledSum() const { return m_scheduled; }
  [[nodiscard]] Bytes totalSum() const { return m_total; }
  [[nodiscard]] int tensorCount() const { return static_cast<int>(m_tensors.size()); }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  enum class Group { Scheduled, Beside, Persistent, OnHost };
  struct LiveRow {
    analysis::LiveTensor live;
    Group group = Group::Scheduled;
    QString name, why;
  };
  /// A heading, a tensor, or all tensors of a kind.
  struct Row {
    QString name, state, nextUse, toolTip;
    Bytes bytes;
    const LiveRow* tensor = nullptr;
    analysis::ChartKind kind{};
    bool isHeading = false;
  };
  void arrange();
  void appendTensor(const LiveRow& tensor);
  void appendKinds(Group group);
  [[nodiscard]] static Bytes bytesOf(const LiveRow& tensor);

  std::vector<LiveRow> m_tensors;
  std::vector<Row> m_rows;           ///< what is shown
  QString m_filter;
  Bytes m_scheduled, m_total;
};

}  // namespace peakscope::ui
