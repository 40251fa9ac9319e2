// SPDX-License-Identifier: GPL-3.0-or-later
//
// The furniture of the main window: actions with their keys, docks, status bar.
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenuBar>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStatusBar>
#include <QStyle>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTextEdit>
#include <QToolBar>
#include <QVBoxLayout>

#include "engine/graph/network_file.h"
#include "ui/main_window.h"
#include "ui/panels/live_panel.h"
#include "ui/models/number_text.h"
#include "ui/panels/copyable_table.h"
#include "ui/panels/policy_panel.h"
#include "ui/panels/technique_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/panels/training_panel.h"

namespace peakscope::ui {
namespace {

/// The style's icon in the colours of the theme: the style draws in black.
QIcon tinted(const QIcon& icon, const ChartTheme& theme) {
  QIcon made;
  for (const auto& [mode, colour] : {std::pair{QIcon::Normal, report::Colour::Text}, {QIcon::Disabled, report::Colour::DisabledText}}) {
    QPixmap pixmap = icon.pixmap(QSize(32, 32));
    QPainter painter(&pixmap);
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(pixmap.rect(), theme.colour(colour));
    painter.end();
    made.addPixmap(pixmap, mode);
  }
  return made;
}

QLabel* figure(const char* name, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setObjectName(name);
  label->setTextFormat(Qt::RichText);
  label->setContentsMargins(8, 0, 8, 0);
  return label;
}

}  // namespace

void MainWindow::buildDocks() {
  QStringList networks;
  for (const std::string& name : engine::sampleNetworks(networkFolder())) networks.append(QString::fromStdString(name));

  m_timeline = new TimelinePanel(this);
  setCentralWidget(m_timeline);
  m_techniques = new TechniquePanel(networks, this);
  m_live = new LivePanel(this);
  m_training = new TrainingPanel(this);
  m_eventTable = copyableTable(&m_eventModel, "eventTable", tr("Events of the iteration shown"), this);
  auto* sorted = new QSortFilterProxyModel(this);
  sorted->setSourceModel(&m_layerModel);
  sorted->setSortRole(LayerModel::sortRole);
  m_layerTable = copyableTable(sorted, "layerTable", tr("Layers"), this);
  m_layerTable->setSortingEnabled(true);
  m_layerTable->sortByColumn(-1, Qt::AscendingOrder);
  m_layerTable->horizontalHeader()->setStretchLastSection(false);
  // Causes are the longest texts; of layers as many columns are seen as there is room for.
  for (const auto& [column, width] : {std::pair{EventModel::Step, 48}, {EventModel::Time, 72}, {EventModel::LaneName, 76}, {EventModel::What, 76}, {EventModel::Subject, 160}, {EventModel::MiB, 76}, {EventModel::Duration, 80}})
    m_eventTable->setColumnWidth(column, width);
  for (const auto& [column, width] : {std::pair{LayerModel::Name, 88}, {LayerModel::Type, 80}, {LayerModel::Rebuilds, 56}, {LayerModel::CopiedMiB, 84}, {LayerModel::ForwardAlgorithm, 88}, {LayerModel::BackwardAlgorithm, 88}})
    m_layerTable->setColumnWidth(column, width);
  m_log = new QTextEdit(this);
  m_log->setObjectName("log");
  m_log->setReadOnly(true);
  m_log->setAccessibleName(tr("Log"));
  m_log->setPlaceholderText(tr("Nothing to report."));

  const auto dock = [this](const QString& title, const char* name, QWidget* content, Qt::DockWidgetArea area) {
    auto* made = new QDockWidget(title, this);
    made->setObjectName(name);
    made->setWidget(content);
    addDockWidget(area, made);
    return made;
  };
  setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  auto* left = dock(tr("Network & techniques"), "techniquesDock", m_techniques, Qt::LeftDockWidgetArea);
  auto* right = dock(tr("Live"), "liveDock", m_live, Qt::RightDockWidgetArea);
  auto* tabs = new QTabWidget(this);
  tabs->setObjectName("bottomTabs");
  tabs->setDocumentMode(true);
  tabs->tabBar()->setDrawBase(false);
  tabs->addTab(m_training, tr("Training"));
  tabs->addTab(m_layerTable, tr("Layers"));
  auto* eventTab = new QWidget(this);
  auto* eventFilter = new QLineEdit(eventTab);
  eventFilter->setObjectName("eventFilter");
  eventFilter->setPlaceholderText(tr("lane, what, tensor or cause, e.g. evict conv1"));
  eventFilter->setAccessibleName(tr("Filter of the events"));
  eventFilter->setClearButtonEnabled(true);
  connect(eventFilter, &QLineEdit::textChanged, &m_eventModel, &EventModel::setFilter);
  auto* eventLayout = new QVBoxLayout(eventTab);
  eventLayout->setContentsMargins(8, 4, 8, 0);
  eventLayout->setSpacing(4);
  eventLayout->addWidget(eventFilter);
  eventLayout->addWidget(m_eventTable, 1);
  tabs->addTab(eventTab, tr("Events"));
  m_policyPanel = new PolicyPanel(this);
  tabs->addTab(m_policyPanel, tr("Policies"));
  tabs->addTab(m_log, tr("Log"));
  auto* bottom = dock(tr("Run"), "runDock", tabs, Qt::BottomDockWidgetArea);
  m_live->setMinimumWidth(352);
  resizeDocks({left, right}, {312, 400}, Qt::Horizontal);
  resizeDocks({bottom}, {230}, Qt::Vertical);

  connect(m_live, &LivePanel::titleChanged, right, &QDockWidget::setWindowTitle);
  connect(tabs, &QTabWidget::currentChanged, this, [this] {
    if (m_view) showView(m_view);
    comparePolicies();
  });
  connect(m_policies.get(), &PolicyService::progressed, this, [this](const std::shared_ptr<const PolicyAnswer>& answer) {
    if (answer->request.number == m_comparedRequest) m_policyPanel->show(*answer);
  });
  connect(m_policyPanel, &PolicyPanel::refused, this, &MainWindow::note);
  connect(m_policyPanel, &PolicyPanel::chosen, this, [this](const QString& policy) {
    PolicyOptions options = m_request.options;
    options.policy = policy.toStdString();
    if (options != m_request.options) editOptions(options);
  });
  connect(m_eventTable, &QTableView::clicked, this, [this](const QModelIndex& index) { m_timeline->pinStep(m_eventModel.event(index.row()).paperStep); });
  connect(m_layerTable, &QTableView::clicked, this, [this, sorted](const QModelIndex& index) {
    m_timeline->pinStep(m_layerModel.forwardStep(sorted->mapToSource(index).row()));
  });
}

void MainWindow::buildActions() {
  const auto add = [this](QWidget* place, const char* name, const QString& text, const QKeySequence& key, const QString& tip, auto slot) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(key);
    action->setToolTip(key.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, key.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, slot);
    place->addAction(action);
    m_actions[name] = action;
    return action;
  };
  QMenu* file = menuBar()->addMenu(tr("&File"));
  add(file, "open", tr("&Open network or trace\u2026"), QKeySequence::Open, tr("Open a network file, an ONNX model or a recorded run"), [this] { openFile(); });
  add(file, "saveTrace", tr("&Save trace as\u2026"), QKeySequence::Save, tr("Save a copy of what was recorded"), [this] { saveTraceCopy(); });
  add(file, "exportReport", tr("Export &report\u2026"), QKeySequence("Ctrl+E"), tr("HTML page, CSV tables or JSON summary"), [this] { exportReport(); });
  add(file, "exportFigure", tr("Save &figure\u2026"), QKeySequence("Ctrl+Shift+E"), tr("The memory chart as SVG, PDF or PNG"), [this] { exportFigure(); });
  file->addSeparator();
  add(file, "quit", tr("&Quit"), QKeySequence::Quit, tr("End"), [this] { close(); });

