// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/live_model.h"

#include <array>

#include "ui/models/number_text.h"

namespace peakscope::ui {

void LiveModel::show(const Workload& workload, const Plan& plan, PlanStepId step, std::span<const Deviation> deviations) {
  beginResetModel();
  m_rows.clear();
  m_tensors.clear();
  m_scheduled = m_total = Bytes{};
  for (const analysis::LiveTensor& live : analysis::liveAt(workload, plan, step, deviations)) {
    LiveRow row{.live = live, .group = Group::Beside};
    m_total += live.bytes;
    if (!live.tensor.isValid()) {
      row.name = tr("workspace of %1").arg(QString::fromStdString(opName(workload, live.op)));
      row.why = QString::fromStdString(describe(live.cause, workload));
    } else {
      const Tensor& tensor = workload.tensors[live.tensor];
      row.name = QString::fromStdString(tensor.name);
      row.why = tensor.isPersistent ? tr("lives for the whole run") : QString::fromStdString(describe(live.cause, workload));
      if (tensor.isPersistent) row.group = Group::Persistent;
      else if (live.bytes == Bytes{}) row.group = Group::OnHost;
      else if (isScheduled(tensor.kind)) row.group = Group::Scheduled;
      if (row.group == Group::Scheduled) m_scheduled += tensor.shapeBytes;
    }
    m_tensors.push_back(std::move(row));
  }
  arrange();
  endResetModel();
}

void LiveModel::clear() {
  beginResetModel();
  m_rows.clear();
  m_tensors.clear();
  m_scheduled = m_total = Bytes{};
  endResetModel();
}

void LiveModel::setFilter(const QString& text) {
  beginResetModel();
  m_filter = text.trimmed();
  arrange();
  endResetModel();
}

Bytes LiveModel::bytesOf(const LiveRow& tensor) { return tensor.group == Group::OnHost ? tensor.live.hostBytes : tensor.live.bytes; }

void LiveModel::arrange() {
  m_rows.clear();
  const std::array titles{tr("Scheduled"), tr("Not scheduled"), tr("Persistent"), tr("On the host")};
  for (const Group group : {Group::Scheduled, Group::Beside, Group::Persistent, Group::OnHost}) {
    const std::size_t heading = m_rows.size();
    m_rows.push_back({.name = titles[static_cast<std::size_t>(group)], .isHeading = true});
    int count = 0;
    Bytes sum;
    for (const LiveRow& tensor : m_tensors) {
      const QString words = tensor.name + QLatin1Char(' ') + QString::fromLatin1(toString(tensor.live.kind)) + QLatin1Char(' ') + QString::fromLatin1(toString(tensor.live.state));
      if (tensor.group != group || (!m_filter.isEmpty() && !words.contains(m_filter, Qt::CaseInsensitive))) continue;
      ++count;
      sum += bytesOf(tensor);
      if (group != Group::Persistent || !m_filter.isEmpty()) appendTensor(tensor);
    }
    if (count == 0) {
      m_rows.pop_back();
      continue;
    }
    if (group == Group::Persistent && m_filter.isEmpty()) appendKinds(group);
    m_rows[heading].bytes = sum;
    m_rows[heading].state = count == 1 ? tr("1 tensor") : tr("%1 tensors").arg(count);
  }
}

void LiveModel::appendTensor(const LiveRow& tensor) {
  const analysis::LiveTensor& live = tensor.live;
  const bool isPersistent = tensor.group == Group::Persistent;
  const QString kind = QString::fromLatin1(toString(live.kind)), state = isPersistent ? tr("whole run") : QString::fromLatin1(toString(live.state));
  m_rows.push_back({.name = tensor.name,
                    .state = state,
                    .nextUse = live.nextUse > 0 ? tr("step %1").arg(live.nextUse) : tr("\u2013"),
                    .toolTip = tr("%1\n%2, %3\n%4 bytes on the device, %5 on the host\nborn at step %6; %7").arg(tensor.name, kind, state).arg(live.bytes.count()).arg(live.hostBytes.count()).arg(live.bornAt).arg(tensor.why),
                    .bytes = bytesOf(tensor),
                    .tensor = &tensor,
                    .kind = live.kind});
}

/// The tensors are ordered by kind: one row for each run of the same.
void LiveModel::appendKinds(Group group) {
  Row row;
  int count = 0;
  const auto flush = [&] {
    if (count == 0) return;
    row.name = QString::fromLatin1(toString(row.kind));
    row.state = count == 1 ? tr("1 tensor") : tr("%1 tensors").arg(count);
    row.nextUse = tr("whole run");
    row.toolTip = tr("%1: %2 tensors, %3 bytes, for the whole run; filter by a name or kind to see them one by one").arg(row.name).arg(count).arg(row.bytes.count());
    m_rows.push_back(row);
  };
  for (const LiveRow& tensor : m_tensors) {
    if (tensor.group != group) continue;
    if (count > 0 && tensor.live.kind != row.kind) {
      flush();
      row = {};
      count = 0;
    }
    row.kind = tensor.live.kind;
    row.tensor = &tensor;
    row.bytes += tensor.live.bytes;
    ++count;
  }
  flush();
}

int LiveModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int LiveModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant LiveModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == headingRole) return row.isHeading;
  if (role == kindRole && row.tensor != nullptr) return static_cast<int>(row.kind);
  if (role == stateRole && row.tensor != nullptr) return static_cast<int>(row.tensor->live.state);
  if (role == Qt::TextAlignmentRole && index.column() == MiB) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && !row.toolTip.isEmpty()) return row.toolTip;
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case Name: return row.name;
    case MiB: return mibText(row.bytes);
    case State: return row.state;
    case NextUse: return row.nextUse;
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
    default: return {};
  }
}

}  // namespace peakscope::ui
