// SPDX-License-Identifier: Apache-2.0
#include "app/cli/request.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace peakscope::cli {
namespace {

template <class T>
struct Choice {
  std::string_view word;
  T value;
};

template <class T, std::size_t N>
Result<T> choose(const std::string& text, const char* option, const Choice<T> (&choices)[N]) {
  std::string words;
  for (const auto& choice : choices) {
    if (choice.word == text) return choice.value;
    words += (words.empty() ? "" : ", ") + std::string(choice.word);
  }
  return badInput(fmt::format("{} '{}' is not known; use one of: {}", option, text, words));
}

/// A sub-option of a technique that is off is wrong use: it would silently do nothing.
Result<void> refuseIfOff(const std::string& given, const char* option, const char* technique, bool isOn) {
  if (given.empty() || isOn) return {};
  return badInput(fmt::format("{} needs the technique {}, which is off; add it to --techniques or drop {}", option, technique, option));
}

Result<void> parseInput(const std::string& text, Request& request) {
  const auto cross = text.find('x');
  const auto number = [](std::string_view part, std::int64_t& value) {
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    return error == std::errc{} && end == part.data() + part.size() && value > 0;
  };
  const std::string_view all = text;
  if (cross == std::string::npos || !number(all.substr(0, cross), request.inputHeight) || !number(all.substr(cross + 1), request.inputWidth))
    return badInput(fmt::format("--input '{}' is not HxW with two positive numbers; for example --input 227x227", text));
  return {};
}

/// "a,b,c" without empty words.
Result<std::vector<std::string>> parseList(const std::string& text, const char* option) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end == begin) return badInput(fmt::format("{} '{}' has an empty name; separate names by single commas", option, text));
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

Result<void> parseCheckpoints(const std::string& text, PolicyOptions& options, bool isSuperneurons) {
  if (text.empty()) return {};
  if (!isSuperneurons || !(options.techniques.recompute || options.techniques.moves()))
    return badInput("--checkpoints needs the technique recompute, offload or cache of the policy superneurons; add one to --techniques or drop it");
  static constexpr Choice<CheckpointRule> rules[] = {
      {"paper", CheckpointRule::Paper}, {"joins", CheckpointRule::Joins}, {"conv", CheckpointRule::Convolutions}, {"sqrt", CheckpointRule::SquareRoot}};
  for (const auto& rule : rules)
    if (rule.word == text) {
      options.checkpointRule = rule.value;
      return {};
    }
  auto names = parseList(text, "--checkpoints");
  if (!names) return fail(names.error());
  options.checkpointRule = CheckpointRule::Listed;
  options.checkpoints = std::move(*names);
  return {};
}

Result<void> parseSubOptions(const RawOptions& raw, PolicyOptions& options) {
  const bool isSuperneurons = options.policy == "superneurons";
  const bool offloads = isSuperneurons && options.techniques.moves();
  const bool caches = isSuperneurons && options.techniques.cache;
  const bool recomputes = isSuperneurons && options.techniques.recompute;
  for (const auto& check : {refuseIfOff(raw.offload, "--offload", "offload", offloads), refuseIfOff(raw.prefetch, "--prefetch", "offload", offloads),
                            refuseIfOff(raw.offloadFree, "--offload-free", "offload", isSuperneurons && options.techniques.offload),
                            refuseIfOff(raw.eviction, "--eviction", "cache", caches),
                            refuseIfOff(raw.recompute, "--recompute", "recompute", recomputes)})
    if (!check) return check;

  if (!raw.offload.empty()) {
    const auto set = choose<OffloadSet>(raw.offload, "--offload", {{"conv", OffloadSet::Convolutions}, {"checkpoints", OffloadSet::Checkpoints}, {"conv-inputs", OffloadSet::ConvolutionInputs}, {"all", OffloadSet::All}});
    if (!set) return fail(set.error());
    options.offload = *set;
  }
  if (!raw.prefetch.empty()) {
    const auto prefetch = choose<Prefetch>(raw.prefetch, "--prefetch", {{"previous-conv", Prefetch::PreviousConvolution}, {"on-demand", Prefetch::OnDemand}});
    if (!prefetch) return fail(prefetch.error());
    options.prefetch = *prefetch;
  }
  if (!raw.recompute.empty()) {
    const auto mode = choose<RecomputeMode>(raw.recompute, "--recompute",
                                            {{"speed", RecomputeMode::Speed}, {"memory", RecomputeMode::Memory}, {"cost-aware", RecomputeMode::CostAware}});
    if (!mode) return fail(mode.error());
    options.recompute = *mode;
  }
  if (const auto parsed = parseCheckpoints(raw.checkpoints, options, isSuperneurons); !parsed) return parsed;
  // The paper preset frees where the oracle's figures assume it; lean hides the copy.
  options.offloadFree = raw.lowering.starts_with("paper") ? OffloadFree::LastReader : OffloadFree::Hidden;
  if (!raw.offloadFree.empty()) {
    const auto rule = choose<OffloadFree>(raw.offloadFree, "--offload-free", {{"last-reader", OffloadFree::LastReader}, {"hidden", OffloadFree::Hidden}});
    if (!rule) return fail(rule.error());
    options.offloadFree = *rule;
  }
  if (!raw.eviction.empty()) {
    const auto rule = choose<Eviction>(raw.eviction, "--eviction", {{"lru", Eviction::LeastRecentlyUsed}, {"belady", Eviction::Belady}});
    if (!rule) return fail(rule.error());
    options.eviction = *rule;
  }
  if (!raw.placement.empty()) {
    const auto rule = choose<PlacementRule>(raw.placement, "--placement",
                                            {{"packed", PlacementRule::Packed}, {"pool", PlacementRule::Pool}, {"native", PlacementRule::Native}});
    if (!rule) return fail(rule.error());
    options.placement = *rule;
  }
  return {};
}

}  // namespace