  QMenu* runMenu = menuBar()->addMenu(tr("&Run"));
  auto* bar = addToolBar(tr("Run"));
  bar->setObjectName("runBar");
  bar->setMovable(false);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->addAction(add(runMenu, "run", tr("Run"), Qt::Key_F5, tr("Train"), [this] { start(); }));
  bar->addAction(add(runMenu, "pause", tr("Pause"), Qt::Key_F6, tr("Pause at the next iteration"), [this] { pause(); }));
  bar->addAction(add(runMenu, "step", tr("Step"), Qt::Key_F10, tr("One iteration"), [this] { step(); }));
  bar->addAction(add(runMenu, "stop", tr("Stop"), QKeySequence("Shift+F5"), tr("End the run; the trace is kept"), [this] { stop(); }));
  bar->addSeparator();
  for (QLabel** label : {&m_iteration, &m_speed, &m_duration}) bar->addWidget(*label = figure("figure", bar));
  bar->addSeparator();
  m_backend = new QComboBox(bar);
  m_backend->setObjectName("backend");
  m_backend->setAccessibleName(tr("Backend"));
  m_backend->addItem(tr("CPU: oneDNN"), "cpu");
  m_backend->addItem(tr("Modelled GPU"), "virtual");
  m_backend->setToolTip(tr("Another backend is another session. CUDA is not built yet."));
  bar->addWidget(m_backend);
  connect(m_backend, &QComboBox::activated, this, [this] { load(m_request); });
  bar->addWidget(m_badge = figure("badge", bar));

