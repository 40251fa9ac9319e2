// SPDX-License-Identifier: Apache-2.0
//
// `fit`: the largest batch, or the deepest ResNet, that plans within a budget. Nothing is run.
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>
#include <unistd.h>

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/prepared.h"
#include "engine/graph/resnet.h"
#include "engine/planning/fit.h"

namespace peakscope::cli {
namespace {

/// A depth beyond this plans for minutes.
constexpr std::int64_t deepestStage3 = 10'000;

std::int64_t depthOf(const engine::ResnetBlocks& blocks) { return 3 * (blocks[0] + blocks[1] + blocks[2] + blocks[3]) + 2; }

}  // namespace

Result<int> fit(std::ostream& out, const FitRequest& request, const app::Paths& paths) {
  const bool growsDepth = request.grow == "depth";
  if (!growsDepth && request.grow != "batch") return badInput(fmt::format("--grow '{}' is not known; use batch or depth", request.grow));
  if (!growsDepth && request.request.batch > 0) return badInput("--batch is what fit looks for; drop it, or use --grow depth");
  const auto blocks = engine::resnetBlocks(request.request.net);
  if (growsDepth && !blocks)
    return badInput(fmt::format("--grow depth grows the third stage of a ResNet, which '{}' is not; use resnet50 or resnet:6,32,1,6", request.request.net));

  Request trial = request.request;
  std::string device, costs;
  const auto planAt = [&](std::int64_t n) -> Result<Plan> {
    if (growsDepth) trial.net = engine::resnetName({(*blocks)[0], (*blocks)[1], n, (*blocks)[3]});
    else trial.batch = n;
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K{} {}", growsDepth ? trial.net : "batch", growsDepth ? "" : std::to_string(n));
    const auto prepared = prepare(trial, paths);
    if (!prepared) return fail(prepared.error());
    device = prepared->device.name;
    return planOf(*prepared, trial.options);
  };
  const engine::FitRange range{.first = 1, .last = growsDepth ? deepestStage3 : engine::maxBatch};
  const auto answer = engine::largestThatFits(range, planAt);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\033[K");
  if (!answer) return fail(answer.error());
  if (answer->n == 0) return cannotBeMet(fmt::format("not even {} fits: {}", growsDepth ? "one block in stage 3" : "batch 1", answer->limit));

  const auto layers = growsDepth ? depthOf({(*blocks)[0], (*blocks)[1], answer->n, (*blocks)[3]}) : 0;
  if (request.request.json) {
    nlohmann::ordered_json json{{"schema", 1}, {"net", request.request.net}, {"device", device}, {"policy", request.request.options.policy}, {"grow", request.grow}, {"n", answer->n}};
    if (growsDepth) json["depth"] = layers;
    else json["batch"] = answer->n;
    json.update({{"arena_bytes", answer->arena.count()}, {"host_bytes", answer->host.count()}, {"limit", answer->limit}, {"plans", answer->plans}});
    out << jsonText(json) << '\n';
    return 0;
  }
  const Bytes budget = request.request.options.budget.value_or(Bytes{});
  out << fmt::format("{:<9}{}\n", growsDepth ? "depth" : "batch", growsDepth ? fmt::format("{} layers (n3 = {})", layers, answer->n) : std::to_string(answer->n));
  out << fmt::format("{:<9}{} MiB of {}\n", "arena", formatMiB(answer->arena), budget > Bytes{} ? formatBytes(budget) : device);
  out << fmt::format("{:<9}{} MiB\n", "host", formatMiB(answer->host));
  out << fmt::format("{:<9}{}\n", "limit", answer->limit);
  return 0;
}

}  // namespace peakscope::cli
