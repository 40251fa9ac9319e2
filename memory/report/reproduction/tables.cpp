// SPDX-License-Identifier: Apache-2.0
#include "memory/report/reproduction/tables.h"

#include <fmt/format.h>

#include "memory/report/csv.h"
#include "memory/report/text.h"

namespace peakscope::report {
namespace {

constexpr std::string_view end = "\r\n";

/// Two columns: the number and its mark; both empty where nothing was published.
std::string publishedColumns(const std::optional<Published>& published) {
  return published ? fmt::format("{},{}", toText(*published), csvField(toString(published->mark))) : ",";
}

std::string steps(const StepCurves& steps) {
  std::string text = "step,layer,phase";
  for (const StepCurve& curve : steps.curves) text += fmt::format(",{},{}", csvField(curve.techniques + " bytes"), csvField(curve.techniques + " bytes_in_step"));
  text += end;
  for (std::size_t i = 0; i < steps.layers.size(); ++i) {
    text += fmt::format("{},{},{}", i + 1, csvField(steps.layers[i]), toString(steps.phases[i]));
    for (const StepCurve& curve : steps.curves) text += fmt::format(",{},{}", curve.live[i].count(), curve.liveInStep[i].count());
    text += end;
  }
  return text;
}

std::string peaks(const StepCurves& steps) {
  std::string text = "net,batch,configuration,techniques,peak_bytes,peak_step,published_mib,published_mark,difference_mib,saved,published_saved_percent,published_saved_mark\r\n";
  for (const StepCurve& curve : steps.curves)
    text += fmt::format("{},{},{},{},{},{},{},{},{:.4f},{}{}", csvField(steps.net), steps.batch, csvField(curve.name), csvField(curve.techniques), curve.peak.count(),
                        curve.peakStep, publishedColumns(curve.peakPublished), shortNumber(inMiB(curve.peak) - curve.peakPublished.value, 3), savedShare(steps, curve),
                        publishedColumns(curve.savedPublished), end);
  return text;
}

std::string recompute(const Reproduction& found) {
  std::string text = "net,batch,mode,extra_forwards,published_extra_forwards,published_extra_forwards_mark,peak_bytes,peak_at,published_mib,published_mark,difference_mib\r\n";
  for (const RecomputeRow& row : found.recompute)
    text += fmt::format("{},{},{},{},{},{},{},{},{}{}", csvField(row.net), row.batch, row.mode, row.extraForwards, publishedColumns(row.extraPublished), row.peak.count(),
                        csvField(row.peakAt), publishedColumns(row.peakPublished), shortNumber(inMiB(row.peak) - row.peakPublished.value, 3), end);
  return text;
}

std::string limits(const Reproduction& found, const std::vector<LimitRow>& rows, std::string_view size) {
  std::string text = fmt::format("net,policy,options,largest_{},arena_bytes,published,published_mark,limit{}", size, end);
  for (const LimitRow& row : rows)
    for (std::size_t i = 0; i < row.limits.size(); ++i) {
      const Limit& limit = row.limits[i];
      text += fmt::format("{},{},{},{},{},{},{}{}", csvField(row.net), csvField(limit.policy), csvField(found.policies[i].options), limit.size, limit.arena.count(),
                          publishedColumns(limit.published), csvField(limit.limit), end);
    }
  return text;
}

std::string traffic(const Reproduction& found) {
  std::string text = "net,batch,copied_eagerly_bytes,copied_with_cache_bytes,evictions\r\n";
  const auto bytes = [](const std::optional<Bytes>& value) { return value ? fmt::format("{}", value->count()) : std::string{}; };
  for (const TrafficRow& row : found.traffic) text += fmt::format("{},{},{},{},{}{}", csvField(found.trafficNet), row.batch, bytes(row.eager), bytes(row.cached), row.evictions, end);
  return text;
}

std::string workspaces(const WorkspaceTable& table) {
  std::string text = "net,batch,budget_bytes,arena_bytes,step,layer,phase,algorithm,workspace_bytes,time_ns\r\n";
  for (std::size_t b = 0; b < table.budgets.size(); ++b)
    for (const WorkspaceRow& row : table.rows) {
      const WorkspaceChoice& choice = row.choices[b];
      text += fmt::format("{},{},{},{},{},{},{},{},{},{}{}", csvField(table.net), table.batch, table.budgets[b].count(), table.arenas[b].count(), row.step, csvField(row.layer),
                          toString(row.phase), csvField(choice.algorithm), choice.workspace.count(), choice.timeNs, end);
    }
  return text;
}

std::string pool(const Reproduction& found) {
  std::string text =
      "net,batch,native_ns,pool_ns,driver_calls,native_images_per_second,pool_images_per_second,ratio,published_native,published_native_mark,published_pool,published_pool_mark,"
      "published_ratio,published_ratio_mark\r\n";
  for (const PoolRow& row : found.pool)
    text += fmt::format("{},{},{},{},{},{:.2f},{:.2f},{:.3f},{},{},{}{}", csvField(row.net), row.batch, row.nativeNs, row.poolNs, row.driverCalls, row.imagesPerSecond(row.nativeNs),
                        row.imagesPerSecond(row.poolNs), row.ratio(), publishedColumns(row.nativePublished), publishedColumns(row.poolPublished),
                        publishedColumns(row.ratioPublished), end);
  return text;
}

}  // namespace

std::vector<CsvFile> reproductionTables(const Reproduction& found) {
  return {{"alexnet_steps.csv", steps(found.steps)},
          {"alexnet_peaks.csv", peaks(found.steps)},
          {"recompute.csv", recompute(found)},
          {"largest_batch.csv", limits(found, found.batches, "batch")},
          {"deepest_resnet.csv", limits(found, {found.depth}, "depth")},
          {"alexnet_traffic.csv", traffic(found)},
          {"alexnet_workspaces.csv", workspaces(found.workspaces)},
          {"pool.csv", pool(found)}};
}

}  // namespace peakscope::report
