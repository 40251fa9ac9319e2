// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "memory/report/reproduction/tables.h"

namespace peakscope::report {
namespace {

using nlohmann::ordered_json;

ordered_json published(const Published& number) { return {{"value", number.value}, {"mark", toString(number.mark)}}; }
ordered_json published(const std::optional<Published>& number) { return number ? published(*number) : ordered_json(nullptr); }

ordered_json limits(const Reproduction& found, const LimitRow& row, const char* size) {
  ordered_json list = ordered_json::array();
  for (std::size_t i = 0; i < row.limits.size(); ++i) {
    const Limit& limit = row.limits[i];
    list.push_back({{"policy", limit.policy}, {"options", found.policies[i].options}, {size, limit.size}, {"arena_bytes", limit.arena.count()}, {"published", published(limit.published)}});
  }
  return list;
}

}  // namespace

std::string reproductionJson(const Reproduction& found) {
  const Agreement agreed = agreement(found);
  ordered_json json{{"schema", 1},
                    {"device", found.device},
                    {"costs", found.costs},
                    {"lowering", "paper"},
                    {"budget_bytes", found.budget.count()},
                    {"agreement", {{"equal_as_printed", agreed.equal}, {"figures", agreed.figures}}}};
  ordered_json& peaks = json["peaks"] = ordered_json::array();
  for (const StepCurve& curve : found.steps.curves)
    peaks.push_back({{"net", found.steps.net},
                     {"batch", found.steps.batch},
                     {"techniques", curve.techniques},
                     {"scheduled_bytes", curve.peak.count()},
                     {"step", curve.peakStep},
                     {"saved", savedShare(found.steps, curve)},
                     {"published_mib", published(curve.peakPublished)},
                     {"published_saved_percent", published(curve.savedPublished)}});
  ordered_json& recompute = json["recompute"] = ordered_json::array();
  for (const RecomputeRow& row : found.recompute)
    recompute.push_back({{"net", row.net},
                         {"batch", row.batch},
                         {"mode", row.mode},
                         {"extra_forwards", row.extraForwards},
                         {"published_extra_forwards", published(row.extraPublished)},
                         {"scheduled_bytes", row.peak.count()},
                         {"published_mib", published(row.peakPublished)}});
  ordered_json& batches = json["largest_batch"] = ordered_json::array();
  for (const LimitRow& row : found.batches) batches.push_back({{"net", row.net}, {"policies", limits(found, row, "batch")}});
  json["deepest"] = {{"net", found.depth.net},
                     {"batch", found.depthBatch},
                     {"policies", limits(found, found.depth, "depth")},
                     {"ratio", depthRatio(found)},
                     {"published_ratio", published(found.depthRatio)}};
  ordered_json& traffic = json["traffic"] = ordered_json::array();
  const auto bytes = [](const std::optional<Bytes>& value) { return value ? ordered_json(value->count()) : ordered_json(nullptr); };
  for (const TrafficRow& row : found.traffic)
    traffic.push_back({{"net", found.trafficNet}, {"batch", row.batch}, {"eager_bytes", bytes(row.eager)}, {"cached_bytes", bytes(row.cached)}, {"evictions", row.evictions}});
  ordered_json& workspaces = json["workspaces"] = ordered_json::array();
  for (std::size_t b = 0; b < found.workspaces.budgets.size(); ++b) {
    ordered_json choices = ordered_json::array();
    for (const WorkspaceRow& row : found.workspaces.rows) {
      const WorkspaceChoice& choice = row.choices[b];
      choices.push_back({{"step", row.step},
                         {"layer", row.layer},
                         {"phase", toString(row.phase)},
                         {"algorithm", choice.algorithm},
                         {"workspace_bytes", choice.workspace.count()},
                         {"time_ns", choice.timeNs}});
    }
    workspaces.push_back({{"budget_bytes", found.workspaces.budgets[b].count()}, {"arena_bytes", found.workspaces.arenas[b].count()}, {"choices", choices}});
  }
  ordered_json& pool = json["pool"] = ordered_json::array();
  for (const PoolRow& row : found.pool)
    pool.push_back({{"net", row.net},
                    {"batch", row.batch},
                    {"native_images_per_second", row.imagesPerSecond(row.nativeNs)},
                    {"pool_images_per_second", row.imagesPerSecond(row.poolNs)},
                    {"ratio", row.ratio()},
                    {"driver_calls", row.driverCalls},
                    {"published_native", published(row.nativePublished)},
                    {"published_pool", published(row.poolPublished)},
                    {"published_ratio", published(row.ratioPublished)}});
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace peakscope::report
