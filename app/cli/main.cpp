// SPDX-License-Identifier: Apache-2.0
//
// peakscope-cli: arguments in, one command out. Every failure is one line on stderr; its kind is the exit code
// (1 cannot be met, 2 wrong use or unreadable input, 3 a device, a library or a write failed, 130 interrupted).
#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <iostream>

#include "app/cli/commands.h"
#include "app/cli/option_checks.h"
#include "app/cli/output.h"
#include "app/cli/shared_options.h"
#include "memory/report/text.h"

namespace {

using namespace peakscope;
using namespace peakscope::cli;

void addNetOptions(CLI::App& command, RawOptions& raw) {
  command.add_option("net", raw.net, "A sample's name (see nets), resnet:n1,n2,n3,n4, or a network file")->required();
  addPlanOptions(command, raw);
  command.add_flag("--json", raw.json, "One JSON object (train: one a line)");
}

/// A command that the contract names and this version does not have.
void addLater(CLI::App& app, const char* name, const char* what, Result<int>& result) {
  auto* command = app.add_subcommand(name, std::string(what) + " (not built yet)");
  command->allow_extras();
  command->callback([name, &result] { result = badInput(fmt::format("{} is not built yet; see peakscope-cli --help for what is there", name)); });
}

int exitCode(const Result<int>& result) {
  if (result) return *result;
  tell(result.error().message);
  return static_cast<int>(result.error().kind);
}

/// The command as a shell would take it.
std::string joined(int argc, char** argv) {
  std::string text = "peakscope-cli";
  for (int i = 1; i < argc; ++i) text += ' ' + peakscope::report::shellWord(argv[i]);
  return text;
}

/// A full disk shows when the stream is flushed, at the latest.
Result<int> flushed(Result<int> result) {
  if (result && !std::cout.flush()) return deviceFailed("standard output could not be written; free space on the disk that it goes to, or name another place");
  return result;
}

Error explain(const CLI::ParseError& error, const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || !app.get_subcommands().empty()) return {ErrorKind::BadInput, fmt::format("{}; see peakscope-cli --help", error.what())};
  std::string names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names += (names.empty() ? "" : ", ") + command->get_name();
  return {ErrorKind::BadInput, fmt::format("'{}' is not a command; begin with one of: {}", argv[1], names)};
}

