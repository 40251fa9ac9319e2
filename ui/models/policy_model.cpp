// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/policy_model.h"

#include <algorithm>
#include <limits>

#include "ui/models/number_text.h"

namespace peakscope::ui {
namespace {

QString milliseconds(std::int64_t ns) { return QString::fromStdString(formatNumber(static_cast<double>(ns) / 1e6, 2)); }

Bytes lengthOf(const PolicyRow& row) { return row.fits() ? row.arena : row.smallestBudget; }

/// Bytes, nanoseconds or a count.
std::int64_t exact(const PolicyRow& row, int column) {
  switch (column) {
    case PolicyModel::Scheduled: return row.scheduledPeak.count();
    case PolicyModel::Arena: return row.arena.count();
    case PolicyModel::Bar: return row.smallestBudget.count();
    case PolicyModel::Host: return row.host.count();
    case PolicyModel::Copied: return row.copied.count();
    case PolicyModel::Rebuilt: return row.rebuilt;
    case PolicyModel::Time: return row.timeNs;
    case PolicyModel::Stalls: return row.stallNs;
    default: return 0;
  }
}

bool isNumber(int column) { return column != PolicyModel::Policy && column != PolicyModel::Bar; }

}  // namespace

void PolicyModel::show(PolicyTable table) {
  const bool isSame = table.budget == m_table.budget && table.current == m_table.current && table.rows.size() > m_table.rows.size() && !m_table.rows.empty();
  const bool isMore = isSame && std::equal(m_table.rows.begin(), m_table.rows.end(), table.rows.begin());
  if (isMore) beginInsertRows({}, static_cast<int>(m_table.rows.size()), static_cast<int>(table.rows.size()) - 1);
  else beginResetModel();
  m_table = std::move(table);
  m_longest = m_table.budget.value_or(Bytes{});
  for (const PolicyRow& row : m_table.rows) m_longest = std::max(m_longest, lengthOf(row));
  if (!isMore) return endResetModel();
  endInsertRows();
  emit dataChanged(index(0, Bar), index(rowCount() - 1, Bar), {shareRole, budgetShareRole});
}

int PolicyModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size()); }
int PolicyModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

double PolicyModel::share(Bytes bytes) const {
  return m_longest > Bytes{} ? static_cast<double>(bytes.count()) / static_cast<double>(m_longest.count()) : 0;
}

QVariant PolicyModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const PolicyRow& row = this->row(index.row());
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::EditRole:
      if (column == Policy) return QString::fromStdString(row.policy);
      return row.fits() == (column != Bar) ? QVariant(static_cast<qlonglong>(exact(row, column))) : QVariant(QString());
    case Qt::TextAlignmentRole: return isNumber(column) ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    case Qt::ToolTipRole:
      if (column == Policy) return QStringLiteral("<p>%1</p>").arg(QString::fromStdString(row.description).toHtmlEscaped());
      if (!row.fits()) return QStringLiteral("<p>%1</p>").arg(QString::fromStdString(row.refused).toHtmlEscaped());
      if (column == Bar || column == Arena) return tr("arena: %1 bytes").arg(row.arena.count());
      return column == Scheduled || column == Host || column == Copied ? QVariant(tr("%1 bytes").arg(exact(row, column))) : QVariant();
    case sortRole:
      if (column == Policy) return QString::fromStdString(row.policy);
      if (column == Bar) return static_cast<double>(lengthOf(row).count());
      return row.fits() ? static_cast<double>(exact(row, column)) : std::numeric_limits<double>::infinity();
    case shareRole: return share(lengthOf(row));
    case budgetShareRole: return m_table.budget ? share(*m_table.budget) : -1.0;
    case fitsRole: return row.fits();
    case isCurrentRole: return row.policy == m_table.current;
    default: return {};
  }
}

QString PolicyModel::text(const PolicyRow& row, int column) const {
  if (column == Policy) return QString::fromStdString(row.policy);
  if (!row.fits()) {
    if (column != Bar) return QStringLiteral("\u2013");
    return row.smallestBudget > Bytes{} ? tr("does not fit; %1 MiB would do").arg(mibText(row.smallestBudget, 1)) : QString::fromStdString(row.refused);
  }
  switch (column) {
    case Scheduled: return mibText(row.scheduledPeak);
    case Arena: return mibText(row.arena);
    case Host: return mibText(row.host);
    case Copied: return mibText(row.copied);
    case Rebuilt: return QString::number(row.rebuilt);
    case Time: return milliseconds(row.timeNs);
    case Stalls: return milliseconds(row.stallNs);
    default: return {};
  }
}

QVariant PolicyModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
  if (role == Qt::TextAlignmentRole) return QVariant((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role == Qt::EditRole) {
    constexpr const char* names[ColumnCount] = {"policy", "scheduled_peak_bytes", "arena_bytes", "smallest_budget_bytes", "host_bytes", "copied_bytes", "extra_forwards", "time_ns", "stall_ns"};
    return QString::fromLatin1(names[section]);
  }
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Policy: return tr("Policy");
    case Scheduled: return tr("Scheduled, MiB");
    case Arena: return tr("Arena, MiB");
    case Bar: return tr("Arena and budget");
    case Host: return tr("Host, MiB");
    case Copied: return tr("Copied, MiB");
    case Rebuilt: return tr("Rebuilt");
    case Time: return tr("Time, ms");
    case Stalls: return tr("Stalls, ms");
    default: return {};
  }
}

}  // namespace peakscope::ui
