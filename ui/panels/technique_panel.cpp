// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/technique_panel.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QFrame>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QVBoxLayout>
#include <algorithm>

#include <cmath>

#include "ui/models/number_text.h"

namespace peakscope::ui {
namespace {

/// MiB with one decimal that are enough for `mib`.
double tenthsUp(double mib) { return std::ceil(mib * 10) / 10; }

QFrame* line(QWidget* parent) {
  auto* frame = new QFrame(parent);
  frame->setFrameShape(QFrame::HLine);
  frame->setObjectName("separator");
  return frame;
}

QComboBox* combo(QWidget* parent, const char* name, const QString& accessible, const QStringList& items) {
  auto* box = new QComboBox(parent);
  box->setObjectName(name);
  box->setAccessibleName(accessible);
  box->addItems(items);
  return box;
}

}  // namespace

TechniquePanel::TechniquePanel(const QStringList& networks, QWidget* parent) : QWidget(parent) {
  setObjectName("techniquesPanel");
  setAttribute(Qt::WA_StyledBackground);
  m_network = combo(this, "network", tr("Network"), networks);
  m_lowering = combo(this, "lowering", tr("Counting"), {tr("lean"), tr("as in the paper")});
  m_lowering->setToolTip(tr("Lean is what one would train with today: in-place ReLU, no copies at forks and joins, fused updates.\n"
                            "As in the paper counts what the original program allocates; its published numbers are for that."));
  m_batch = new QSpinBox(this);
  m_batch->setObjectName("batch");
  m_batch->setRange(1, 1 << 20);
  m_batch->setAccessibleName(tr("Batch size"));
  m_batch->setKeyboardTracking(false);
  m_facts = new QLabel(this);

  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  form->addRow(tr("&Network"), m_network);
  form->addRow(tr("&Batch"), m_batch);
  form->addRow(tr("&Counting"), m_lowering);
  form->addRow(QString(), m_facts);

  auto* grid = new QGridLayout;
  grid->setVerticalSpacing(6);
  grid->setColumnStretch(0, 1);
  auto* title = new QLabel(tr("<b>Techniques</b>"), this);
  auto* unit = new QLabel(tr("peak, MiB"), this);
  unit->setAlignment(Qt::AlignRight);
  grid->addWidget(title, 0, 0);
  grid->addWidget(unit, 0, 1);
  m_keepAll = new QLabel(this);
  m_keepAll->setAlignment(Qt::AlignRight);
  grid->addWidget(new QLabel(tr("Keep everything"), this), 1, 0);
  grid->addWidget(m_keepAll, 1, 1);
  m_liveness = addTechnique(*grid, 2, "liveness", tr("&Liveness"), tr("A tensor is allocated by the first op that touches it and freed after the last one. Every other technique builds on it."));
  m_offload = addTechnique(*grid, 3, "offload", tr("&Offload and prefetch"), tr("Outputs wait on the host between forward and backward and are copied back before they are needed. Copies run beside compute; what does not hide shows as a stall."));
  m_offloadSet = combo(this, "offloadSet", tr("What is offloaded"), {tr("conv only"), tr("checkpoints"), tr("conv inputs"), tr("all outputs")});
  m_prefetch = combo(this, "prefetch", tr("When it comes back"), {tr("previous conv"), tr("on demand")});
  auto* offloadRow = new QHBoxLayout;
  offloadRow->setContentsMargins(20, 0, 0, 0);
  offloadRow->addWidget(m_offloadSet);
  offloadRow->addWidget(m_prefetch);
  grid->addLayout(offloadRow, 4, 0, 1, 2);
  m_recompute = addTechnique(*grid, 5, "recompute", tr("&Recompute"), tr("Outputs of cheap layers are dropped after forward and rebuilt from the checkpoint in front of them when backward needs them. Values are the same to the bit."));
  m_recomputeMode = combo(this, "recomputeMode", tr("How it is rebuilt"), {tr("speed"), tr("memory"), tr("cost-aware")});
  m_recomputeMode->setToolTip(tr("speed: rebuild a segment once and keep it; memory: keep only what the running layer needs;\ncost-aware: memory where speed would raise the peak, else speed"));
  auto* recomputeRow = new QHBoxLayout;
  recomputeRow->setContentsMargins(20, 0, 0, 0);
  recomputeRow->addWidget(m_recomputeMode);
  grid->addLayout(recomputeRow, 6, 0, 1, 2);
  m_cache = addTechnique(*grid, 7, "cache", tr("Tensor &cache"), tr("Tensors stay on the device while they fit; under the pressure of the budget the one touched longest ago leaves first. While everything fits, nothing is copied."));
  m_eviction = combo(this, "eviction", tr("What leaves first"), {tr("least recently used"), tr("needed last (Belady)")});
  auto* cacheRow = new QHBoxLayout;
  cacheRow->setContentsMargins(20, 0, 0, 0);
  cacheRow->addWidget(m_eviction);
  grid->addLayout(cacheRow, 8, 0, 1, 2);
  m_workspace = addTechnique(*grid, 9, "workspace", tr("Dynamic &workspaces"), tr("Each step runs with the fastest algorithm whose workspace fits the bytes that are free at that step: below the budget, or without one below the peak of the tensors."));

  m_planned = new QLabel(this);
  m_planned->setObjectName("planned");
  m_planned->setAlignment(Qt::AlignRight);
  auto* planned = new QHBoxLayout;
  planned->addWidget(new QLabel(tr("<b>Planned</b>"), this));
  planned->addWidget(m_planned, 1);

  m_hasBudget = new QCheckBox(tr("B&udget, MiB"), this);
  m_hasBudget->setObjectName("hasBudget");
  m_hasBudget->setToolTip(tr("Cap on the arena: everything that the plan places on the device"));
  m_budget = new QDoubleSpinBox(this);
  m_budget->setObjectName("budget");
  m_budget->setAccessibleName(tr("Budget in MiB"));
  m_budget->setRange(0.1, 1e7);
  m_budget->setDecimals(1);
  m_budget->setKeyboardTracking(false);
  m_budgetSlider = new QSlider(Qt::Horizontal, this);
  m_budgetSlider->setObjectName("budgetSlider");
  m_budgetSlider->setAccessibleName(tr("Budget"));
  m_budgetSlider->setRange(10, 300);   // percent of what the plan needs
  auto* budget = new QHBoxLayout;
  budget->addWidget(m_hasBudget);
  budget->addWidget(m_budget, 1);

  m_hint = new QLabel(this);
  m_hint->setObjectName("hint");
  m_hint->setWordWrap(true);
  m_hint->setMinimumHeight(48);
  m_hint->hide();

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(8);
  layout->addLayout(form);
  layout->addWidget(line(this));
  layout->addLayout(grid);
  layout->addWidget(line(this));
  layout->addLayout(planned);
  layout->addLayout(budget);
  layout->addWidget(m_budgetSlider);
  layout->addWidget(m_hint);
  layout->addStretch(1);

  connect(m_network, &QComboBox::textActivated, this, &TechniquePanel::editNetwork);
  connect(m_lowering, &QComboBox::activated, this, &TechniquePanel::editLowering);
  connect(m_batch, &QSpinBox::valueChanged, this, &TechniquePanel::editNetwork);
  for (QCheckBox* box : {m_liveness.box, m_offload.box, m_recompute.box, m_cache.box, m_workspace.box, m_hasBudget}) connect(box, &QCheckBox::clicked, this, &TechniquePanel::editOptions);
  for (QComboBox* box : {m_offloadSet, m_prefetch, m_recomputeMode, m_eviction}) connect(box, &QComboBox::activated, this, &TechniquePanel::editOptions);
  // The box shows tenths of a MiB; a budget that was given to the byte stays as it is until the box is edited.
  connect(m_budget, &QDoubleSpinBox::valueChanged, this, [this] {
    if (m_isSetting || !m_hasBudget->isChecked()) return;
    PolicyOptions options = m_request.options;
    options.budget = shownBudget();
    emit optionsEdited(options);
  });
  connect(m_budgetSlider, &QSlider::valueChanged, this, [this](int percent) {
    if (!m_isSetting) m_budget->setValue(tenthsUp(static_cast<double>(m_need.count()) / static_cast<double>(bytesPerMiB) * percent / 100.0));
  });
}

TechniquePanel::Row TechniquePanel::addTechnique(QGridLayout& grid, int row, const char* objectName, const QString& name, const QString& explanation) {
  Row made{new QCheckBox(name, this), new QLabel(this)};
  made.box->setToolTip(QStringLiteral("<p>%1</p>").arg(explanation));
  made.box->setObjectName(objectName);
  made.effect->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  made.effect->setObjectName(made.box->objectName() + "Effect");
  grid.addWidget(made.box, row, 0);
  grid.addWidget(made.effect, row, 1);
  return made;
}

void TechniquePanel::setRequest(const PlanRequest& request) {
  m_isSetting = true;
  m_request = request;
  const PolicyOptions& o = request.options;
  const QString net = QString::fromStdString(request.net);
  if (m_network->findText(net) < 0) m_network->addItem(net);
  m_network->setCurrentText(net);
  m_lowering->setCurrentIndex(request.lowering.starts_with("paper") ? 1 : 0);
  if (request.batch > 0) m_batch->setValue(static_cast<int>(request.batch));
  m_liveness.box->setChecked(o.techniques.any());
  m_offload.box->setChecked(o.techniques.offload);
  m_recompute.box->setChecked(o.techniques.recompute);
  m_offloadSet->setCurrentIndex(static_cast<int>(o.offload));
  m_prefetch->setCurrentIndex(static_cast<int>(o.prefetch));
  m_recomputeMode->setCurrentIndex(static_cast<int>(o.recompute));
  m_cache.box->setChecked(o.techniques.cache);
  m_workspace.box->setChecked(o.techniques.workspace);
  m_eviction->setCurrentIndex(static_cast<int>(o.eviction));
  m_eviction->setEnabled(o.techniques.cache);
  m_offloadSet->setEnabled(o.techniques.moves());
  m_prefetch->setEnabled(o.techniques.moves());
  m_recomputeMode->setEnabled(o.techniques.recompute);
  m_hasBudget->setChecked(o.budget.has_value());
  m_budget->setEnabled(o.budget.has_value());
  m_budgetSlider->setEnabled(o.budget.has_value());
  if (o.budget) m_budget->setValue(static_cast<double>(o.budget->count()) / static_cast<double>(bytesPerMiB));
  m_isSetting = false;
}

void TechniquePanel::showAnswer(const PlanAnswer& answer) {
  m_isSetting = true;
  if (!answer.error.empty()) {
    setHint(QString::fromStdString(answer.error));
    m_isSetting = false;
    return;
  }
  if (m_request.batch == 0) m_batch->setValue(static_cast<int>(answer.workload.batch));
  m_facts->setText(tr("%1 layers, input %2").arg(answer.layers).arg(QString::fromStdString(answer.input)));
  m_keepAll->setText(mibText(answer.keepAllScheduled, 1));
  const Techniques& on = m_request.options.techniques;
  setEffect(m_liveness, answer.none.scheduledPeak, answer.liveness.scheduledPeak, on.any());
  setEffect(m_offload, answer.liveness.scheduledPeak, answer.offload.scheduledPeak, on.offload);
  setEffect(m_recompute, on.offload && !on.cache ? answer.offload.scheduledPeak : answer.liveness.scheduledPeak, answer.recompute.scheduledPeak, on.recompute);
  const bool movesEagerly = on.offload && !on.cache;
  const Bytes withoutCache = on.recompute ? answer.recompute.scheduledPeak : movesEagerly ? answer.offload.scheduledPeak : answer.liveness.scheduledPeak;
  setEffect(m_cache, withoutCache, answer.cache.scheduledPeak, on.cache);
  setTimeEffect(m_workspace, answer.withoutWorkspaces.opTime, answer.withWorkspaces.opTime, on.workspace);
  m_need = answer.smallestBudget;
  if (answer.refusal.empty()) {
    m_planned->setText(QStringLiteral("<b>%1 MiB</b>").arg(mibText(answer.peak.bytes)));
    m_planned->setToolTip(tr("scheduled peak; arena %1 MiB, %2 rebuilt forwards").arg(mibText(answer.plan.arenaBytes)).arg(answer.plan.extraForwards));
  } else {
    m_planned->setText(tr("does not fit"));
    setHint(QString::fromStdString(answer.refusal));
  }
  if (!m_request.options.budget) m_budget->setValue(tenthsUp(static_cast<double>(m_need.count()) / static_cast<double>(bytesPerMiB)));
  const double percent = m_need > Bytes{} ? m_budget->value() * static_cast<double>(bytesPerMiB) * 100.0 / static_cast<double>(m_need.count()) : 100;
  m_budgetSlider->setValue(static_cast<int>(std::clamp(percent, 10.0, 300.0)));
  m_isSetting = false;
}

void TechniquePanel::setEffect(const Row& row, Bytes before, Bytes after, bool isOn) {
  const Bytes change = after - before;
  row.effect->setText((change > Bytes{} ? QStringLiteral("+") : QString()) + (change == Bytes{} ? QStringLiteral("\u00B1") : QString()) + mibText(change, 1));
  row.effect->setEnabled(isOn);
  row.effect->setToolTip(isOn ? tr("what it changes, with those above it on") : tr("what switching it on would change"));
}

void TechniquePanel::setTimeEffect(const Row& row, std::chrono::nanoseconds before, std::chrono::nanoseconds after, bool isOn) {
  const double percent = before.count() > 0 ? 100.0 * static_cast<double>((after - before).count()) / static_cast<double>(before.count()) : 0;
  row.effect->setText(tr("%1 % time").arg(QString::number(percent, 'f', 1).replace(u'-', QChar(0x2212))));
  row.effect->setEnabled(isOn);
  row.effect->setToolTip(isOn ? tr("what it changes in the time of all ops, by the cost table") : tr("what switching it on would change in the time of all ops, by the cost table"));
}

void TechniquePanel::setHint(const QString& text) {
  m_hint->setText(text);
  m_hint->setVisible(!text.isEmpty());
}

void TechniquePanel::editOptions() {
  if (m_isSetting) return;
  PolicyOptions options = m_request.options;
  const bool wasOn = options.techniques.liveness;
  Techniques& on = options.techniques;
  on = {.liveness = m_liveness.box->isChecked(), .offload = m_offload.box->isChecked(), .cache = m_cache.box->isChecked(),
        .recompute = m_recompute.box->isChecked(), .workspace = m_workspace.box->isChecked()};
  // Switching liveness off switches off what builds on it; switching one of those on brings liveness along.
  if (wasOn && !on.liveness) on = noTechniques;
  on.liveness = on.any();
  options.offload = static_cast<OffloadSet>(m_offloadSet->currentIndex());
  options.prefetch = static_cast<Prefetch>(m_prefetch->currentIndex());
  options.recompute = static_cast<RecomputeMode>(m_recomputeMode->currentIndex());
  options.eviction = static_cast<Eviction>(m_eviction->currentIndex());
  if (!m_hasBudget->isChecked()) options.budget.reset();
  else if (!options.budget) options.budget = shownBudget();
  if (options != m_request.options) emit optionsEdited(options);
}

Bytes TechniquePanel::shownBudget() const { return Bytes{static_cast<std::int64_t>(std::llround(m_budget->value() * static_cast<double>(bytesPerMiB)))}; }

void TechniquePanel::editNetwork() {
  if (m_isSetting) return;
  PlanRequest request = m_request;
  const std::string net = m_network->currentText().toStdString();
  // Another network brings its own batch and input size.
  if (net == request.net) request.batch = m_batch->value();
  else request.batch = request.inputHeight = request.inputWidth = 0;
  request.net = net;
  emit networkEdited(request);
}

void TechniquePanel::editLowering(int index) {
  PlanRequest request = m_request;
  request.lowering = index == 1 ? "paper" : "lean";
  request.options.offloadFree = index == 1 ? OffloadFree::LastReader : OffloadFree::Hidden;
  emit networkEdited(request);
}

}  // namespace peakscope::ui