  QMenu* edit = menuBar()->addMenu(tr("&Techniques"));
  auto* undo = m_undo.createUndoAction(this, tr("Undo"));
  undo->setShortcut(QKeySequence::Undo);
  auto* redo = m_undo.createRedoAction(this, tr("Redo"));
  redo->setShortcut(QKeySequence::Redo);
  edit->addAction(undo);
  edit->addAction(redo);

  QMenu* viewMenu = menuBar()->addMenu(tr("&View"));
  add(viewMenu, "showAll", tr("Whole iteration"), QKeySequence("Home"), tr("Show all steps; H in the chart"), [this] { m_timeline->showAll(); });
  add(viewMenu, "peak", tr("Go to the peak"), QKeySequence("Ctrl+P"), tr("Pin the highest step; P in the chart"), [this] { m_timeline->pinPeak(); });
  add(viewMenu, "axis", tr("Step or time axis"), QKeySequence("Ctrl+T"), tr("Switch the x-axis"), [this] { m_timeline->setAxis(m_timeline->axis() == XAxis::Step ? XAxis::Time : XAxis::Step); });
  add(viewMenu, "policies", tr("Compare &policies"), QKeySequence("Ctrl+K"), tr("All policies for this network, batch and budget"), [this] { showPolicies(); });
  auto* freeze = add(viewMenu, "freeze", tr("Freeze the view"), Qt::Key_Space, tr("Training goes on, the view stands still"), [this](bool on) { setFrozen(on); });
  freeze->setCheckable(true);
  viewMenu->addSeparator();
  auto* themes = new QActionGroup(this);
  for (const auto& [text, choice] : {std::pair{tr("System theme"), ThemeChoice::System}, {tr("Light theme"), ThemeChoice::Light}, {tr("Dark theme"), ThemeChoice::Dark}}) {
    auto* action = add(viewMenu, choice == ThemeChoice::Dark ? "dark" : choice == ThemeChoice::Light ? "light" : "system", text, {}, text, [this, c = choice] { setTheme(c); });
    action->setCheckable(true);
    action->setChecked(choice == ThemeChoice::System);
    themes->addAction(action);
  }
  viewMenu->addSeparator();
  for (const auto& [name, text] : {std::pair{"techniquesDock", tr("Network and techniques")}, {"liveDock", tr("Live list")}, {"runDock", tr("Run: training, layers, events, log")}}) {
    QAction* toggle = findChild<QDockWidget*>(name)->toggleViewAction();
    toggle->setText(text);
    viewMenu->addAction(toggle);
  }

  QMenu* help = menuBar()->addMenu(tr("&Help"));
  add(help, "copyCommand", tr("&Copy as command line"), QKeySequence("Ctrl+Shift+C"), tr("The equivalent peakscope-cli command"), [this] {
    QGuiApplication::clipboard()->setText(commandLine());
    note(tr("copied: %1").arg(commandLine()));
  });
  add(help, "keys", tr("&Keys"), QKeySequence("?"), tr("All keys"), [this] { showKeys(); });
}

