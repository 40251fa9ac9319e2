// SPDX-License-Identifier: Apache-2.0
//
// The options that several commands, and the window, have in common: declared once, so that they mean the same everywhere.
//
//   RawOptions raw;  TrainRequest training;
//   addPlanOptions(app, raw);  addTrainOptions(app, raw, training);
//   app.parse(argc, argv);
//   auto request = parseRequest(raw);                     // checked here
//   session.post(Start{sessionConfig(training, paths)});
#pragma once

#include <CLI/CLI.hpp>

#include "app/cli/commands.h"
#include "engine/runtime/session_messages.h"

namespace peakscope::cli {

/// All but NET, which commands word differently.
void addPlanOptions(CLI::App& command, RawOptions& raw);
/// What a run takes besides: data, length, backend, trace.
void addTrainOptions(CLI::App& command, RawOptions& raw, TrainRequest& training);

[[nodiscard]] engine::SessionConfig sessionConfig(const TrainRequest& training, const app::Paths& paths);

}  // namespace peakscope::cli
