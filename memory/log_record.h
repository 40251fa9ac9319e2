// SPDX-License-Identifier: Apache-2.0
//
// LogRecord: what a session says about itself, as values. The same values go through the in-process log, across the
// worker's pipe and into the trace file; every chart, table and number is a fold over them (memory/analysis).
//
// A plan is written once; an iteration then stores only times, and bytes where the backend measured something else than
// planned. Order and identity come from the plan's steps. See memory/analysis/events.h for the expanded Event.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "memory/cost_table.h"
#include "memory/device_spec.h"
#include "memory/plan.h"
#include "memory/result.h"
#include "memory/workload.h"

namespace peakscope {

/// Everything that an output must name besides the numbers.
struct RunInfo {
  std::string program;            ///< "peakscope 0.1.0"
  std::string backend;            ///< "virtual", "cpu"
  std::string backendDetail;      ///< "oneDNN 2.6.3, avx512_core, 2 threads"
  std::string timeSource;         ///< "measured", "modelled for NVIDIA Tesla K40c"
  std::string data;               ///< "Fashion-MNIST, 60,000 images", "synthetic"
  std::string commandLine;        ///< the equivalent command
  std::int64_t seed = 0;
  std::int32_t threads = 0;
  std::int64_t iterationsPerEpoch = 0;
  std::int64_t startedUnixNs = 0; ///< wall clock of time 0; all times below are ns since then
  friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

struct SessionStarted {
  RunInfo info;
  DeviceSpec device;
  Workload workload;
};
/// From iteration `fromIteration` on, this plan runs. `plan` counts 0, 1, ... within a session.
struct PlanInstalled {
  std::int32_t plan = 0;
  std::int64_t fromIteration = 0;
  Plan value;
};

struct StepTime {
  std::int64_t beginNs = 0;
  std::int64_t endNs = 0;
  friend bool operator==(const StepTime&, const StepTime&) = default;
};
/// The backend's own size of a buffer where it is not what the plan says. Never made from the plan.
struct Deviation {
  PlanStepId step;
  Bytes measured;
  friend bool operator==(const Deviation&, const Deviation&) = default;
};
/// Consecutive plan steps that have finished; long iterations come in several pieces, in order.
struct StepsDone {
  std::int64_t iteration = 0;
  std::int32_t plan = 0;
  PlanStepId first;
  std::vector<StepTime> times;
  std::vector<Deviation> deviations;
};
struct IterationDone {
  std::int64_t iteration = 0;
  std::int32_t plan = 0;
  std::int64_t beginNs = 0;
  std::int64_t endNs = 0;
  float loss = 0;                       ///< NaN where nothing is computed (virtual)
  std::int32_t images = 0;
  Bytes measuredPeakTotal;              ///< from the backend's sizes, see Deviation
  Bytes measuredPeakScheduled;
  Bytes predictedPeakTotal;
  Bytes predictedPeakScheduled;
  Bytes measuredArenaExtent;            ///< highest device offset touched
  Bytes libraryBytes;                   ///< heap bytes that libraries took during the iteration, outside the arena
};
struct EpochDone {
  std::int32_t epoch = 0;               ///< 1-based
  std::int64_t iteration = 0;
  double accuracy = 0;                  ///< 0..1 over the whole test set; NaN where it was not evaluated to the end
  std::int64_t testImages = 0;
  double imagesPerSecond = 0;           ///< training only
  double meanLoss = 0;
  std::int64_t timeNs = 0;
};
enum class RunState : std::uint8_t { Idle, Running, Paused, Stopped, Finished, Failed };
[[nodiscard]] const char* toString(RunState state);
struct StateChanged {
  RunState state = RunState::Idle;
  std::int64_t iteration = 0;
  std::int64_t timeNs = 0;
};
/// One line for the user: a refused plan, a missing library, a file that could not be written.
struct Notice {
  enum class Severity : std::uint8_t { Info, Warning, Error } severity = Severity::Info;
  std::string text;
  std::int64_t timeNs = 0;
  ErrorKind kind = ErrorKind::BadInput;   ///< Severity::Error only: decides the exit code
};
/// Whole iterations whose step times were not kept; always shown.
struct IterationsDropped {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

using LogRecord = std::variant<SessionStarted, PlanInstalled, StepsDone, IterationDone, EpochDone, StateChanged, Notice, IterationsDropped>;

}  // namespace peakscope
