// SPDX-License-Identifier: Apache-2.0
//
// The one table of what was built in: which backend executes, which library describes. Programs hand it to the session;
// nothing below app/ knows which backends there are.
#pragma once

#include <memory>
#include <string>

#include "app/paths.h"
#include "engine/op_library.h"
#include "engine/runtime/session.h"
#include "engine/selftest/op_runner.h"
#include "memory/result.h"

namespace peakscope::app {

/// The modelled device when none is named: large, so that a plan is refused only when one asks for it.
inline constexpr const char* defaultDevice = "h200";

/// "cpu", "virtual", "auto" (the best that is there); "cuda" says that it is not built yet.
[[nodiscard]] engine::BackendFactory backendFactory(const Paths& paths);
/// Whose layouts and workspaces a plan counts: "ideal", "cpu".
[[nodiscard]] Result<std::unique_ptr<engine::OpLibrary>> makeLibrary(const std::string& name, std::int32_t threads);
/// A backend op by op, for self-test; null for "virtual", which computes nothing.
[[nodiscard]] Result<std::unique_ptr<engine::OpRunner>> makeOpRunner(const std::string& name, std::int32_t threads);

}  // namespace peakscope::app
