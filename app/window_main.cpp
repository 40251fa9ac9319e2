// SPDX-License-Identifier: GPL-3.0-or-later
//
// peakscope: the window. Its options are those of `peakscope-cli train`; what is wrong with them is said before a display is
// asked for.
//
//   peakscope [NET | TRACE] [options of peakscope-cli train] [--theme light|dark] [--paused]
//             [--frozen] [--exit-when-done] [--screenshot FILE.png [--after-iterations N]]
#include <QApplication>
#include <QStandardPaths>
#include <QStyleFactory>
#include <QTimer>
#include <iostream>

#include "app/backends.h"
#include "app/cli/option_checks.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "ui/main_window.h"

namespace {

using namespace peakscope;

struct Arguments {
  cli::RawOptions raw{.net = "minivgg"};
  cli::TrainRequest training;
  std::string theme = "system", screenshot;
  std::int64_t afterIterations = 0;
  bool isPaused = false, isFrozen = false, exitsWhenDone = false;
};

/// The exit code, if the program ends here.
std::optional<int> parse(int argc, char** argv, Arguments& arguments) {
  CLI::App app("Peakscope: where the GPU memory of a neural network goes, and how to make it fit.");
  app.set_version_flag("--version", "peakscope " PEAKSCOPE_VERSION);
  app.add_option("what", arguments.raw.net, "A sample network, a network file or a trace")->capture_default_str();
  cli::addPlanOptions(app, arguments.raw);
  cli::addTrainOptions(app, arguments.raw, arguments.training);
  app.add_option("--theme", arguments.theme, "system, light or dark")->check(CLI::IsMember({"system", "light", "dark"}));
  app.add_flag("--paused", arguments.isPaused, "Do not start training");
  app.add_flag("--frozen", arguments.isFrozen, "Begin with the view frozen: training goes on, nothing is drawn");
  app.add_flag("--exit-when-done", arguments.exitsWhenDone, "End when the run has ended");
  app.add_option("--screenshot", arguments.screenshot, "Save a picture of the window and end");
  app.add_option("--after-iterations", arguments.afterIterations, "Take the picture when so many iterations are done")->check(cli::wholeNumber(0, 1'000'000'000));
  cli::refuseEmptyValues(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    cli::tell(std::string(error.what()) + "; see peakscope --help");
    return static_cast<int>(ErrorKind::BadInput);
  }
  auto request = cli::parseRequest(arguments.raw);
  if (!request) {
    cli::tell(request.error().message);
    return static_cast<int>(request.error().kind);
  }
  // The cache copies nothing that fits, so that offload would show nothing: here it begins switched off.
  if (arguments.raw.techniques.empty()) request->options.techniques.cache = false;
  arguments.training.request = std::move(*request);
  return std::nullopt;
}

bool isUnattended(const Arguments& arguments) { return arguments.exitsWhenDone || !arguments.screenshot.empty(); }

/// What ended the run, or kept it from its file: the exit code of a run that nobody watches.
int exitCodeOf(const ui::RunModel& run) {
  for (const Notice& notice : run.history().notices())
    if (notice.severity == Notice::Severity::Error) {
      cli::tell(notice.text);
      return static_cast<int>(notice.kind);
    }
  if (!run.traceProblem()) return 0;
  cli::tell(run.traceProblem()->message);
  return static_cast<int>(run.traceProblem()->kind);
}

/// Saves the picture once enough has happened, and ends.
void armScreenshot(ui::MainWindow& window, const Arguments& arguments) {
  window.resize(1600, 1000);   // whatever the screen: pictures are compared
  auto* settle = new QTimer(&window);
  settle->setSingleShot(true);
  settle->setInterval(300);
  QObject::connect(settle, &QTimer::timeout, &window, [&window, file = arguments.screenshot] {
    const bool isSaved = window.grab().save(QString::fromStdString(file));
    if (!isSaved) cli::tell(file + ": could not be written; name a .png file in a folder that exists");
    window.run().close();
    QApplication::exit(isSaved ? exitCodeOf(window.run()) : static_cast<int>(ErrorKind::DeviceFailed));
  });
  const auto check = [&window, settle, wanted = arguments.afterIterations] {
    const auto done = static_cast<std::int64_t>(window.run().history().iterations().size());
    const bool isEnough = done >= wanted || window.run().hasEnded() || !window.run().isLive();
    if ((window.view() || window.run().hasEnded()) && isEnough && !settle->isActive()) settle->start();
  };
  QObject::connect(&window, &ui::MainWindow::refreshed, &window, check);
  QObject::connect(&window.run(), &ui::RunModel::ended, &window, check);
  QTimer::singleShot(500, &window, check);
}

/// Ends when the run has; a trace has.
void armExit(ui::MainWindow& window) {
  const auto end = [&window] {
    window.run().close();   // the trace is complete before the program ends
    QApplication::exit(exitCodeOf(window.run()));
  };
  if (!window.run().isLive()) QTimer::singleShot(0, &window, end);
  else QObject::connect(&window.run(), &ui::RunModel::ended, &window, end);
}

ui::WindowServices servicesOf(const Arguments& arguments, const app::Paths& paths) {
  return {.makeBackend = app::backendFactory(paths), .session = cli::sessionConfig(arguments.training, paths), .traceFile = arguments.training.trace};
}

/// The backend that is asked for, or why there is none, before a window says that it trains on it.
Result<void> checkBackend(const ui::WindowServices& services) {
  if (const auto made = services.makeBackend(services.session); !made) return fail(made.error());
  return {};
}

int runWindow(int argc, char** argv) {
  Arguments arguments;
  if (const auto code = parse(argc, argv, arguments)) return *code;
  ui::WindowServices services = servicesOf(arguments, app::findPaths());
  if (const auto checked = checkBackend(services); !checked) {
    cli::tell(checked.error().message);
    return static_cast<int>(checked.error().kind);
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName("peakscope");
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  if (services.traceFile.empty() && arguments.screenshot.empty())
    services.traceFolder = std::filesystem::path(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation).toStdString()) / "traces";

  ui::MainWindow window(std::move(services));
  if (arguments.theme != "system") window.setTheme(arguments.theme == "dark" ? ui::ThemeChoice::Dark : ui::ThemeChoice::Light);
  if (arguments.training.request.backend == "virtual") window.setBackend("virtual");
  window.show();

  const cli::Request& request = arguments.training.request;
  if (std::filesystem::path(request.net).extension() == ".peakscope") {
    const auto opened = window.openTrace(request.net);
    if (!opened && isUnattended(arguments)) {
      cli::tell(opened.error().message);
      return static_cast<int>(opened.error().kind);
    }
  } else {
    window.load({.net = request.net, .batch = request.batch, .inputHeight = request.inputHeight, .inputWidth = request.inputWidth, .lowering = request.lowering, .options = request.options});
    if (!arguments.isPaused) window.start();
  }
  if (arguments.isFrozen) window.setFrozen(true);
  if (!arguments.screenshot.empty()) armScreenshot(window, arguments);
  if (arguments.exitsWhenDone) armExit(window);
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return runWindow(argc, argv);
  } catch (const std::exception& error) {
    cli::tell(error.what());
    return static_cast<int>(ErrorKind::DeviceFailed);
  }
}
