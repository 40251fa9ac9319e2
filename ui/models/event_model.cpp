// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/event_model.h"

#include <algorithm>
#include <array>

#include "ui/models/number_text.h"

namespace peakscope::ui {
namespace {

QString milliseconds(std::int64_t ns) { return QString::fromStdString(formatNumber(static_cast<double>(ns) / 1e6, 3)); }

bool isNumber(int column) { return column == EventModel::Step || column == EventModel::Time || column == EventModel::MiB || column == EventModel::Duration; }

}  // namespace

void EventModel::show(const Workload& workload, std::vector<analysis::Event> events) {
  beginResetModel();
  m_workload = workload;
  m_events = std::move(events);
  // Lanes overlap: in the order of the plan times would jump back and forth.
  std::stable_sort(m_events.begin(), m_events.end(), [](const analysis::Event& a, const analysis::Event& b) { return a.beginNs < b.beginNs; });
  filterRows();
  endResetModel();
}

void EventModel::setFilter(const QString& text) {
  const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  if (words == m_words) return;
  beginResetModel();
  m_words = words;
  filterRows();
  endResetModel();
}

void EventModel::filterRows() {
  m_rows.clear();
  for (std::size_t i = 0; i < m_events.size(); ++i) {
    const auto says = [&](const QString& word) {
      return std::ranges::any_of(std::array{LaneName, What, Subject, Why}, [&](Column column) { return text(m_events[i], column).contains(word, Qt::CaseInsensitive); });
    };
    if (std::ranges::all_of(m_words, says)) m_rows.push_back(i);
  }
}

int EventModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int EventModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant EventModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const analysis::Event& e = event(index.row());
  if (role == Qt::TextAlignmentRole && isNumber(index.column())) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && index.column() == MiB) return tr("%1 bytes").arg(e.bytes.count());
  if (role != Qt::DisplayRole) return {};
  if (index.column() == Step) return e.paperStep;
  return text(e, index.column());
}

QString EventModel::text(const analysis::Event& e, int column) const {
  switch (column) {
    case Time: return milliseconds(e.beginNs - m_events.front().beginNs);
    case LaneName: return QString::fromLatin1(toString(e.lane));
    case What: return e.cause.kind == CauseKind::Evicted && e.kind == analysis::EventKind::Free ? tr("evict") : QString::fromLatin1(toString(e.kind));
    case Subject: return QString::fromStdString(e.tensor.isValid() ? m_workload.tensors[e.tensor].name : e.op.isValid() ? opName(m_workload, e.op) : std::string());
    case MiB: return e.bytes > Bytes{} ? mibText(e.bytes) : QString();
    case Duration: return e.endNs > e.beginNs ? milliseconds(e.endNs - e.beginNs) : QString();
    case Why: return e.kind == analysis::EventKind::Stall ? tr("compute waits for it") : QString::fromStdString(describe(e.cause, m_workload));
    default: return {};
  }
}

QVariant EventModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Step: return tr("Step");
    case Time: return tr("Time, ms");
    case LaneName: return tr("Lane");
    case What: return tr("What");
    case Subject: return tr("Tensor or op");
    case MiB: return tr("MiB");
    case Duration: return tr("Lasted, ms");
    case Why: return tr("Cause");
    default: return {};
  }
}

}  // namespace peakscope::ui
