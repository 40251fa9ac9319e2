// SPDX-License-Identifier: Apache-2.0
//
// reproduce: the paper's memory results, planned anew. Every number of ours comes from the planner or, for speeds, from a
// run of its plans on a backend; what was published stands in reproduction/published.h with its mark.
//
//   const auto makeBackend = [&] { return std::make_unique<VirtualBackend>(k40c, costsOf); };
//   const auto found = reproduce({.networksDir = samples / "networks", .device = k40c, .makeBackend = makeBackend, .progress = show});
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/backend.h"
#include "memory/device_spec.h"
#include "memory/report/reproduction/reproduction.h"
#include "memory/result.h"

namespace peakscope::engine {

struct ReproduceInput {
  std::filesystem::path networksDir;
  DeviceSpec device;
  std::function<std::unique_ptr<Backend>()> makeBackend;   ///< runs the plans whose speed is asked for, one backend a network
  std::function<void(const std::string& what)> progress = [](const std::string&) {};   ///< said before each piece of work
};
[[nodiscard]] Result<report::Reproduction> reproduce(const ReproduceInput& input);

}  // namespace peakscope::engine
