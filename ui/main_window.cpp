// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QCloseEvent>
#include <QComboBox>
#include <QDateTime>
#include <QDockWidget>
#include <QScreen>
#include <QTabWidget>
#include <QTableView>
#include <QTextEdit>

#include "engine/graph/network_file.h"
#include "ui/panels/live_panel.h"
#include "ui/models/number_text.h"
#include "ui/panels/policy_panel.h"
#include "ui/panels/technique_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/panels/training_panel.h"
#include "ui/run_view_builder.h"
#include "ui/style.h"

namespace peakscope::ui {
namespace {

/// A change of options that can be taken back, also while the network trains.
class OptionsCommand final : public QUndoCommand {
 public:
  OptionsCommand(MainWindow& window, PolicyOptions before, PolicyOptions after) : m_window(window), m_before(std::move(before)), m_after(std::move(after)) {
    setText(MainWindow::tr("change of techniques"));
  }
  void undo() override { m_window.applyOptions(m_before); }
  void redo() override { m_window.applyOptions(m_after); }

 private:
  MainWindow& m_window;
  PolicyOptions m_before, m_after;
};

/// What a user chose, leaving out what a policy may settle by itself (when offloaded bytes become free; all but ours: the
/// techniques).
bool isSameChoice(const PolicyOptions& a, const PolicyOptions& b) {
  if (a.policy != b.policy || a.budget != b.budget) return false;
  if (a.policy != "superneurons") return true;
  const bool isSameOffload = !a.techniques.moves() || (a.offload == b.offload && a.prefetch == b.prefetch);
  const bool isSameRule = !a.techniques.cache || a.eviction == b.eviction;
  return a.techniques == b.techniques && isSameOffload && isSameRule && (!a.techniques.recompute || a.recompute == b.recompute);
}

}  // namespace

MainWindow::MainWindow(WindowServices services, QWidget* parent)
    : QMainWindow(parent), m_services(std::move(services)), m_run(std::make_unique<RunModel>(m_services.makeBackend)),
      m_planner(std::make_unique<PlannerService>(planning())), m_policies(std::make_unique<PolicyService>(planning())) {
  setObjectName("peakscope");
  setWindowTitle(tr("Peakscope"));
  setAcceptDrops(true);
  // The title bar of a window manager comes on top.
  resize(QSize(1600, 1000).boundedTo(screen()->availableSize() - QSize(0, 32)));
  buildDocks();
  buildActions();
  buildStatusBar();
  connect(m_planner.get(), &PlannerService::answered, this, &MainWindow::showPlan);
  connect(m_run.get(), &RunModel::advanced, this, &MainWindow::refresh);
  connect(m_run.get(), &RunModel::problem, this, &MainWindow::note);
  connect(m_techniques, &TechniquePanel::optionsEdited, this, &MainWindow::editOptions);
  connect(m_techniques, &TechniquePanel::networkEdited, this, &MainWindow::load);
  connect(m_timeline, &TimelinePanel::pinned, this, [this](PlanStepId step) { m_live->show(m_view, step); });
  setTheme(ThemeChoice::System);
  m_frameClock.start();
}

Planning MainWindow::planning() const {
  return {[networks = networkFolder()](const std::string& net) { return engine::findNetwork(net, networks); }, m_services.makeBackend, m_services.session};
}

MainWindow::~MainWindow() {
  m_run->disconnect(this);
  m_planner->disconnect(this);
  m_policies->disconnect(this);
}

void MainWindow::load(const PlanRequest& request) {
  m_request = request;
  m_request.backend = m_backend->currentData().toString().toStdString();
  m_request.number = ++m_requests;
  forgetRun();
  m_techniques->setRequest(m_request);
  m_planner->ask(m_request);
  comparePolicies();
  startSession();
  setWindowTitle(tr("Peakscope \u2013 %1").arg(QString::fromStdString(request.net)));
}

/// What is on the screen belongs to another run.
void MainWindow::forgetRun() {
  m_answer.reset();
  m_view.reset();
  m_shownIteration = -1;
  m_undo.clear();
  m_training->clear();
  m_eventModel.clear();
  m_timeline->showCandidate(nullptr);
}

std::filesystem::path MainWindow::nextTraceFile() {
  if (m_services.traceFile.empty() && m_services.traceFolder.empty()) return {};
  if (m_services.traceFile.empty()) {
    const QString stamp = QDateTime::currentDateTimeUtc().toString("yyyyMMdd-HHmmss-zzz");
    return m_services.traceFolder / (std::filesystem::path(m_request.net).stem().string() + "-" + stamp.toStdString() + ".peakscope");
  }
  std::filesystem::path file = m_services.traceFile;
  if (m_run->isLive() && !m_run->history().iterations().empty()) ++m_recordedRuns;
  if (m_recordedRuns > 0) file.replace_filename(file.stem().string() + "-" + std::to_string(m_recordedRuns + 1) + file.extension().string());
  return file;
}

engine::SessionConfig MainWindow::sessionConfig() const {
  engine::SessionConfig config = m_services.session;
  config.net = m_request.net;
  config.batch = m_request.batch;
  config.inputHeight = m_request.inputHeight;
  config.inputWidth = m_request.inputWidth;
  config.lowering = m_request.lowering;
  config.options = m_request.options;
  config.backend = m_request.backend;
  return config;
}

void MainWindow::startSession() {
  engine::SessionConfig config = sessionConfig();
  config.commandLine = commandLine().toStdString();
  m_run->start(std::move(config), nextTraceFile());
}

void MainWindow::setLength(std::int64_t iterations, std::int64_t epochs) {
  m_services.session.iterations = iterations;
  m_services.session.epochs = epochs;
}

Result<void> MainWindow::openTrace(const std::filesystem::path& path) {
  auto opened = m_run->open(path);
  if (!opened) {
    note(QString::fromStdString(opened.error().message));
    return opened;
  }
  forgetRun();
  const analysis::RunHistory& history = m_run->history();
  m_request = {.net = history.workload().net, .batch = history.workload().batch, .lowering = history.workload().lowering, .backend = m_backend->currentData().toString().toStdString()};
  if (history.currentPlan() != nullptr) m_request.options = history.currentPlan()->options;
  m_request.number = ++m_requests;
  m_techniques->setRequest(m_request);
  m_techniques->setHint(tr("A recorded run: changing a switch plans it, and Run trains it anew."));
  m_planner->ask(m_request);
  comparePolicies();
  refresh();
  setWindowTitle(tr("Peakscope \u2013 %1").arg(QString::fromStdString(path.filename().string())));
  return opened;
}

void MainWindow::setBackend(const QString& name) {
  if (const int index = m_backend->findData(name); index >= 0) m_backend->setCurrentIndex(index);
}

/// Why Run can do nothing with the network shown; empty: it can.
QString MainWindow::whyNotTrained() const {
  const bool isModelled = m_request.backend == "virtual";
  return m_answer && !isModelled ? QString::fromStdString(m_answer->planOnly) : QString();
}

void MainWindow::start() {
  if (const QString reason = whyNotTrained(); !reason.isEmpty()) return note(reason);
  if (!m_run->takesCommands()) load(m_request);
  m_run->post(engine::Run{});
}
void MainWindow::pause() { m_run->post(engine::Pause{}); }
void MainWindow::step() {
  if (const QString reason = whyNotTrained(); !reason.isEmpty()) return note(reason);
  if (!m_run->takesCommands()) load(m_request);
  m_run->post(engine::SingleStep{});
}
void MainWindow::stop() { m_run->post(engine::Stop{}); }

void MainWindow::editOptions(const PolicyOptions& options) { m_undo.push(new OptionsCommand(*this, m_request.options, options)); }

void MainWindow::applyOptions(const PolicyOptions& options) {
  m_request.options = options;
  m_request.number = ++m_requests;
  m_techniques->setRequest(m_request);
  m_planner->ask(m_request);
  comparePolicies();
  m_run->post(engine::ChangeOptions{options});
  const auto& iterations = m_run->history().iterations();
  if (!m_run->takesCommands()) return m_techniques->setHint(tr("Nothing trains: the plan is drawn over the run shown, and Run trains with it."));
  m_techniques->setHint(iterations.empty() ? tr("Changes apply at the first iteration.") : tr("Changes apply at iteration %1.").arg(iterations.back().iteration + 2));
  m_hasHint = true;
}

void MainWindow::showPolicies() {
  auto* tabs = findChild<QTabWidget*>("bottomTabs");
  auto* dock = findChild<QDockWidget*>("runDock");
  dock->show();
  constexpr int allRows = 372;   // twelve policies without scrolling
  if (!dock->isFloating() && dock->height() < allRows) resizeDocks({dock}, {allRows}, Qt::Vertical);
  tabs->setCurrentWidget(m_policyPanel);
  comparePolicies();
  m_policyPanel->findChild<QTableView*>("policyTable")->setFocus();
}

/// Twelve plans are made only for who looks at them.
void MainWindow::comparePolicies() {
  if (!m_policyPanel->isVisible() || m_comparedRequest == m_request.number) return;
  m_comparedRequest = m_request.number;
  m_policies->ask(m_request);
}

void MainWindow::showPlan(const std::shared_ptr<const PlanAnswer>& answer) {
  if (answer->request.number != m_request.number) return;
  m_answer = answer;
  m_techniques->showAnswer(*answer);
  m_timeline->setBudget(m_request.options.budget);
  if (!answer->error.empty()) return note(QString::fromStdString(answer->error));
  for (const std::string& remark : answer->remarks) note(QString::fromStdString(remark));
  if (const QString reason = whyNotTrained(); !reason.isEmpty()) {
    m_techniques->setHint(tr("Planned for the modelled GPU; training such models comes later."));
    if (m_status.at("message")->text() != reason) note(reason);   // the session may have said so already
    showStatus();
  }
  if (!answer->refusal.empty()) {
    if (!m_view) m_timeline->showNothing(tr("the plan does not fit: %1 MiB would do").arg(mibText(answer->smallestBudget)));
    return note(QString::fromStdString(answer->refusal));
  }
  const Plan* running = m_run->history().currentPlan();
  const bool isRunning = running != nullptr && !m_run->history().iterations().empty();
  if (!isRunning) return showView(viewOf(*answer));
  // Something is on the screen: the new plan is a ghost until it runs.
  const bool isSame = isSameChoice(running->options, answer->request.options);
  m_timeline->showCandidate(isSame ? nullptr : viewOf(*answer));
  m_shownIteration = -1;   // the baseline is known now
  refresh();
}

void MainWindow::refresh() {
  const analysis::RunHistory& history = m_run->history();
  if (const auto* timed = history.latestComplete(); timed != nullptr && history.hasSession()) {
    const bool isShown = m_shownIteration == timed->iteration && m_view && m_view->iteration == timed->iteration;
    if (!isShown) {
      showView(m_views.of(history, *timed, m_answer && m_answer->error.empty() ? m_answer->keepAllScheduled : Bytes{}));
      m_shownIteration = timed->iteration;
    }
    // The ghost has served when the plan that it showed is the one that ran.
    if (m_answer && m_answer->refusal.empty() && m_view && isSameChoice(m_view->plan.options, m_answer->request.options)) {
      m_timeline->showCandidate(nullptr);
      if (m_hasHint) m_techniques->setHint(QString());
      m_hasHint = false;
    }
  }
  m_training->show(history);
  showStatus();
  ++m_frames;
  emit refreshed();
}

void MainWindow::showView(RunViewPointer view) {
  const bool hasSameBytes = m_view && view && m_view->hasSameBytes(*view);
  const PlanStepId pinned = m_timeline->pinnedStep();
  m_view = std::move(view);
  m_timeline->show(m_view);
  if (!hasSameBytes || m_timeline->pinnedStep() != pinned) m_live->show(m_view, m_timeline->pinnedStep());
  if (!m_view) return;
  if (m_eventTable->isVisible()) m_eventModel.show(m_view->workload, m_view->events);
  if (!m_layerTable->isVisible()) return;
  m_layerModel.show(m_view->workload, m_view->plan, m_view->curve(), m_view->events);
  for (int column = 0; column < LayerModel::ColumnCount; ++column)
    m_layerTable->setColumnHidden(column, LayerModel::isOfChoice(column) && !m_layerModel.hasChoice());
}

void MainWindow::setTheme(ThemeChoice choice) {
  const bool systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
  const bool isDark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
  m_theme = ChartTheme(isDark ? report::Theme::Dark : report::Theme::Light);
  setPalette(widgetPalette(m_theme));
  setStyleSheet(ui::styleSheet(m_theme));
  // A style sheet keeps the window's palette from its children, and the boxes are drawn with theirs: frames in a darker
  // shade of Window.
  QPalette boxes = widgetPalette(m_theme);
  boxes.setColor(QPalette::Base, m_theme.colour(report::Colour::Control));
  boxes.setColor(QPalette::Window, m_theme.colour(report::Colour::Axis));
  for (QCheckBox* box : findChildren<QCheckBox*>()) box->setPalette(boxes);
  tintIcons();
  m_timeline->setTheme(m_theme);
  m_training->setTheme(m_theme);
  m_live->setTheme(m_theme);
  m_policyPanel->setTheme(m_theme);
  m_actions.at(choice == ThemeChoice::Dark ? "dark" : choice == ThemeChoice::Light ? "light" : "system")->setChecked(true);
  if (m_view) m_live->show(m_view, m_timeline->pinnedStep());
}

void MainWindow::setFrozen(bool isFrozen) {
  m_actions.at("freeze")->setChecked(isFrozen);
  m_run->setFrozen(isFrozen);
  m_badge->setText(isFrozen ? tr("view frozen, training goes on") : QString());
}

void MainWindow::note(const QString& line) {
  m_log->append(QStringLiteral("%1  %2").arg(QDateTime::currentDateTime().toString("HH:mm:ss"), line.toHtmlEscaped()));
  m_status.at("message")->setText(line);
  m_status.at("message")->setToolTip(line);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  hide();   // the iteration that runs may take seconds to end
  m_run->close();
  event->accept();
}

}  // namespace peakscope::ui
