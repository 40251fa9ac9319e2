// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/step_board.h"

#include <utility>

namespace peakscope::engine::cpu {

void StepBoard::reset(std::size_t steps) {
  const std::lock_guard lock(m_mutex);
  m_times.assign(steps, {-1, -1});
  m_failure = nullptr;
}

void StepBoard::finish(PlanStepId step, StepTime time) {
  {
    const std::lock_guard lock(m_mutex);
    m_times[static_cast<std::size_t>(step.index)] = time;
  }
  m_changed.notify_all();
}

StepTime StepBoard::waitFor(PlanStepId step) {
  std::unique_lock lock(m_mutex);
  const StepTime& time = m_times[static_cast<std::size_t>(step.index)];
  m_changed.wait(lock, [&] { return m_failure || time.endNs >= 0; });
  return time;
}

void StepBoard::fail(std::exception_ptr failure) {
  {
    const std::lock_guard lock(m_mutex);
    if (!m_failure) m_failure = std::move(failure);
  }
  m_changed.notify_all();
}

void StepBoard::rethrow() {
  const std::lock_guard lock(m_mutex);
  if (m_failure) std::rethrow_exception(m_failure);
}

bool StepBoard::hasFailed() const {
  const std::lock_guard lock(m_mutex);
  return m_failure != nullptr;
}

std::vector<StepTime> StepBoard::times() const {
  const std::lock_guard lock(m_mutex);
  return m_times;
}

}  // namespace peakscope::engine::cpu
