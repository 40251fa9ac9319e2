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

/// "−73.9", "±0.0": what rounds to nothing has no sign.
QString changeText(Bytes change) {
  const QString text = mibText(change, 1);
  if (text == QStringLiteral("0.0")) return QStringLiteral("\u00B1") + text;
  return change > Bytes{} ? QLatin1Char('+') + text : text;
}

QString percentText(std::int64_t before, std::int64_t after) {
  const double percent = before > 0 ? 100.0 * static_cast<double>(after - before) / static_cast<double>(before) : 0;
  const QString digits = QString::number(std::abs(percent), 'f', 1);
  const QString sign = digits == QStringLiteral("0.0") ? QStringLiteral("\u00B1") : percent > 0 ? QStringLiteral("+") : QStringLiteral("\u2212");
  return QStringLiteral("%1%2 %").arg(sign, digits);
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
  setMinimumWidth(312);
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
  QStringList names;
  for (const PolicyInfo& policy : policies()) names.append(QString::fromLatin1(policy.name));
  m_policy = combo(this, "policy", tr("Policy"), names);
  for (int i = 0; i < m_policy->count(); ++i) m_policy->setItemData(i, QString::fromLatin1(policies()[static_cast<std::size_t>(i)].description), Qt::ToolTipRole);

  auto* form = new QFormLayout;
  form->setHorizontalSpacing(12);
  form->addRow(tr("&Network"), m_network);
  form->addRow(tr("&Batch"), m_batch);
  form->addRow(tr("&Counting"), m_lowering);
  form->addRow(tr("&Policy"), m_policy);
  form->addRow(QString(), m_facts);

  auto* grid = new QGridLayout;
  grid->setVerticalSpacing(6);
  grid->setHorizontalSpacing(8);
  grid->setColumnStretch(0, 1);
  const auto number = [this](const char* name, const QString& text = {}) {
    auto* label = new QLabel(text, this);
    label->setObjectName(name);
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
  };
  const auto addRow = [&](int row, const QString& name, QLabel* peak, QLabel* time) {
    grid->addWidget(new QLabel(name, this), row, 0);
    grid->addWidget(peak, row, 1);
    grid->addWidget(time, row, 2);
  };
  const auto addChoices = [&](int row, std::initializer_list<QComboBox*> boxes) {
    auto* choices = new QHBoxLayout;
    choices->setContentsMargins(20, 0, 0, 0);
    for (QComboBox* box : boxes) choices->addWidget(box);
    grid->addLayout(choices, row, 0, 1, 3);
  };
  addRow(0, tr("<b>Techniques</b>"), number("peakHeading", tr("peak, MiB")), number("timeHeading", tr("time")));
  addRow(1, tr("Keep everything"), m_keepAll = number("keepAll"), m_keepAllTime = number("keepAllTime"));
  m_liveness = addTechnique(*grid, 2, "liveness", tr("&Liveness"), tr("A tensor is allocated by the first op that touches it and freed after the last one. Every other technique builds on it."));
  m_offload = addTechnique(*grid, 3, "offload", tr("&Offload && prefetch"), tr("Outputs wait on the host between forward and backward and are copied back before they are needed. Copies run beside compute; what does not hide shows as a stall."));
  m_offloadSet = combo(this, "offloadSet", tr("What is offloaded"), {tr("conv only"), tr("checkpoints"), tr("conv inputs"), tr("all outputs")});
  m_prefetch = combo(this, "prefetch", tr("When it comes back"), {tr("previous conv"), tr("on demand")});
  addChoices(4, {m_offloadSet, m_prefetch});
  m_recompute = addTechnique(*grid, 5, "recompute", tr("R&ecompute"), tr("Outputs of cheap layers are dropped after forward and rebuilt from the checkpoint in front of them when backward needs them. Values are the same to the bit."));
  m_recomputeMode = combo(this, "recomputeMode", tr("How it is rebuilt"), {tr("speed"), tr("memory"), tr("cost-aware")});
  m_recomputeMode->setToolTip(tr("speed: rebuild a segment once and keep it; memory: keep only what the running layer needs;\ncost-aware: memory where speed would raise the peak, else speed"));
  addChoices(6, {m_recomputeMode});
  m_cache = addTechnique(*grid, 7, "cache", tr("Tensor c&ache"), tr("Tensors stay on the device while they fit; under the pressure of the budget the one touched longest ago leaves first. While everything fits, nothing is copied."));
  m_eviction = combo(this, "eviction", tr("What leaves first"), {tr("least recently used"), tr("needed last (Belady)")});
  addChoices(8, {m_eviction});
  m_workspace = addTechnique(*grid, 9, "workspace", tr("Dynamic &workspaces"), tr("Each step runs with the fastest algorithm whose workspace fits the bytes that are free at that step: below the budget, or without one below the peak of the tensors."));
  grid->addWidget(line(this), 10, 0, 1, 3);
  addRow(11, tr("<b>Planned</b>"), m_planned = number("planned"), m_plannedTime = number("plannedTime"));

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
  layout->addLayout(budget);
  layout->addWidget(m_budgetSlider);
  layout->addWidget(m_hint);
  layout->addStretch(1);

  connect(m_network, &QComboBox::textActivated, this, &TechniquePanel::editNetwork);
  connect(m_lowering, &QComboBox::activated, this, &TechniquePanel::editLowering);
  connect(m_batch, &QSpinBox::valueChanged, this, &TechniquePanel::editNetwork);
  connect(m_policy, &QComboBox::textActivated, this, &TechniquePanel::editPolicy);
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
  Row made{new QCheckBox(name, this), new QLabel(this), new QLabel(this)};
  made.box->setObjectName(objectName);
  made.box->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);   // numbers may be wide, the name stays whole
  made.box->setProperty("explanation", QStringLiteral("<p>%1</p>").arg(explanation));
  for (QLabel* label : {made.peak, made.time}) label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  made.peak->setObjectName(made.box->objectName() + "Peak");
  made.time->setObjectName(made.box->objectName() + "Time");
  grid.addWidget(made.box, row, 0);
  grid.addWidget(made.peak, row, 1);
  grid.addWidget(made.time, row, 2);
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
  m_policy->setCurrentText(QString::fromStdString(o.policy));
  const auto policy = static_cast<std::size_t>(std::max(m_policy->currentIndex(), 0));
  m_policy->setToolTip(QStringLiteral("<p>%1</p>").arg(QString::fromLatin1(policies()[policy].description)));
  // The other policies are what they are: only ours is made of switches.
  const bool hasSwitches = o.policy == "superneurons";
  const QString whyNot = tr("<p>The policy %1 decides this by itself; choose superneurons to switch techniques.</p>").arg(QString::fromStdString(o.policy));
  for (const Row& row : {m_liveness, m_offload, m_recompute, m_cache, m_workspace}) {
    row.box->setEnabled(hasSwitches);
    row.box->setToolTip(hasSwitches ? row.box->property("explanation").toString() : whyNot);
  }
  m_eviction->setEnabled(hasSwitches && o.techniques.cache);
  m_offloadSet->setEnabled(hasSwitches && o.techniques.moves());
  m_prefetch->setEnabled(hasSwitches && o.techniques.moves());
  m_recomputeMode->setEnabled(hasSwitches && o.techniques.recompute);
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
  showEffects(answer);
  m_need = answer.smallestBudget;
  if (answer.refusal.empty()) {
    m_planned->setText(QStringLiteral("<b>%1</b>").arg(mibText(answer.peak.bytes)));
    m_planned->setToolTip(tr("scheduled peak; arena %1 MiB, %2 rebuilt forwards").arg(mibText(answer.plan.arenaBytes)).arg(answer.plan.extraForwards));
    m_plannedTime->setText(QStringLiteral("<b>%1</b>").arg(timeText(answer.timeNs)));
  } else {
    m_planned->setText(tr("does not fit"));
    m_planned->setToolTip(QString::fromStdString(answer.refusal));
    m_plannedTime->setText(QStringLiteral("\u2013"));
    setHint(QString::fromStdString(answer.refusal));
  }
  if (!m_request.options.budget) m_budget->setValue(tenthsUp(static_cast<double>(m_need.count()) / static_cast<double>(bytesPerMiB)));
  const double percent = m_need > Bytes{} ? m_budget->value() * static_cast<double>(bytesPerMiB) * 100.0 / static_cast<double>(m_need.count()) : 100;
  m_budgetSlider->setValue(static_cast<int>(std::clamp(percent, 10.0, 300.0)));
  m_isSetting = false;
}

