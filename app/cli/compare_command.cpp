// SPDX-License-Identifier: Apache-2.0
//
// `compare`: policies side by side on one network, device and budget. Progress goes to a terminal, one policy after the other.
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/prepared.h"
#include "engine/backends/virtual/virtual_backend.h"
#include "engine/planning/compare.h"

namespace peakscope::cli {

using engine::ComparedPolicy;
using nlohmann::ordered_json;

namespace {

Result<std::vector<std::string>> chosenPolicies(const std::string& list) {
  std::vector<std::string> names;
  if (list.empty()) {
    for (const PolicyInfo& policy : policies()) names.emplace_back(policy.name);
    return names;
  }
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    std::string name = list.substr(begin, end - begin);
    const auto known = policies();
    if (std::none_of(known.begin(), known.end(), [&](const PolicyInfo& policy) { return name == policy.name; }))
      return badInput(fmt::format("--policies: '{}' is not known; use a list of those that `policies` shows", name));
    names.push_back(std::move(name));
    begin = end + 1;
  }
  return names;
}

ordered_json rowJson(const ComparedPolicy& row, std::int64_t batch) {
  ordered_json json{{"policy", row.options.policy}, {"fits", row.fits()}};
  if (!row.fits()) {
    json.update({{"refused", row.refused}, {"smallest_budget_bytes", row.smallestBudget.count()}});
    return json;
  }
  json.update({{"techniques", techniquesText(row.options.techniques)},
               {"scheduled_peak_bytes", row.scheduledPeak.count()},
               {"total_peak_bytes", row.totalPeak.count()},
               {"arena_bytes", row.arena.count()},
               {"arena_bound_bytes", row.arenaBound.count()},
               {"host_bytes", row.host.count()},
               {"transfer_bytes", {{"out", row.copiedOut.count()}, {"in", row.copiedIn.count()}}},
               {"extra_forwards", row.extraForwards},
               {"time_ns", row.timeNs},
               {"stall_ns", row.stallNs},
               {"recompute_ns", row.recomputeNs},
               {"overlap", row.overlap},
               {"images_per_second", row.imagesPerSecond(batch)}});
  return json;
}

constexpr const char* csvHeader =
    "policy,fits,scheduled_peak_bytes,total_peak_bytes,arena_bytes,arena_bound_bytes,host_bytes,copied_out_bytes,copied_in_bytes,"
    "extra_forwards,time_ns,stall_ns,recompute_ns,overlap,smallest_budget_bytes\n";

std::string csvRow(const ComparedPolicy& row) {
  if (!row.fits()) return fmt::format("{},0,,,,,,,,,,,,,{}\n", row.options.policy, row.smallestBudget.count());
  return fmt::format("{},1,{},{},{},{},{},{},{},{},{},{},{},{:.6f},\n", row.options.policy, row.scheduledPeak.count(), row.totalPeak.count(), row.arena.count(),
                     row.arenaBound.count(), row.host.count(), row.copiedOut.count(), row.copiedIn.count(), row.extraForwards, row.timeNs, row.stallNs,
                     row.recomputeNs, row.overlap);
}

std::string textRow(const ComparedPolicy& row, std::int64_t batch) {
  if (!row.fits()) return fmt::format("{:<20}does not fit; {} would do\n", row.options.policy, formatBytes(row.smallestBudget));
  const auto milliseconds = [](std::int64_t ns) { return static_cast<double>(ns) / 1e6; };
  return fmt::format("{:<20}{:>12}{:>12}{:>12}{:>12}{:>9}{:>11.2f}{:>10.2f}{:>10.{}f}\n", row.options.policy, formatMiB(row.scheduledPeak), formatMiB(row.arena),
                     formatMiB(row.host), formatMiB(row.copiedOut + row.copiedIn), row.extraForwards, milliseconds(row.timeNs), milliseconds(row.stallNs),
                     row.imagesPerSecond(batch), row.imagesPerSecond(batch) < 10 ? 2 : 0);
}

}  // namespace

Result<int> compare(std::ostream& out, const CompareRequest& request, const app::Paths& paths) {
  const auto names = chosenPolicies(request.policies);
  if (!names) return fail(names.error());
  const auto prepared = prepare(request.request, paths);
  if (!prepared) return fail(prepared.error());
  const Workload& workload = prepared->lowering.workload;
  const engine::CompareInput input{prepared->lowering, prepared->device, prepared->costs};

  std::vector<ComparedPolicy> rows;
  for (const std::string& name : *names) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{} of {}: {}", rows.size() + 1, names->size(), name);
    PolicyOptions options = request.request.options;
    options.policy = name;
    engine::VirtualBackend backend(prepared->device, [&](const engine::Lowering&) { return prepared->costs; });
    rows.push_back(engine::compared(backend, input, options));
  }
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");

  if (!request.csv.empty()) {
    std::ofstream file(request.csv, std::ios::binary);
    file << csvHeader;
    for (const ComparedPolicy& row : rows) file << csvRow(row);
    if (!file.flush()) return deviceFailed(fmt::format("{}: could not be written; choose a folder that exists and has room", request.csv.string()));
  }
  if (request.request.json) {
    ordered_json json{{"schema", 1},
                      {"net", workload.net},
                      {"batch", workload.batch},
                      {"lowering", workload.lowering},
                      {"library", workload.library},
                      {"device", prepared->device.name},
                      {"costs", prepared->costs.description},
                      {"rows", ordered_json::array()}};
    for (const ComparedPolicy& row : rows) json["rows"].push_back(rowJson(row, workload.batch));
    out << jsonText(json) << '\n';
    return 0;
  }
  out << fmt::format("{}, batch {}, lowering {}, counted as {}; {}, {}\n\n", workload.net, workload.batch, workload.lowering, workload.library,
                     prepared->device.name, prepared->costs.description);
  out << fmt::format("{:<20}{:>12}{:>12}{:>12}{:>12}{:>9}{:>11}{:>10}{:>10}\n", "policy", "scheduled", "arena MiB", "host MiB", "copied MiB", "rebuilt", "time ms",
                     "stall ms", "images/s");
  for (const ComparedPolicy& row : rows) out << textRow(row, workload.batch);
  return 0;
}

}  // namespace peakscope::cli
