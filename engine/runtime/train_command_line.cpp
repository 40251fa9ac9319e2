// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/train_command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "memory/report/text.h"

namespace peakscope::engine {
namespace {

std::string policyText(const PolicyOptions& o, bool isPaper, bool isDeterministic) {
  std::string text;
  const auto add = [&](const char* option, const std::string& value) { text += fmt::format(" {} {}", option, value); };
  const bool isSuperneurons = o.policy == "superneurons";
  if (!isSuperneurons) add("--policy", o.policy);
  // Techniques and their options belong to superneurons: elsewhere they are wrong use.
  // --deterministic switches workspaces off by itself.
  Techniques byDefault = allTechniques, asked = o.techniques;
  if (isDeterministic) byDefault.workspace = asked.workspace = false;
  if (isSuperneurons && !(asked == byDefault)) add("--techniques", techniquesText(asked));
  if (isSuperneurons && o.techniques.moves()) {
    if (o.offload != OffloadSet::Convolutions) add("--offload", toString(o.offload));
    if (o.prefetch == Prefetch::OnDemand) add("--prefetch", "on-demand");
    if (o.techniques.offload && (o.offloadFree == OffloadFree::LastReader) != isPaper) add("--offload-free", o.offloadFree == OffloadFree::LastReader ? "last-reader" : "hidden");
  }
  if (isSuperneurons && o.techniques.cache && o.eviction == Eviction::Belady) add("--eviction", "belady");
  if (isSuperneurons && o.techniques.recompute && o.recompute != RecomputeMode::CostAware) add("--recompute", o.recompute == RecomputeMode::Speed ? "speed" : "memory");
  if (isSuperneurons && (o.techniques.recompute || o.techniques.moves()) && o.checkpointRule != CheckpointRule::Paper) {
    std::string names = toString(o.checkpointRule);
    if (o.checkpointRule == CheckpointRule::Listed) names = fmt::format("{}", fmt::join(o.checkpoints, ","));
    add("--checkpoints", report::shellWord(names));
  }
  if (o.placement != PlacementRule::Packed) add("--placement", toString(o.placement));
  if (o.budget) add("--budget", fmt::format("{}B", o.budget->count()));
  if (o.hostBudget) add("--host-budget", fmt::format("{}B", o.hostBudget->count()));
  return text;
}

}  // namespace

std::string trainCommandLine(const SessionConfig& config) {
  std::string text = "peakscope-cli train " + report::shellWord(config.net);
  const auto add = [&](const char* option, const auto& value) { text += fmt::format(" {} {}", option, value); };
  if (config.batch > 0) add("--batch", config.batch);
  if (config.inputHeight > 0) add("--input", fmt::format("{}x{}", config.inputHeight, config.inputWidth));
  if (config.lowering != "lean") add("--lowering", report::shellWord(config.lowering));
  text += policyText(config.options, config.lowering.starts_with("paper"), config.deterministic);
  if (config.backend != "cpu" && config.backend != "auto") add("--backend", report::shellWord(config.backend));
  if (!config.device.empty()) add("--device", report::shellWord(config.device));
  if (!config.dataDir.empty()) add("--data", report::shellWord(config.dataDir));
  if (config.iterations > 0) add("--iterations", config.iterations);
  else if (config.epochs > 0) add("--epochs", config.epochs);
  if (config.threads > 0) add("--threads", config.threads);
  if (config.seed != 1) add("--seed", config.seed);
  if (config.linkBytesPerSecond > 0) add("--link", config.linkBytesPerSecond / 1e9);
  if (config.deterministic) text += " --deterministic";
  if (config.checkMemory) text += " --check-memory";
  return text;
}

}  // namespace peakscope::engine
