// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the program gives a window, and a network that is small enough to train in a test.
//
//   MainWindow window(test::services());
//   window.load(test::lenet());
#pragma once

#include "app/backends.h"
#include "ui/main_window.h"

namespace peakscope::test {

[[nodiscard]] inline ui::WindowServices services(const std::filesystem::path& traces = {}) {
  const app::Paths paths{.samples = std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "samples", .devices = std::filesystem::path(PEAKSCOPE_SOURCE_DIR) / "resources/devices"};
  return {.makeBackend = app::backendFactory(paths),
          .session = {.threads = 2, .samplesDir = paths.samples.string(), .devicesDir = paths.devices.string()},
          .traceFolder = traces};
}

[[nodiscard]] inline ui::PlanRequest lenet() {
  ui::PlanRequest request{.net = "lenet", .batch = 8};
  request.options.offloadFree = OffloadFree::Hidden;
  return request;
}

}  // namespace peakscope::test
