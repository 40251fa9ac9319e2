// SPDX-License-Identifier: Apache-2.0
//
// BackendFailure: a device or a vendor library failed in the middle of things. Thrown by check() in the backends, caught
// once by the session, which ends the run with one line and keeps the trace.
#pragma once

#include <stdexcept>
#include <string>

namespace peakscope::engine {

class BackendFailure : public std::runtime_error {
 public:
  explicit BackendFailure(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace peakscope::engine