Result<Bytes> parseSize(const std::string& text, const std::string& option) {
  const auto problem = [&] {
    return badInput(fmt::format("{} '{}' is not a size; write a positive number and B, KiB, MiB, GiB, TiB, KB, MB, GB or TB, for example 12GiB", option, text));
  };
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || !std::isfinite(value) || value <= 0) return problem();
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  for (char& c : unit) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  static constexpr Choice<double> units[] = {{"", 1},          {"b", 1},     {"kib", 0x1p10}, {"mib", 0x1p20}, {"gib", 0x1p30}, {"tib", 0x1p40},
                                             {"k", 0x1p10},    {"m", 0x1p20}, {"g", 0x1p30},   {"t", 0x1p40},   {"kb", 1e3},     {"mb", 1e6},
                                             {"gb", 1e9},      {"tb", 1e12}};
  for (const auto& known : units) {
    if (known.word != unit) continue;
    const double bytes = std::floor(value * known.value);
    if (bytes < 1 || bytes > 9e18) return problem();
    return Bytes{static_cast<std::int64_t>(bytes)};
  }
  return problem();
}

Result<Techniques> parseTechniques(const std::string& text) {
  Techniques techniques = noTechniques;
  if (text == "none") return techniques;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (word == "liveness") {
    } else if (word == "offload") {
      techniques.offload = true;
    } else if (word == "recompute") {
      techniques.recompute = true;
    } else if (word == "none") {
      return badInput("--techniques: 'none' stands alone; drop it, or the others");
    } else if (word == "cache") {
      techniques.cache = true;
    } else if (word == "workspace") {
      techniques.workspace = true;
    } else {
      return badInput(fmt::format("--techniques: '{}' is not known; use a list of liveness, offload, cache, recompute, workspace, or none", word));
    }
    techniques.liveness = true;
    begin = end + 1;
  }
  return techniques;
}

Result<Request> parseRequest(const RawOptions& raw) {
  Request request{.net = raw.net,
                  .batch = raw.batch.value_or(0),
                  .lowering = raw.lowering,
                  .device = raw.device,
                  .backend = raw.backend,
                  .linkBytesPerSecond = raw.link.value_or(0) * 1e9,
                  .threads = raw.threads,
                  .seed = raw.seed,
                  .deterministic = raw.deterministic,
                  .json = raw.json,
                  .steps = raw.steps,
                  .live = raw.live,
                  .details = raw.details,
                  .checkMemory = raw.checkMemory};
  PolicyOptions& options = request.options;
  options.policy = raw.policy;
  if (!raw.techniques.empty()) {
    if (raw.policy != "superneurons")
      return badInput(fmt::format("--techniques chooses passes of the policy superneurons; drop it, or --policy {}", raw.policy));
    const auto techniques = parseTechniques(raw.techniques);
    if (!techniques) return fail(techniques.error());
    options.techniques = *techniques;
    if (raw.deterministic && techniques->workspace)
      return badInput("--deterministic fixes the algorithms, the technique workspace chooses them by the free bytes; drop one of the two");
  }
  if (raw.deterministic) options.techniques.workspace = false;
  if (const auto parsed = parseSubOptions(raw, options); !parsed) return fail(parsed.error());
  if (!raw.input.empty())
    if (const auto parsed = parseInput(raw.input, request); !parsed) return fail(parsed.error());
  if (!raw.budget.empty()) {
    const auto budget = parseSize(raw.budget, "--budget");
    if (!budget) return fail(budget.error());
    options.budget = *budget;
  }
  if (!raw.hostBudget.empty()) {
    const auto budget = parseSize(raw.hostBudget, "--host-budget");
    if (!budget) return fail(budget.error());
    options.hostBudget = *budget;
  }
  if (!raw.costs.empty()) return badInput("--costs: reading a recorded cost table is not built yet; drop it to use modelled costs");
  // The same range as in device files: slower, and modelled times no longer fit their type.
  if (raw.link && !(*raw.link >= 0.001 && *raw.link <= 1e6)) return badInput("--link needs 0.001 to 1000000 GB/s, for example --link 8");
  if (raw.gpu) return badInput("--gpu chooses a GPU of backend cuda, which is not built yet; drop it");
  return request;
}

}  // namespace peakscope::cli
