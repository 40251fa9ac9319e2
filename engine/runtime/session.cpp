// SPDX-License-Identifier: Apache-2.0
//
// The session's thread: waits for commands, runs iterations between them, and turns every failure into one line and a
// state. Commands take effect at iteration boundaries.
#include "engine/runtime/session.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engine/runtime/training_run.h"

namespace peakscope::engine {

struct Session::Worker {
  explicit Worker(BackendFactory factory) : makeBackend(std::move(factory)), thread([this](std::stop_token stop) { main(stop); }) {}

  void post(Command command) {
    {
      const std::lock_guard lock(mutex);
      commands.push_back(std::move(command));
    }
    arrived.notify_all();
  }

  EventLog log;

 private:
  using Clock = std::chrono::steady_clock;

  void main(const std::stop_token& stop) {
    try {
      while (!hasEnded()) {
        if (const auto command = next(stop)) {
          std::visit([this](const auto& c) { handle(c); }, *command);
        } else if (stop.stop_requested()) {
          enter(RunState::Stopped);
        } else {
          iterate(stop);
        }
      }
    } catch (const std::exception& failure) {
      fail(Error{ErrorKind::DeviceFailed, failure.what()});
    }
    run.reset();   // memory goes back before the log says that this is the end
    log.close();
  }

  /// The next command. None: an iteration is due, or the session is being closed.
  std::optional<Command> next(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    const auto hasCommand = [this] { return !commands.empty(); };
    if (state != RunState::Running)
      arrived.wait(lock, stop, hasCommand);
    else if (run->isPaced())
      arrived.wait_until(lock, stop, due(), hasCommand);
    if (commands.empty() || stop.stop_requested()) return std::nullopt;
    Command command = std::move(commands.front());
    commands.pop_front();
    return command;
  }

  /// When the modelled device would have finished what it was asked so far.
  Clock::time_point due() const { return pacedFrom + std::chrono::nanoseconds(run->nowNs() - pacedFromNs); }

  void handle(const Start& start) {
    if (run) return note(Notice::Severity::Warning, "the session has begun already; another network or batch needs a new session");
    auto prepared = TrainingRun::prepare(start.config, makeBackend, log);
    if (!prepared) return fail(prepared.error());
    run = std::move(*prepared);
    enter(RunState::Paused);
  }
  void handle(const Run&) { go(RunState::Running, "run"); }
  void handle(const SingleStep&) {
    go(RunState::Running, "step");
    pausesAfterIteration = state == RunState::Running;
  }
  void handle(const Pause&) {
    if (state == RunState::Running) enter(RunState::Paused);
  }
  void handle(const Stop&) { enter(RunState::Stopped); }
  void handle(const ChangeOptions& change) {
    if (!run) return note(Notice::Severity::Warning, "there is no plan to change before the session has begun");
    if (const auto changed = run->changeOptions(change.options); !changed)
      note(Notice::Severity::Warning, "the old plan goes on: " + changed.error().message);
  }

  void go(RunState to, const char* what) {
    if (!run) return note(Notice::Severity::Warning, std::string("nothing to ") + what + " before the session has begun");
    pausesAfterIteration = false;
    if (state == to) return;
    pacedFrom = Clock::now();
    pacedFromNs = run->nowNs();
    enter(to);
  }

  void iterate(const std::stop_token& stop) {
    if (!run->isFinished()) run->step([&] { return stop.stop_requested() || isStopWaiting(); });
    if (run->isFinished() && !isStopWaiting())
      enter(RunState::Finished);
    else if (pausesAfterIteration)
      enter(RunState::Paused);
    pausesAfterIteration = false;
  }

  bool isStopWaiting() {
    const std::lock_guard lock(mutex);
    for (const Command& command : commands)
      if (std::holds_alternative<Stop>(command)) return true;
    return false;
  }

  [[nodiscard]] bool hasEnded() const { return state == RunState::Stopped || state == RunState::Finished || state == RunState::Failed; }
  [[nodiscard]] std::int64_t nowNs() const { return run ? run->nowNs() : 0; }
  void enter(RunState to) {
    state = to;
    log.append(StateChanged{to, run ? run->iteration() : 0, nowNs()});
  }
  void note(Notice::Severity severity, std::string text) { log.append(Notice{.severity = severity, .text = std::move(text), .timeNs = nowNs()}); }
  void fail(const Error& error) {
    log.append(Notice{.severity = Notice::Severity::Error, .text = error.message, .timeNs = nowNs(), .kind = error.kind});
    enter(RunState::Failed);
  }

  BackendFactory makeBackend;
  std::unique_ptr<TrainingRun> run;
  RunState state = RunState::Idle;
  bool pausesAfterIteration = false;
  Clock::time_point pacedFrom;
  std::int64_t pacedFromNs = 0;

  std::mutex mutex;
  std::condition_variable_any arrived;
  std::deque<Command> commands;            ///< guarded by mutex; everything else belongs to the thread
  std::jthread thread;                     ///< last: joins before anything above goes away
};

Session::Session(BackendFactory makeBackend) : m_worker(std::make_unique<Worker>(std::move(makeBackend))) {}
Session::~Session() = default;
void Session::post(Command command) { m_worker->post(std::move(command)); }
const EventLog& Session::log() const { return m_worker->log; }

}  // namespace peakscope::engine