void MainWindow::tintIcons() {
  for (const auto& [name, icon] : {std::pair{"run", QStyle::SP_MediaPlay}, {"pause", QStyle::SP_MediaPause}, {"step", QStyle::SP_MediaSkipForward}, {"stop", QStyle::SP_MediaStop}})
    m_actions.at(name)->setIcon(tinted(style()->standardIcon(icon), m_theme));
}

void MainWindow::buildStatusBar() {
  statusBar()->setContentsMargins(4, 0, 4, 0);
  for (const char* name : {"backend", "events", "dropped", "frames", "proof"}) {
    m_status[name] = figure(name, this);
    statusBar()->addWidget(m_status[name]);
  }
  m_status["message"] = new QLabel(this);
  m_status["message"]->setObjectName("message");
  statusBar()->addPermanentWidget(m_status["message"]);
  showStatus();
}

void MainWindow::showStatus() {
  const analysis::RunHistory& history = m_run->history();
  const auto& iterations = history.iterations();
  if (iterations.empty()) {
    m_iteration->setText(tr("iteration <b>\u2013</b>"));
    m_speed->setText(QString());
    m_duration->setText(QString());
  } else {
    const IterationDone& last = iterations.back();
    const std::int64_t ns = last.endNs - last.beginNs;
    m_iteration->setText(tr("iteration <b>%1</b>").arg(last.iteration));
    m_speed->setText(tr("<b>%1</b> img/s").arg(ns > 0 ? QString::fromStdString(formatNumber(analysis::imagesPerSecond(last), 0)) : QStringLiteral("\u2013")));
    m_duration->setText(QStringLiteral("<b>%1</b>").arg(timeText(ns)));
  }
  const QString state = tr(toString(m_run->state()));
  m_status["backend"]->setText(history.hasSession() ? tr("%1: %2 \u00B7 %3").arg(QString::fromStdString(history.session().info.backend), QString::fromStdString(history.session().info.backendDetail), state)
                                                    : tr("no session"));
  m_status["events"]->setText(tr("events/s <b>%1</b>").arg(QString::fromStdString(formatNumber(m_run->eventsPerSecond(), 0))));
  m_status["dropped"]->setText(tr("dropped <b>%1</b>").arg(history.droppedIterations()));
  m_status["dropped"]->setToolTip(history.forgottenIterations() > 0 ? tr("iterations whose step times were lost; those before iteration %1 came and are no longer kept: their peaks, losses and lengths are").arg(history.firstKept())
                                                                    : tr("iterations whose step times were lost; their peaks, losses and lengths are kept"));
  if (m_frameClock.elapsed() > 1000) {
    m_status["frames"]->setText(tr("UI <b>%1</b> fps").arg(static_cast<double>(m_frames) * 1000.0 / static_cast<double>(m_frameClock.restart()), 0, 'f', 0));
    m_frames = 0;
  }
  const analysis::Proof proof = history.proof();
  const QString good = m_theme.colour(report::Colour::Good).name(), bad = m_theme.colour(report::Colour::Budget).name();
  if (proof.iterations == 0)
    m_status["proof"]->setText(QString());
  else if (proof.firstDifference < 0)
    m_status["proof"]->setText(tr("<span style='color:%1'>\u2713 <b>predicted = measured</b></span>&nbsp; 0 bytes apart over %2 iterations").arg(good).arg(proof.iterations));
  else
    m_status["proof"]->setText(tr("<span style='color:%1'>\u2717 <b>predicted and measured differ</b></span>&nbsp; by %2 bytes, first at iteration %3").arg(bad).arg(proof.largestDifference.count()).arg(proof.firstDifference));
  const bool isRunning = m_run->isLive() && m_run->state() == RunState::Running;
  m_actions["pause"]->setEnabled(isRunning);
  const QString reason = whyNotTrained();
  m_actions["run"]->setEnabled(!isRunning && reason.isEmpty());
  m_actions["step"]->setEnabled(reason.isEmpty());
  m_actions["run"]->setToolTip(reason.isEmpty() ? tr("Train (F5)") : reason);
}

}  // namespace peakscope::ui
