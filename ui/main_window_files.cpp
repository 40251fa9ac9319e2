// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the main window reads and writes: networks, traces, reports, figures, the equivalent command line.
#include <QDialog>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/runtime/train_command_line.h"
#include "memory/report/memory_chart.h"
#include "memory/report/write_report.h"
#include "ui/main_window.h"
#include "ui/panels/technique_panel.h"

namespace peakscope::ui {
QString MainWindow::commandLine() const { return QString::fromStdString(engine::trainCommandLine(sessionConfig())); }

void MainWindow::openFile() {
  const QString name = QFileDialog::getOpenFileName(this, tr("Open"), {}, tr("Networks, ONNX models and traces (*.json *.onnx *.peakscope);;All files (*)"));
  if (!name.isEmpty()) openPath(name);
}

void MainWindow::openPath(const QString& name) {
  if (name.endsWith(".json") || name.endsWith(".onnx")) {
    PlanRequest request = m_request;
    request.net = name.toStdString();
    request.batch = request.inputHeight = request.inputWidth = 0;
    return load(request);
  }
  openTrace(name.toStdString());
}

namespace {

/// The one local file that is dragged here; empty if it is something else.
QString draggedFile(const QDropEvent& event) {
  const QList<QUrl> urls = event.mimeData()->urls();
  return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

}  // namespace

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!draggedFile(*event).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString name = draggedFile(*event);
  if (name.isEmpty()) return;
  event->acceptProposedAction();
  openPath(name);
}

void MainWindow::saveTraceCopy() {
  if (m_run->tracePath().empty()) return note(tr("This run is not recorded; start the program with a folder for traces."));
  if (m_run->isRecording()) return note(tr("The trace is being written to %1; stop the run to copy it.").arg(QString::fromStdString(m_run->tracePath().string())));
  const QString name = QFileDialog::getSaveFileName(this, tr("Save trace"), {}, tr("Traces (*.peakscope)"));
  if (name.isEmpty()) return;
  std::error_code error;
  std::filesystem::copy_file(m_run->tracePath(), name.toStdString(), std::filesystem::copy_options::overwrite_existing, error);
  note(error ? tr("%1 could not be written: %2").arg(name, QString::fromStdString(error.message())) : tr("saved %1").arg(name));
}

void MainWindow::exportReport() {
  const QString name = QFileDialog::getSaveFileName(this, tr("Export report"), QStringLiteral("report.html"), tr("HTML page (*.html);;JSON summary (*.json);;Folder of CSV tables (*.csv)"));
  if (!name.isEmpty()) exportReportTo(name);
}

void MainWindow::exportReportTo(const QString& name) {
  const analysis::RunHistory& history = m_run->history();
  if (!history.hasSession() || history.iterations().empty()) return note(tr("There is nothing to report yet: press Run, or open a trace."));
  const report::ReportInput input{.history = history, .replanned = report::replan(history)};
  const std::filesystem::path path = name.toStdString();
  const auto done = name.endsWith(".json") ? report::writeSummaryJson(path, input) : name.endsWith(".csv") ? report::writeCsv(path, input) : report::writeHtml(path, input);
  note(done ? tr("wrote %1").arg(name) : QString::fromStdString(done.error().message));
}

void MainWindow::exportFigure() {
  const QString name = QFileDialog::getSaveFileName(this, tr("Save figure"), QStringLiteral("memory.svg"), tr("Figures (*.svg *.pdf *.png)"));
  if (!name.isEmpty()) exportFigureTo(name);
}

void MainWindow::exportFigureTo(const QString& name) {
  if (!m_view) return note(tr("There is no chart to save yet: load a network."));
  report::MemoryChartInput input{.workload = m_view->workload, .plan = m_view->plan, .measured = m_view->curve(), .predicted = m_view->predicted, .times = m_view->times, .budget = m_request.options.budget};
  if (m_view->keepAllScheduled > Bytes{}) input.baseline = report::Baseline{.scheduled = m_view->keepAllScheduled};
  const std::int64_t date = m_run->history().hasSession() ? m_run->history().session().info.startedUnixNs : 0;
  const auto done = report::writeFigure(name.toStdString(), report::memoryChart(input), date);
  note(done ? tr("wrote %1").arg(name) : QString::fromStdString(done.error().message));
}

void MainWindow::showKeys() {
  auto* sheet = new QDialog(this);   // Escape closes it
  auto* keys = new QLabel(tr("<table cellpadding='4'>"
                              "<tr><td><b>F5, F6, F10, Shift+F5</b></td><td>run, pause, one iteration, stop</td></tr>"
                              "<tr><td><b>wheel, Shift+wheel, drag</b></td><td>zoom at the cursor, pan, select a range</td></tr>"
                              "<tr><td><b>W S, A D</b></td><td>zoom in and out, pan left and right</td></tr>"
                              "<tr><td><b>H or Home, P or Ctrl+P</b></td><td>whole iteration, go to the peak</td></tr>"
                              "<tr><td><b>. , or arrows</b></td><td>next and previous op</td></tr>"
                              "<tr><td><b>Ctrl+T</b></td><td>step or time axis</td></tr>"
                              "<tr><td><b>Ctrl+K</b></td><td>compare policies; Enter there trains with one, Ctrl+C copies a table</td></tr>"
                              "<tr><td><b>Space</b></td><td>freeze the view; training goes on</td></tr>"
                              "<tr><td><b>Ctrl+Z, Ctrl+Shift+Z</b></td><td>undo and redo a change of techniques</td></tr>"
                              "<tr><td><b>Ctrl+O, Ctrl+S, Ctrl+E, Ctrl+Shift+E</b></td><td>open, save trace, export report, save figure</td></tr>"
                              "<tr><td><b>Ctrl+Shift+C</b></td><td>copy as command line</td></tr>"
                          "<tr><td><b>?, Ctrl+Q</b></td><td>this sheet, quit</td></tr></table>"),
                          sheet);
  auto* layout = new QVBoxLayout(sheet);
  layout->setContentsMargins(12, 12, 12, 12);
  layout->addWidget(keys);
  sheet->setAttribute(Qt::WA_DeleteOnClose);
  sheet->setWindowTitle(tr("Keys"));
  sheet->show();
}

}  // namespace peakscope::ui
