// SPDX-License-Identifier: Apache-2.0
//
// CopyLane: one thread that does copies in the order in which they are given, so that compute truly runs meanwhile. A link
// speed slower than memory is kept by waiting for the clock between chunks.
//
//   CopyLane out(board, clock, {.bytesPerSecond = 4e9});
//   out.post(step, [=](CopyLane::Link& link) { link.copy(to, from, bytes); });
//   out.drain();
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "engine/backends/cpu/step_board.h"
#include "memory/bytes.h"

namespace peakscope::engine::cpu {

/// Nanoseconds since the session's time 0.
class SessionClock {
 public:
  [[nodiscard]] std::int64_t now() const { return (std::chrono::steady_clock::now() - m_zero).count(); }

 private:
  std::chrono::steady_clock::time_point m_zero = std::chrono::steady_clock::now();
};

class CopyLane {
 public:
  /// What a task moves bytes with; knows when the transfer began.
  class Link {
   public:
    Link(double bytesPerSecond, std::stop_token stop);
    void copy(std::byte* to, const std::byte* from, Bytes bytes);
    /// Bytes that went over the link by other means (an input batch that was written in place).
    void account(Bytes bytes);

   private:
    void waitForClock();

    double m_bytesPerSecond;
    std::stop_token m_stop;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::int64_t m_moved = 0;
  };
  using Work = std::function<void(Link&)>;

  /// `bytesPerSecond` 0: as fast as memory goes.
  CopyLane(StepBoard& board, const SessionClock& clock, double bytesPerSecond);
  CopyLane(const CopyLane&) = delete;
  CopyLane& operator=(const CopyLane&) = delete;

  void post(PlanStepId step, Work work);
  /// The lane does not go on until the step has finished.
  void postWait(PlanStepId step, PlanStepId on);
  /// Returns when everything posted has been done (or passed over after a failure).
  void drain();

 private:
  struct Task {
    PlanStepId step;
    Work work;
  };
  void main(const std::stop_token& stop);
  void perform(const Task& task, const std::stop_token& stop);

  StepBoard& m_board;
  const SessionClock& m_clock;
  double m_bytesPerSecond;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::deque<Task> m_tasks;                  ///< the first one may be running
  std::jthread m_thread;                     ///< last: joins before anything above goes away
};

}  // namespace peakscope::engine::cpu
