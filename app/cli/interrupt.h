// SPDX-License-Identifier: Apache-2.0
//
// Interrupt: Ctrl-C as a call on an ordinary thread, so that it may post a command. The signal is blocked before any other
// thread begins, so that all of them inherit it.
//
//   Interrupt::blockSignals();
//   engine::Session session(...);
//   Interrupt interrupt([&] { session.post(Stop{}); });
//   ... if (interrupt.wasRaised()) return 130;
#pragma once

#include <atomic>
#include <functional>
#include <thread>

namespace peakscope::cli {

class Interrupt {
 public:
  explicit Interrupt(std::function<void()> onInterrupt);
  ~Interrupt();
  [[nodiscard]] bool wasRaised() const { return m_wasRaised; }

  /// Blocks SIGINT and SIGTERM for the calling thread and all that it starts.
  static void blockSignals();

 private:
  std::atomic<bool> m_wasRaised = false;
  std::jthread m_thread;
};

}  // namespace peakscope::cli
