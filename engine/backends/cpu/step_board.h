// SPDX-License-Identifier: Apache-2.0
//
// StepBoard: which steps of the iteration have finished, and when. Lanes write it, lanes wait on it, and the first failure
// of any lane is kept on it until the iteration ends.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <vector>

#include "memory/log_record.h"

namespace peakscope::engine::cpu {

class StepBoard {
 public:
  void reset(std::size_t steps);
  void finish(PlanStepId step, StepTime time);
  /// The time of the step, once it has finished. Returns at once when a lane has failed: its steps will never finish.
  StepTime waitFor(PlanStepId step);
  void fail(std::exception_ptr failure);     ///< the first one counts
  void rethrow();                            ///< the failure stays until reset(): a lane may still be waiting for a step
  [[nodiscard]] bool hasFailed() const;
  [[nodiscard]] std::vector<StepTime> times() const;

 private:
  mutable std::mutex m_mutex;
  std::condition_variable m_changed;
  std::vector<StepTime> m_times;             ///< {-1, -1}: not finished
  std::exception_ptr m_failure;
};

}  // namespace peakscope::engine::cpu
