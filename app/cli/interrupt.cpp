// SPDX-License-Identifier: Apache-2.0
#include "app/cli/interrupt.h"

#include <csignal>
#include <ctime>
#include <utility>

namespace peakscope::cli {
namespace {

sigset_t interruptSignals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

void Interrupt::blockSignals() {
  const sigset_t set = interruptSignals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Interrupt::Interrupt(std::function<void()> onInterrupt)
    : m_thread([this, onInterrupt = std::move(onInterrupt)](const std::stop_token& stop) {
        const sigset_t set = interruptSignals();
        const timespec patience{.tv_sec = 0, .tv_nsec = 100'000'000};
        while (!stop.stop_requested()) {
          if (sigtimedwait(&set, nullptr, &patience) < 0) continue;
          m_wasRaised = true;
          onInterrupt();
        }
      }) {}

Interrupt::~Interrupt() = default;

}  // namespace peakscope::cli
