// SPDX-License-Identifier: GPL-3.0-or-later
//
// peakscope: the window. Options are those of peakscope-cli train where both make sense; what is no window option is
// decided before a display is asked for.
//
//   peakscope [NET | TRACE] [--batch N] [--lowering paper|lean] [--backend cpu|virtual] [--theme light|dark]
//             [--screenshot FILE.png [--after-iterations N]]
#include <QApplication>
#include <QStandardPaths>
#include <QStyleFactory>
#include <QTimer>
#include <CLI/CLI.hpp>
#include <iostream>

#include "app/backends.h"
#include "app/paths.h"
#include "engine/graph/device_file.h"
#include "ui/main_window.h"

namespace {

using namespace peakscope;

struct Arguments {
  std::string what = "minivgg";
  ui::PlanRequest request;
  std::string theme = "system", screenshot, dataDir;
  std::int64_t afterIterations = 0, epochs = 0, iterations = 0;
  std::int32_t threads = 0;
  bool isPaused = false;
};

int parse(int argc, char** argv, Arguments& arguments) {
  CLI::App app("Peakscope: where the GPU memory of a neural network goes, and how to make it fit.");
  app.set_version_flag("--version", "peakscope " PEAKSCOPE_VERSION);
  app.add_option("what", arguments.what, "A sample network, a network file or a trace")->capture_default_str();
  app.add_option("--batch", arguments.request.batch, "Images in a batch")->check(CLI::Range(1, 1 << 20));
  app.add_option("--lowering", arguments.request.lowering, "paper or lean")->capture_default_str();
  app.add_option("--data", arguments.dataDir, "Folder with gzip'ed IDX files");
  app.add_option("--epochs", arguments.epochs, "End after so many epochs");
  app.add_option("--iterations", arguments.iterations, "End after so many iterations");
  app.add_option("--threads", arguments.threads, "CPU threads");
  app.add_option("--theme", arguments.theme, "system, light or dark")->check(CLI::IsMember({"system", "light", "dark"}));
  app.add_flag("--paused", arguments.isPaused, "Do not start training");
  app.add_option("--screenshot", arguments.screenshot, "Save a picture of the window and end");
  app.add_option("--after-iterations", arguments.afterIterations, "Take the picture when so many iterations are done");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    app.exit(success);
    return 0;
  } catch (const CLI::ParseError& error) {
    std::cerr << "peakscope: " << error.what() << "; see peakscope --help\n";
    return 2;
  }
  return -1;
}

/// Saves the picture once enough has happened, and ends.
void armScreenshot(ui::MainWindow& window, const Arguments& arguments) {
  auto* settle = new QTimer(&window);
  settle->setSingleShot(true);
  settle->setInterval(300);
  QObject::connect(settle, &QTimer::timeout, &window, [&window, file = arguments.screenshot] {
    const bool isSaved = window.grab().save(QString::fromStdString(file));
    if (!isSaved) std::cerr << "peakscope: " << file << " could not be written; name a .png file in a folder that exists\n";
    window.run().close();
    QApplication::exit(isSaved ? 0 : 3);
  });
  const auto check = [&window, settle, wanted = arguments.afterIterations] {
    const auto& history = window.run().history();
    const RunState state = history.state().state;
    const bool hasEnded = state == RunState::Finished || state == RunState::Failed || state == RunState::Stopped;
    if (window.view() && (static_cast<std::int64_t>(history.iterations().size()) >= wanted || hasEnded) && !settle->isActive()) settle->start();
  };
  QObject::connect(&window, &ui::MainWindow::refreshed, &window, check);
  QTimer::singleShot(500, &window, check);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (const int code = parse(argc, argv, arguments); code >= 0) return code;
  QApplication application(argc, argv);
  QApplication::setApplicationName("peakscope");
  QApplication::setStyle(QStyleFactory::create("Fusion"));

  const app::Paths paths = app::findPaths();
  const auto device = engine::readDevice("cpu", paths.devices);
  const bool isPicture = !arguments.screenshot.empty();
  const QString dataFolder = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
  ui::MainWindow window({.makeBackend = app::backendFactory(paths),
                         .makeLibrary = [threads = arguments.threads] { return std::move(*app::makeLibrary("cpu", threads)); },
                         .device = device ? *device : DeviceSpec{},
                         .samples = paths.samples,
                         .devices = paths.devices,
                         .traceFolder = isPicture ? std::filesystem::path() : std::filesystem::path(dataFolder.toStdString()) / "traces"});
  window.setSessionDefaults({.dataDir = arguments.dataDir, .threads = arguments.threads});
  window.setLength(arguments.iterations, arguments.epochs);
  if (arguments.theme != "system") window.setTheme(arguments.theme == "dark" ? ui::ThemeChoice::Dark : ui::ThemeChoice::Light);
  window.show();

  const std::filesystem::path what = arguments.what;
  if (what.extension() == ".peakscope") {
    window.openTrace(what);
  } else {
    arguments.request.net = arguments.what;
    if (arguments.request.lowering == "lean") arguments.request.options.offloadFree = OffloadFree::Hidden;
    window.load(arguments.request);
    if (!arguments.isPaused) window.start();
  }
  if (isPicture) armScreenshot(window, arguments);
  return QApplication::exec();
}
