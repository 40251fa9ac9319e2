// SPDX-License-Identifier: GPL-3.0-or-later
//
// LayerModel: one row per layer: what its forward and backward step hold, how long they take, how often it is rebuilt, and
// which algorithm was chosen for it. Views hide the columns of a choice that nobody has: hasChoice().
#pragma once

#include <QAbstractTableModel>
#include <span>
#include <vector>

#include "memory/analysis/events.h"
#include "memory/analysis/memory_curve.h"

namespace peakscope::ui {

class LayerModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Name, Type, ForwardMiB, BackwardMiB, ForwardMs, BackwardMs, Rebuilds, CopiedMiB, ForwardAlgorithm, ForwardWorkspace, BackwardAlgorithm, BackwardWorkspace, ColumnCount };
  static constexpr int sortRole = Qt::UserRole;

  using QAbstractTableModel::QAbstractTableModel;

  /// `events` of one iteration; empty where nothing ran yet: then there are no times.
  void show(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve, std::span<const analysis::Event> events);
  /// Some layer could run with another algorithm.
  [[nodiscard]] bool hasChoice() const { return m_hasChoice; }
  [[nodiscard]] static constexpr bool isOfChoice(int column) { return column >= ForwardAlgorithm; }
  /// The step of a row's forward op, for a click.
  [[nodiscard]] PaperStep forwardStep(int row) const { return m_rows[static_cast<std::size_t>(row)].forwardStep; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  struct Row {
    QString name, type;
    QString forwardAlgorithm, backwardAlgorithm;
    Bytes forwardWorkspace, backwardWorkspace;
    PaperStep forwardStep = 0;
    Bytes forward, backward, copied;
    std::int64_t forwardNs = 0, backwardNs = 0, rebuilds = 0;
  };
  [[nodiscard]] double value(const Row& row, int column) const;

  std::vector<Row> m_rows;
  bool m_hasChoice = false;
};

}  // namespace peakscope::ui
