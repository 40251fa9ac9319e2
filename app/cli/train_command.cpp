// SPDX-License-Identifier: Apache-2.0
//
// `train`: runs a session and says what it does, a line of JSON or a line for people at a time. The log is the only source;
// what is printed here is what the window draws.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unistd.h>

#include "app/backends.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/recorded_run.h"
#include "app/cli/shared_options.h"

namespace peakscope::cli {
namespace {

using nlohmann::ordered_json;

/// NaN and infinities are not JSON numbers; a loss in round-trip digits otherwise.
ordered_json number(float value) { return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr); }

double medianSpeed(const std::vector<IterationDone>& iterations) {
  std::vector<double> speeds;
  for (const IterationDone& done : iterations)
    if (const double speed = analysis::imagesPerSecond(done); std::isfinite(speed)) speeds.push_back(speed);
  if (speeds.empty()) return 0;
  const auto middle = speeds.begin() + static_cast<std::ptrdiff_t>(speeds.size() / 2);
  std::nth_element(speeds.begin(), middle, speeds.end());
  return *middle;
}

/// Writes what happens, for machines (one JSON object a line) or people.
class TrainOutput {
 public:
  TrainOutput(std::ostream& out, bool json) : m_out(out), m_json(json), m_isTerminal(isatty(STDERR_FILENO) == 1) {}

  void operator()(const SessionStarted& started) {
    if (m_json) return;
    const RunInfo& info = started.info;
    m_out << fmt::format("{}: {}, batch {}, lowering {}, seed {}\n", info.backend, started.workload.net, started.workload.batch,
                         started.workload.lowering, info.seed);
    m_out << fmt::format("{}; data: {}; times {}\n", info.backendDetail, info.data, info.timeSource);
  }
  void operator()(const PlanInstalled& installed) {
    if (m_json) return;
    m_out << fmt::format("from iteration {}: {} ({}), arena {} MiB, host {} MiB\n", installed.fromIteration, installed.value.options.policy,
                         techniquesText(installed.value.options.techniques), formatMiB(installed.value.arenaBytes), formatMiB(installed.value.hostBytes));
  }
  void operator()(const StepsDone&) {}
  void operator()(const IterationDone& done) {
    if (m_json) {
      line({{"event", "iteration"},
            {"iteration", done.iteration},
            {"loss", number(done.loss)},
            {"measured_peak_bytes", done.measuredPeakTotal.count()},
            {"predicted_peak_bytes", done.predictedPeakTotal.count()},
            {"measured_peak_scheduled_bytes", done.measuredPeakScheduled.count()},
            {"predicted_peak_scheduled_bytes", done.predictedPeakScheduled.count()},
            {"measured_arena_bytes", done.measuredArenaExtent.count()},
            {"library_bytes", done.libraryBytes.count()}});
      return;
    }
    if (!m_isTerminal) return;
    fmt::print(stderr, "\riteration {}  loss {:.4f}  {:.0f} images/s  peak {} MiB scheduled, {} MiB total   ", done.iteration,
               static_cast<double>(done.loss), analysis::imagesPerSecond(done), formatMiB(done.measuredPeakScheduled, 1), formatMiB(done.measuredPeakTotal, 1));
    m_lineIsOpen = true;
  }
  void operator()(const EpochDone& epoch) {
    if (m_json) {
      line({{"event", "epoch"},
            {"epoch", epoch.epoch},
            {"iteration", epoch.iteration},
            {"accuracy", epoch.accuracy},
            {"test_images", epoch.testImages},
            {"images_per_second", epoch.imagesPerSecond},
            {"mean_loss", epoch.meanLoss}});
      return;
    }
    closeLine();
    const std::string accuracy = std::isfinite(epoch.accuracy) ? fmt::format("accuracy {:.2f} % of {} test images", epoch.accuracy * 100, epoch.testImages) : "not evaluated";
    m_out << fmt::format("epoch {}: {}, mean loss {:.4f}, {:.0f} images/s\n", epoch.epoch, accuracy, epoch.meanLoss, epoch.imagesPerSecond);
    m_out.flush();
  }
  void operator()(const StateChanged&) {}
  void operator()(const Notice& notice) {
    closeLine();
    if (notice.severity != Notice::Severity::Error) tell(notice.text);
  }
  void operator()(const IterationsDropped& dropped) {
    closeLine();
    tell(fmt::format("times of {} iterations were not kept", dropped.count));
  }

