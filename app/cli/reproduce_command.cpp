// SPDX-License-Identifier: Apache-2.0
//
// `reproduce`: the paper's memory results beside ours, as a page and tables. Nothing but the virtual backend runs.
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <unistd.h>

#include "app/cli/commands.h"
#include "engine/backends/virtual/virtual_backend.h"
#include "engine/cost_model.h"
#include "engine/graph/device_file.h"
#include "engine/planning/reproduction.h"
#include "memory/report/reproduction/tables.h"
#include "memory/report/reproduction/write.h"
#include "memory/report/write_report.h"

namespace peakscope::cli {
namespace {

/// The paper's: 12 GB, and the speeds that its figures come from.
constexpr const char* paperDevice = "k40c";

}  // namespace

Result<int> reproduce(std::ostream& out, const ReproduceRequest& request, const app::Paths& paths) {
  // A place that cannot be written to shows before the planning, not after it.
  if (const auto made = report::ensureFolder(request.out); !made) return fail(made.error());
  auto device = engine::readDevice(paperDevice, paths.devices);
  if (!device) return fail(device.error());
  const auto costs = [&](const engine::Lowering& lowering) { return engine::modelCosts(lowering, *device); };
  const auto makeBackend = [&] { return std::make_unique<engine::VirtualBackend>(*device, costs); };
  const bool isTerminal = isatty(STDERR_FILENO) != 0;
  const auto show = [&](const std::string& what) {
    if (isTerminal) fmt::print(stderr, "\r\033[K{}", what);
  };
  const auto found = engine::reproduce({.networksDir = paths.samples / "networks", .device = *device, .makeBackend = makeBackend, .progress = show});
  show("");
  if (!found) return fail(found.error());
  const auto names = report::writeReproduction(request.out, *found);
  if (!names) return fail(names.error());
  if (request.json) {
    out << report::reproductionJson(*found);
    return 0;
  }
  for (const std::string& name : *names) out << (request.out / name).string() << '\n';
  return 0;
}

}  // namespace peakscope::cli
