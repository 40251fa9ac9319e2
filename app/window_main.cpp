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
  arguments.training.request = std::move(*request);
  return std::nullopt;
}

bool hasEnded(const ui::MainWindow& window) {
  const RunState state = window.run().state();
  return state == RunState::Finished || state == RunState::Failed || state == RunState::Stopped;
}

/// Saves the picture once enough has happened, and ends.
void armScreenshot(ui::MainWindow& window, const Arguments& arguments) {
  auto* settle = new QTimer(&window);
  settle->setSingleShot(true);
  settle->setInterval(300);
  QObject::connect(settle, &QTimer::timeout, &window, [&window, file = arguments.screenshot] {
    const bool isSaved = window.grab().save(QString::fromStdString(file));
    if (!isSaved) cli::tell(file + ": could not be written; name a .png file in a folder that exists");
    window.run().close();
    QApplication::exit(isSaved ? 0 : static_cast<int>(ErrorKind::DeviceFailed));
  });
  const auto check = [&window, settle, wanted = arguments.afterIterations] {
    const auto done = static_cast<std::int64_t>(window.run().history().iterations().size());
    if (window.view() && (done >= wanted || hasEnded(window)) && !settle->isActive()) settle->start();
  };
  QObject::connect(&window, &ui::MainWindow::refreshed, &window, check);
  QTimer::singleShot(500, &window, check);
}

ui::WindowServices servicesOf(const Arguments& arguments, const app::Paths& paths) {
  ui::WindowServices services{.makeBackend = app::backendFactory(paths), .session = cli::sessionConfig(arguments.training, paths), .traceFile = arguments.training.trace};
  if (services.traceFile.empty() && arguments.screenshot.empty())
    services.traceFolder = std::filesystem::path(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation).toStdString()) / "traces";
  return services;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (const auto code = parse(argc, argv, arguments)) return *code;
  QApplication application(argc, argv);
  QApplication::setApplicationName("peakscope");
  QApplication::setStyle(QStyleFactory::create("Fusion"));

  ui::MainWindow window(servicesOf(arguments, app::findPaths()));
  if (arguments.theme != "system") window.setTheme(arguments.theme == "dark" ? ui::ThemeChoice::Dark : ui::ThemeChoice::Light);
  if (arguments.training.request.backend == "virtual") window.setBackend("virtual");
  window.show();

  const cli::Request& request = arguments.training.request;
  if (std::filesystem::path(request.net).extension() == ".peakscope") {
    window.openTrace(request.net);
  } else {
    window.load({.net = request.net, .batch = request.batch, .inputHeight = request.inputHeight, .inputWidth = request.inputWidth, .lowering = request.lowering, .options = request.options});
    if (!arguments.isPaused) window.start();
  }
  if (arguments.isFrozen) window.setFrozen(true);
  if (!arguments.screenshot.empty()) armScreenshot(window, arguments);
  if (arguments.exitsWhenDone)
    QObject::connect(&window.run(), &ui::RunModel::ended, &window, [&window] {
      window.run().close();   // the trace is complete before the program ends
      QApplication::quit();
    });
  return QApplication::exec();
}
