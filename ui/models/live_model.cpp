// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/live_model.h"

#include <numeric>

#include "ui/models/coordinates.h"

namespace peakscope::ui {
namespace {

QString mib(Bytes bytes) { return QString::fromStdString(formatNumber(static_cast<double>(bytes.count()) / static_cast<double>(bytesPerMiB), 3)); }

}  // namespace

void LiveModel::show(const Workload& workload, const Plan& plan, PlanStepId step) {
  beginResetModel();
  m_rows.clear();
  m_scheduled = m_total = Bytes{};
  for (const analysis::LiveTensor& live : analysis::liveAt(workload, plan, step)) {
    Row row{.live = live};
    if (live.tensor.isValid()) {
      const Tensor& tensor = workload.tensors[live.tensor];
      row.name = QString::fromStdString(tensor.name);
      row.layer = QString::fromStdString(workload.layers[tensor.layer].name);
      if (isScheduled(tensor.kind) && live.bytes > Bytes{}) m_scheduled += tensor.shapeBytes;
    } else {
      row.name = tr("workspace of %1").arg(QString::fromStdString(opName(workload, live.op)));
      row.layer = QString::fromStdString(workload.layers[workload.ops[live.op].layer].name);
    }
    const bool isPersistent = live.tensor.isValid() && workload.tensors[live.tensor].isPersistent;
    row.why = isPersistent ? tr("lives for the whole run") : QString::fromStdString(describe(live.cause, workload));
    m_total += live.bytes;
    m_rows.push_back(std::move(row));
  }
  filter();
  endResetModel();
}

void LiveModel::clear() {
  beginResetModel();
  m_rows.clear();
  m_shown.clear();
  m_scheduled = m_total = Bytes{};
  endResetModel();
}

void LiveModel::setFilter(const QString& text) {
  beginResetModel();
  m_filter = text.trimmed();
  filter();
  endResetModel();
}

void LiveModel::filter() {
  m_shown.clear();
  for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
    const Row& row = m_rows[static_cast<std::size_t>(i)];
    const QString words = row.name + QLatin1Char(' ') + QString::fromLatin1(toString(row.live.kind)) + QLatin1Char(' ') + QString::fromLatin1(toString(row.live.state));
    if (m_filter.isEmpty() || words.contains(m_filter, Qt::CaseInsensitive)) m_shown.push_back(i);
  }
}

int LiveModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_shown.size()); }
int LiveModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LiveModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(m_shown[static_cast<std::size_t>(index.row())])];
  const analysis::LiveTensor& live = row.live;
  if (role == kindRole) return static_cast<int>(live.kind);
  if (role == stateRole) return static_cast<int>(live.state);
  if (role == Qt::TextAlignmentRole && index.column() == MiB) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole)
    return tr("%1\n%2, %3\n%4 bytes on the device, %5 on the host\nborn at step %6; %7")
        .arg(row.name, QString::fromLatin1(toString(live.kind)), QString::fromLatin1(toString(live.state)))
        .arg(live.bytes.count())
        .arg(live.hostBytes.count())
        .arg(live.bornAt)
        .arg(row.why);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Name: return row.name;
    case MiB: return mib(live.bytes > Bytes{} ? live.bytes : live.hostBytes);
    case State: return QString::fromLatin1(toString(live.state));
    case NextUse: return live.nextUse > 0 ? tr("step %1").arg(live.nextUse) : tr("\u2013");
    case Why: return row.why;
    default: return {};
  }
}

QVariant LiveModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant((section == MiB ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Name: return tr("Tensor");
    case MiB: return tr("MiB");
    case State: return tr("State");
    case NextUse: return tr("Next use");
    case Why: return tr("Why it is here");
    default: return {};
  }
}

}  // namespace peakscope::ui
