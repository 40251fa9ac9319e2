// SPDX-License-Identifier: GPL-3.0-or-later
//
// MainWindow: docks, toolbar, menus and status bar around one run. It wires models and panels; what it shows comes from the
// run's history or, before anything ran, from the planner.
//
//   MainWindow window(services);
//   window.load({.net = "minivgg"});  window.run();
#pragma once

#include <QElapsedTimer>
#include <QLabel>
#include <QMainWindow>
#include <QUndoStack>
#include <filesystem>
#include <map>

#include "engine/runtime/session.h"
#include "ui/charts/chart_theme.h"
#include "ui/models/event_model.h"
#include "ui/models/layer_model.h"
#include "ui/panels/run_view.h"
#include "ui/planner_service.h"
#include "ui/policy_service.h"
#include "ui/run_model.h"
#include "ui/run_view_builder.h"

class QComboBox;
class QTableView;
class QTextEdit;

namespace peakscope::ui {

class LivePanel;
class PolicyPanel;
class TechniquePanel;
class TimelinePanel;
class TrainingPanel;

/// What the program gives the window: nothing below app/ knows which backends there are or where files lie.
struct WindowServices {
  engine::BackendFactory makeBackend;
  engine::SessionConfig session;                 ///< what every session has in common: data, threads, seed, folders
  std::filesystem::path traceFolder;             ///< each run is recorded to a file of its own there; empty: none is
  std::filesystem::path traceFile;               ///< or to this one
};

enum class ThemeChoice { System, Light, Dark };

class MainWindow : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(WindowServices services, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// Another network, batch or counting: ends what runs, plans, and prepares a session, paused.
  void load(const PlanRequest& request);
  /// Shows a recorded run; an error leaves the window as it was, and is noted.
  Result<void> openTrace(const std::filesystem::path& path);
  /// A network (.json, .onnx) is loaded, anything else opened as a trace.
  void openPath(const QString& name);
  void setTheme(ThemeChoice choice);
  /// How long the run goes by itself; 0, 0: until it is stopped.
  void setLength(std::int64_t iterations, std::int64_t epochs);
  /// Training goes on, the view stands still.
  void setFrozen(bool isFrozen);

  /// "cpu" or "virtual"; takes effect when a network is loaded.
  void setBackend(const QString& name);

  [[nodiscard]] RunModel& run() { return *m_run; }
  [[nodiscard]] const RunModel& run() const { return *m_run; }
  [[nodiscard]] const RunViewPointer& view() const { return m_view; }
  /// What the planner said of the options shown; nothing before it has.
  [[nodiscard]] const std::shared_ptr<const PlanAnswer>& answer() const { return m_answer; }
  [[nodiscard]] TimelinePanel& timeline() { return *m_timeline; }
  [[nodiscard]] LivePanel& live() { return *m_live; }
  [[nodiscard]] TechniquePanel& techniques() { return *m_techniques; }
  [[nodiscard]] PolicyPanel& policyPanel() { return *m_policyPanel; }
  [[nodiscard]] TrainingPanel& training() { return *m_training; }
  [[nodiscard]] QUndoStack& undoStack() { return m_undo; }
  [[nodiscard]] QString commandLine() const;
  /// The ending says what: .html, .json, .csv (a folder of tables); .svg, .pdf, .png. What goes wrong is noted.
  void exportReportTo(const QString& name);
  void exportFigureTo(const QString& name);

 public slots:
  void start();
  void pause();
  void step();
  void stop();
  void applyOptions(const peakscope::PolicyOptions& options);
  /// Brings the table of all policies to the front, and plans them.
  void showPolicies();

 signals:
  void refreshed();

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  [[nodiscard]] std::filesystem::path networkFolder() const { return std::filesystem::path(m_services.session.samplesDir) / "networks"; }
  [[nodiscard]] Planning planning() const;
  void buildActions();
  void buildDocks();
  void buildStatusBar();
  void tintIcons();
  void editOptions(const PolicyOptions& options);
  [[nodiscard]] engine::SessionConfig sessionConfig() const;
  void startSession();
  void forgetRun();
  [[nodiscard]] std::filesystem::path nextTraceFile();
  void refresh();
  void showPlan(const std::shared_ptr<const PlanAnswer>& answer);
  void showView(RunViewPointer view);
  void showStatus();
  void comparePolicies();
  void note(const QString& line);
  void exportReport();
  void exportFigure();
  void saveTraceCopy();
  void openFile();
  [[nodiscard]] QString whyNotTrained() const;
  void showKeys();

  WindowServices m_services;
  std::unique_ptr<RunModel> m_run;
  std::unique_ptr<PlannerService> m_planner;
  std::unique_ptr<PolicyService> m_policies;
  QUndoStack m_undo;
  ChartTheme m_theme;
  PlanRequest m_request;
  std::shared_ptr<const PlanAnswer> m_answer;
  RunViewBuilder m_views;
  RunViewPointer m_view;
  EventModel m_eventModel;
  LayerModel m_layerModel;
  std::int64_t m_requests = 0;
  std::int64_t m_comparedRequest = 0;            ///< whose policies the panel shows, or is about to
  std::int64_t m_shownIteration = -1;
  bool m_hasHint = false;                        ///< that a change waits for the next iteration
  int m_recordedRuns = 0;                        ///< of traceFile: the second run goes to a file of its own

  TimelinePanel* m_timeline;
  TechniquePanel* m_techniques;
  LivePanel* m_live;
  TrainingPanel* m_training;
  PolicyPanel* m_policyPanel;
  QTableView *m_eventTable, *m_layerTable;
  QTextEdit* m_log;
  QComboBox* m_backend;
  QLabel *m_iteration, *m_speed, *m_duration, *m_badge;
  std::map<QString, QLabel*> m_status;
  std::map<QString, QAction*> m_actions;
  QElapsedTimer m_frameClock;
  int m_frames = 0;
};

}  // namespace peakscope::ui
