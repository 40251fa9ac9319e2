// SPDX-License-Identifier: Apache-2.0
//
// The `peakscope-cli train` command that does what a session does: for the clipboard, and recorded in RunInfo.
//
//   trainCommandLine({.net = "lenet", .batch = 200})     // "peakscope-cli train lenet --batch 200 --techniques ..."
#pragma once

#include <string>

#include "engine/runtime/session_messages.h"

namespace peakscope::engine {

/// As a POSIX shell takes it. What has its default value is left out; where files lie (samplesDir, devicesDir) is the
/// program's own affair.
[[nodiscard]] std::string trainCommandLine(const SessionConfig& config);

}  // namespace peakscope::engine