int runCommandLine(int argc, char** argv) {
  const app::Paths paths = app::findPaths();
  CLI::App app("Peakscope: where the GPU memory of a neural network goes, and how to make it fit.");
  app.require_subcommand(1);
  app.set_version_flag("--version", "peakscope " PEAKSCOPE_VERSION);
  app.footer(
      "Examples:\n"
      "  peakscope-cli plan alexnet --batch 200 --lowering paper --techniques liveness --steps\n"
      "  peakscope-cli simulate minivgg --device k40c\n"
      "  peakscope-cli compare resnet50 --batch 32 --device titan-xp --budget 6GiB\n"
      "  peakscope-cli fit alexnet --budget 12GiB\n"
      "  peakscope-cli train lenet --epochs 2 --trace lenet.peakscope\n"
      "  peakscope-cli report lenet.peakscope --html lenet.html");
  Result<int> result = 0;
  RawOptions raw;
  TrainRequest training;
  ReportRequest reporting;
  CompareRequest comparison;
  FitRequest growth;
  ReproduceRequest reproduction;
  bool json = false;
  std::string backend = "cpu";
  std::filesystem::path trace;
  std::int64_t iterations = 3;

  const auto withRequest = [&](auto run) {
    return [&, run] {
      const auto request = parseRequest(raw);
      result = request ? run(*request) : Result<int>(fail(request.error()));
    };
  };

  auto* nets = app.add_subcommand("nets", "List the sample networks");
  nets->add_flag("--json", json);
  nets->callback([&] { result = listNets(std::cout, paths, json); });
  auto* policyList = app.add_subcommand("policies", "List the memory policies");
  policyList->add_flag("--json", json);
  policyList->callback([&] { result = listPolicies(std::cout, json); });
  auto* devices = app.add_subcommand("devices", "List the devices that can be planned for");
  devices->add_flag("--json", json);
  devices->callback([&] { result = listDevices(std::cout, paths, json); });

  auto* planning = app.add_subcommand("plan", "Predict: peak, where, by kind");
  addNetOptions(*planning, raw);
  planning->add_flag("--steps", raw.steps, "One row per step");
  planning->add_flag("--details", raw.details, "What the techniques decided: segments, evictions, workspaces");
  planning->add_flag("--live", raw.live, "The tensors on the device before and after each step");
  planning->add_option("--backend", raw.backend, "Whose layouts and workspaces are counted: ideal or cpu; default ideal");
  planning->callback(withRequest([&](const Request& request) { return plan(std::cout, request, paths); }));

  auto* simulating = app.add_subcommand("simulate", "Run on the virtual backend: time, traffic, stalls");
  addNetOptions(*simulating, raw);
  simulating->add_option("--iterations", iterations, "How many")->check(wholeNumber(1, 1000000))->capture_default_str();
  simulating->add_option("--trace", trace, "Write a trace file");
  simulating->add_option("--backend", raw.backend, "Whose layouts and workspaces are counted: ideal; default ideal");
  simulating->callback(withRequest([&](const Request& request) { return simulate(std::cout, request, paths, trace, iterations); }));

  auto* comparing = app.add_subcommand("compare", "Policies side by side: peak, time, traffic, recomputed");
  addNetOptions(*comparing, raw);
  comparing->add_option("--policies", comparison.policies, "A list of policies; default: all");
  comparing->add_option("--csv", comparison.csv, "Write the table to this file");
  comparing->add_option("--backend", raw.backend, "Whose layouts and workspaces are counted: ideal or cpu; default ideal");
  comparing->callback(withRequest([&](const Request& request) {
    comparison.request = request;
    return cli::compare(std::cout, comparison, paths);
  }));

  auto* fitting = app.add_subcommand("fit", "The largest batch, or the deepest ResNet, that fits");
  addNetOptions(*fitting, raw);
  fitting->add_option("--grow", growth.grow, "batch, or depth: n3 of a ResNet grows")->capture_default_str();
  fitting->add_option("--backend", raw.backend, "Whose layouts and workspaces are counted: ideal or cpu; default ideal");
  fitting->callback(withRequest([&](const Request& request) {
    growth.request = request;
    return cli::fit(std::cout, growth, paths);
  }));

  auto* train = app.add_subcommand("train", "Train, and measure every byte");
  addNetOptions(*train, raw);
  addTrainOptions(*train, raw, training);
  train->callback(withRequest([&](const Request& request) {
    training.request = request;
    if (training.epochs == 0 && training.iterations == 0) training.epochs = 1;
    return cli::train(std::cout, training, paths, joined(argc, argv));
  }));

  auto* reportCommand = app.add_subcommand("report", "Write reports and figures from a trace");
  reportCommand->add_option("trace", reporting.trace, "A .peakscope file")->required();
  reportCommand->add_option("--html", reporting.html, "One self-contained page");
  reportCommand->add_option("--csv", reporting.csvDir, "Folder for events.csv, steps.csv, runs.csv");
  reportCommand->add_option("--json", reporting.json, "Summary as JSON");
  reportCommand->add_option("--svg", reporting.svgDir, "Folder for the charts as SVG");
  reportCommand->add_option("--pdf", reporting.pdfDir, "Folder for the charts as PDF");
  reportCommand->add_option("--png", reporting.pngDir, "Folder for the charts as PNG");
  reportCommand->callback([&] { result = cli::report(std::cout, reporting); });

  auto* reproducing = app.add_subcommand("reproduce", "The paper's memory results beside ours: one page, and a CSV for each table");
  reproducing->add_option("--out", reproduction.out, "The folder for them; made if it is not there")->capture_default_str();
  reproducing->add_flag("--json", reproduction.json, "The results as one JSON object");
  reproducing->callback([&] { result = cli::reproduce(std::cout, reproduction, paths); });

  auto* test = app.add_subcommand("self-test", "Compare every op of a backend with the reference kernels");
  test->add_option("--backend", backend, "cpu or virtual")->capture_default_str();
  test->add_option("--threads", raw.threads, "CPU threads; default: one per core")->check(wholeNumber(1, maxThreads));
  test->add_flag("--json", json);
  test->callback([&] { result = selfTest(std::cout, backend, raw.threads, json); });

  addLater(app, "serve", "A worker for the window", result);

  for (CLI::App* command : app.get_subcommands(nullptr)) refuseEmptyValues(*command);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    result = app.exit(success);
  } catch (const CLI::ParseError& error) {
    result = fail(explain(error, app, argc, argv));
  }
  return exitCode(flushed(std::move(result)));
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return runCommandLine(argc, argv);
  } catch (const std::exception& error) {
    tell(error.what());
    return static_cast<int>(ErrorKind::DeviceFailed);
  }
}
