// SPDX-License-Identifier: GPL-3.0-or-later
//
// PolicyModel: one row per policy: what its plan takes on the device and the host, what it moves and rebuilds, how long an
// iteration lasts. A policy that does not fit has no figures but the budget that would do.
//
//   model.show({.rows = rows, .budget = options.budget, .current = options.policy});
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <string>
#include <vector>

#include "memory/bytes.h"

namespace peakscope::ui {

struct PolicyRow {
  std::string policy, description;
  std::string refused;                 ///< why there is no plan; then only smallestBudget means something
  Bytes smallestBudget;
  Bytes scheduledPeak, arena, host, copied;
  std::int64_t rebuilt = 0, timeNs = 0, stallNs = 0;

  [[nodiscard]] bool fits() const { return refused.empty(); }
  friend bool operator==(const PolicyRow&, const PolicyRow&) = default;
};
struct PolicyTable {
  std::vector<PolicyRow> rows;
  std::optional<Bytes> budget;
  std::string current;                 ///< the policy of the session
};

class PolicyModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Policy, Scheduled, Arena, Bar, Host, Copied, Rebuilt, Time, Stalls, ColumnCount };
  /// Numbers to sort by; what does not fit comes last.
  static constexpr int sortRole = Qt::UserRole;
  /// Of Bar, in shares of the longest bar or of the budget, whichever is more: the arena (of a refused policy: what it would
  /// need) and the budget, which is less than 0 where there is none.
  static constexpr int shareRole = Qt::UserRole + 1, budgetShareRole = Qt::UserRole + 2;
  static constexpr int fitsRole = Qt::UserRole + 3, isCurrentRole = Qt::UserRole + 4;

  using QAbstractTableModel::QAbstractTableModel;

  /// Rows that are added to those shown leave them, and a selection, in place.
  void show(PolicyTable table);
  [[nodiscard]] const PolicyRow& row(int index) const { return m_table.rows[static_cast<std::size_t>(index)]; }

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
  /// Qt::EditRole: exact bytes and nanoseconds, for copies.
  [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  [[nodiscard]] QString text(const PolicyRow& row, int column) const;
  [[nodiscard]] double share(Bytes bytes) const;

  PolicyTable m_table;
  Bytes m_longest;
};

}  // namespace peakscope::ui