void TechniquePanel::showEffects(const PlanAnswer& answer) {
  m_keepAll->setText(answer.keepAll ? mibText(answer.keepAll->scheduledPeak, 1) : QStringLiteral("\u2013"));
  m_keepAllTime->setText(answer.keepAll ? timeText(answer.keepAll->timeNs) : QStringLiteral("\u2013"));
  for (QLabel* label : {m_keepAllTime, m_plannedTime}) label->setToolTip(tr("one iteration by the cost table, copies and stalls included"));
  const Techniques& on = m_request.options.techniques;
  setEffect(m_liveness, answer.liveness, on.any());
  setEffect(m_offload, answer.offload, on.offload);
  setEffect(m_recompute, answer.recompute, on.recompute);
  setEffect(m_cache, answer.cache, on.cache);
  setEffect(m_workspace, answer.workspace, on.workspace);
  if (m_request.options.policy == "superneurons" && on.cache && on.offload)
    for (QLabel* label : {m_offload.peak, m_offload.time}) label->setToolTip(tr("with the tensor cache nothing is moved before the budget presses"));
}

void TechniquePanel::setEffect(const Row& row, const TechniqueEffect& effect, bool isOn) {
  const bool hasSwitches = m_request.options.policy == "superneurons";
  const bool isKnown = hasSwitches && effect.before && effect.after;
  row.peak->setText(isKnown ? changeText(effect.after->scheduledPeak - effect.before->scheduledPeak) : QStringLiteral("\u2013"));
  row.time->setText(isKnown ? percentText(effect.before->timeNs, effect.after->timeNs) : QStringLiteral("\u2013"));
  const QString tip = !hasSwitches ? tr("not part of this policy")
                      : !isKnown   ? tr("does not fit the budget with this switch, or without it")
                      : isOn       ? tr("what it changes, with those above it on; time by the cost table, copies and stalls included")
                                   : tr("what switching it on would change; time by the cost table, copies and stalls included");
  for (QLabel* label : {row.peak, row.time}) {
    label->setEnabled(isOn && isKnown);
    label->setToolTip(tip);
  }
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

void TechniquePanel::editPolicy(const QString& policy) {
  PolicyOptions options = m_request.options;
  options.policy = policy.toStdString();
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
