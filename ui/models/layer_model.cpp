// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/layer_model.h"

#include "ui/models/coordinates.h"

namespace peakscope::ui {
namespace {

bool isNumber(int column) { return column >= LayerModel::ForwardMiB && column != LayerModel::ForwardAlgorithm && column != LayerModel::BackwardAlgorithm; }

}  // namespace

void LayerModel::show(const Workload& workload, const Plan& plan, const analysis::MemoryCurve& curve, std::span<const analysis::Event> events) {
  beginResetModel();
  m_rows.clear();
  IdVector<LayerId, int> rowOf(workload.layers.size(), -1);
  const auto rowFor = [&](LayerId layer) -> Row& {
    if (rowOf[layer] < 0) {
      rowOf[layer] = static_cast<int>(m_rows.size());
      m_rows.push_back({.name = QString::fromStdString(workload.layers[layer].name), .type = QString::fromStdString(workload.layers[layer].type)});
    }
    return m_rows[static_cast<std::size_t>(rowOf[layer])];
  };
  for (const analysis::StepBytes& step : analysis::bytesPerStep(workload, plan, curve)) {
    Row& row = rowFor(step.layer);
    (step.phase == Phase::Forward ? row.forward : row.backward) = step.scheduledInStep;
    if (step.phase == Phase::Forward) row.forwardStep = step.step;
  }
  for (const analysis::Event& event : events) {
    const bool isCopy = event.kind == analysis::EventKind::CopyOut || event.kind == analysis::EventKind::CopyIn;
    if (isCopy) rowFor(workload.tensors[event.tensor].layer).copied += event.bytes;
    if (!event.op.isValid() || event.kind == analysis::EventKind::Load) continue;
    Row& row = rowFor(workload.ops[event.op].layer);
    if (event.kind == analysis::EventKind::Rebuild) ++row.rebuilds;
    (workload.ops[event.op].phase == Phase::Forward ? row.forwardNs : row.backwardNs) += event.endNs - event.beginNs;
  }
  m_hasChoice = false;
  for (const PlanStep& step : plan.steps) {
    const auto* run = std::get_if<RunStep>(&step.action);
    if (run == nullptr) continue;
    const Op& op = workload.ops[run->op];
    if (op.phase != Phase::Forward && op.phase != Phase::Backward) continue;
    const bool isForward = op.phase == Phase::Forward;
    const OpCandidate& chosen = op.candidates[static_cast<std::size_t>(run->candidate)];
    Row& row = rowFor(op.layer);
    m_hasChoice = m_hasChoice || op.candidates.size() > 1;
    if (op.candidates.size() > 1) (isForward ? row.forwardAlgorithm : row.backwardAlgorithm) = QString::fromStdString(chosen.algorithm);
    (isForward ? row.forwardWorkspace : row.backwardWorkspace) = chosen.workspace;
  }
  endResetModel();
}

int LayerModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : static_cast<int>(m_rows.size()); }
int LayerModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

double LayerModel::value(const Row& row, int column) const {
  const auto mib = [](Bytes bytes) { return static_cast<double>(bytes.count()) / static_cast<double>(bytesPerMiB); };
  switch (column) {
    case ForwardMiB: return mib(row.forward);
    case BackwardMiB: return mib(row.backward);
    case ForwardMs: return static_cast<double>(row.forwardNs) / 1e6;
    case BackwardMs: return static_cast<double>(row.backwardNs) / 1e6;
    case Rebuilds: return static_cast<double>(row.rebuilds);
    case CopiedMiB: return mib(row.copied);
    case ForwardWorkspace: return mib(row.forwardWorkspace);
    case BackwardWorkspace: return mib(row.backwardWorkspace);
    default: return 0;
  }
}

QVariant LayerModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Row& row = m_rows[static_cast<std::size_t>(index.row())];
  if (role == Qt::TextAlignmentRole && isNumber(index.column())) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == sortRole && isNumber(index.column())) return value(row, index.column());
  if (role != Qt::DisplayRole && role != sortRole) return {};
  switch (index.column()) {
    case Name: return row.name;
    case Type: return row.type;
    case ForwardAlgorithm: return row.forwardAlgorithm;
    case BackwardAlgorithm: return row.backwardAlgorithm;
    case Rebuilds: return row.rebuilds > 0 ? QString::number(row.rebuilds) : QString();
    default: break;
  }
  const double number = value(row, index.column());
  return number > 0 ? QString::fromStdString(formatNumber(number, 3)) : QString();
}

QVariant LayerModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return QVariant((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Name: return tr("Layer");
    case Type: return tr("Type");
    case ForwardMiB: return tr("Forward, MiB");
    case BackwardMiB: return tr("Backward, MiB");
    case ForwardMs: return tr("Forward, ms");
    case BackwardMs: return tr("Backward, ms");
    case Rebuilds: return tr("Rebuilt");
    case CopiedMiB: return tr("Copied, MiB");
    case ForwardAlgorithm: return tr("Forward by");
    case ForwardWorkspace: return tr("Workspace, MiB");
    case BackwardAlgorithm: return tr("Backward by");
    case BackwardWorkspace: return tr("Workspace, MiB");
    default: return {};
  }
}

}  // namespace peakscope::ui
