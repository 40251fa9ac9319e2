// SPDX-License-Identifier: Apache-2.0
//
// `nets`, `policies`, `devices`: what there is, for people and as JSON.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "engine/graph/device_file.h"
#include "engine/graph/network_file.h"
#include "memory/policy.h"

namespace peakscope::cli {

using nlohmann::ordered_json;

Result<int> listNets(std::ostream& out, const app::Paths& paths, bool json) {
  ordered_json rows = ordered_json::array();
  for (const std::string& name : engine::sampleNetworks(paths.samples / "networks")) {
    const auto graph = engine::findNetwork(name, paths.samples / "networks");
    if (!graph) return fail(graph.error());
    const engine::Shape input = graph->layers[graph->dataLayer()].shape;
    rows.push_back({{"name", name},
                    {"layers", graph->layers.size()},
                    {"input", {input.c, input.h, input.w}},
                    {"batch", graph->defaultBatch},
                    {"data", graph->dataSet.empty() ? "synthetic" : graph->dataSet}});
  }
  if (json) {
    out << jsonText({{"schema", 1}, {"nets", rows}}) << '\n';
    return 0;
  }
  out << fmt::format("{:<14}{:>7}  {:<14}{:>6}  {}\n", "network", "layers", "input", "batch", "data");
  for (const auto& row : rows)
    out << fmt::format("{:<14}{:>7}  {:<14}{:>6}  {}\n", row["name"].get<std::string>(), row["layers"].get<int>(),
                       fmt::format("{}x{}x{}", row["input"][0].get<int>(), row["input"][1].get<int>(), row["input"][2].get<int>()),
                       row["batch"].get<int>(), row["data"].get<std::string>());
  out << "also: resnet:n1,n2,n3,n4 of any depth, a network file, or an ONNX model (.onnx), which is planned only\n";
  return 0;
}

Result<int> listPolicies(std::ostream& out, bool json) {
  if (json) {
    ordered_json rows = ordered_json::array();
    for (const PolicyInfo& policy : policies()) rows.push_back({{"name", policy.name}, {"description", policy.description}});
    out << jsonText({{"schema", 1}, {"policies", rows}}) << '\n';
    return 0;
  }
  for (const PolicyInfo& policy : policies()) out << fmt::format("{:<14}{}\n", policy.name, policy.description);
  return 0;
}

Result<int> listDevices(std::ostream& out, const app::Paths& paths, bool json) {
  const auto devices = engine::listDevices(paths.devices);
  if (!devices) return fail(devices.error());
  ordered_json rows = ordered_json::array();
  if (!json) out << fmt::format("{:<16}{:<30}{:>10}{:>12}{:>12}{:>12}\n", "device", "name", "memory", "TFLOP/s", "GB/s", "link GB/s");
  for (const auto& [id, device] : *devices) {
    rows.push_back({{"id", id},
                    {"name", device.name},
                    {"memory_bytes", device.memory.count()},
                    {"flops_per_second", device.flopsPerSecond},
                    {"memory_bytes_per_second", device.memoryBytesPerSecond},
                    {"link_bytes_per_second", device.linkBytesPerSecond},
                    {"launch_ns", device.launchNanoseconds},
                    {"source", device.source}});
    if (!json)
      out << fmt::format("{:<16}{:<30}{:>10}{:>12.1f}{:>12.0f}{:>12.1f}\n", id, device.name, formatBytes(device.memory), device.flopsPerSecond / 1e12,
                         device.memoryBytesPerSecond / 1e9, device.linkBytesPerSecond / 1e9);
  }
  if (json) out << jsonText({{"schema", 1}, {"devices", rows}}) << '\n';
  return 0;
}

}  // namespace peakscope::cli