  void summary(const analysis::RunHistory& history, const std::filesystem::path& trace) {
    closeLine();
    const auto proof = history.proof();
    const auto iterations = static_cast<std::int64_t>(history.iterations().size());
    Bytes scheduled, total;
    for (const IterationDone& done : history.iterations()) {
      scheduled = std::max(scheduled, done.measuredPeakScheduled);
      total = std::max(total, done.measuredPeakTotal);
    }
    const bool isEqual = proof.firstDifference < 0;
    if (m_json) {
      ordered_json json{{"event", "summary"}, {"schema", 1}, {"iterations", iterations}};
      if (history.hasSession()) {
        const RunInfo& info = history.session().info;
        json.update({{"net", history.workload().net}, {"batch", history.workload().batch}, {"lowering", history.workload().lowering},
                     {"program", info.program}, {"backend", info.backend}, {"backend_detail", info.backendDetail}, {"data", info.data},
                     {"seed", info.seed}, {"threads", info.threads}});
      }
      json.update({{"measured_peak_bytes", total.count()}, {"measured_peak_scheduled_bytes", scheduled.count()}, {"predicted_equals_measured", proof.iterations > 0 ? ordered_json(isEqual) : ordered_json(nullptr)}});
      // The median: the first iterations build caches.
      json["images_per_second"] = medianSpeed(history.iterations());
      json["accuracy"] = history.lastEvaluated() == nullptr ? ordered_json(nullptr) : ordered_json(history.lastEvaluated()->accuracy);
      json["trace"] = trace.empty() ? ordered_json(nullptr) : ordered_json(trace.string());
      line(json);
      return;
    }
    m_out << fmt::format("{} iterations; measured peak {} MiB scheduled, {} MiB total; {}\n", iterations, formatMiB(scheduled), formatMiB(total),
                         proof.iterations == 0 ? std::string("nothing was compared")
                         : isEqual ? fmt::format("predicted = measured at every step of {} iterations", proof.iterations)
                                 : fmt::format("PREDICTED AND MEASURED DIFFER from iteration {} on, by {} bytes", proof.firstDifference, proof.largestDifference.count()));
    if (!trace.empty()) m_out << fmt::format("trace: {}\n", trace.string());
  }

 private:
  /// Flushed: who reads the lines sees each iteration when it is done.
  void line(const ordered_json& json) { m_out << jsonText(json, -1) << std::endl; }
  void closeLine() {
    if (m_lineIsOpen) fmt::print(stderr, "\n");
    m_lineIsOpen = false;
  }

  std::ostream& m_out;
  bool m_json;
  bool m_isTerminal;
  bool m_lineIsOpen = false;
};

}  // namespace

Result<int> train(std::ostream& out, const TrainRequest& request, const app::Paths& paths, const std::string& commandLine) {
  Interrupt::blockSignals();
  engine::Session session(app::backendFactory(paths));
  Interrupt interrupt([&session] { session.post(engine::Stop{}); });
  engine::SessionConfig config = sessionConfig(request, paths);
  config.commandLine = commandLine;

  TrainOutput output(out, request.request.json);
  const RecordedRun run = runRecorded(session, std::move(config), request.trace, [&](const LogRecord& record) {
    std::visit(output, record);
    // A run whose results nobody gets is not worth its time.
    if (!out) session.post(engine::Stop{});
  });
  if (run.history.hasSession()) output.summary(run.history, request.trace);
  if (run.error) return fail(*run.error);
  return interrupt.wasRaised() ? 130 : 0;
}

}  // namespace peakscope::cli
