// SPDX-License-Identifier: Apache-2.0
//
// The largest batch and the deepest ResNet of each policy under the device's memory.
#include "engine/graph.h"
#include "engine/graph/resnet.h"
#include "engine/planning/fit.h"
#include "engine/planning/reproduction/gather.h"
#include "engine/planning/reproduction/published.h"

namespace peakscope::engine::reproduction {
namespace {

struct Contender {
  report::LimitPolicy words;
  PolicyOptions options;
  std::size_t published;       ///< column of PublishedLimits
};
/// The superneurons policy twice: what leaves the device decides more than all else, and the paper names convolutions where
/// its figures of the ResNets need all checkpoints.
std::vector<Contender> contenders() {
  const PolicyOptions superneurons{.policy = "superneurons", .techniques = allTechniques};
  PolicyOptions checkpoints = superneurons;
  checkpoints.offload = OffloadSet::Checkpoints;
  checkpoints.prefetch = Prefetch::OnDemand;
  return {{{"caffe-like", "Caffe", ""}, {.policy = "caffe-like"}, 0},
          {{"mxnet-like", "MXNet", ""}, {.policy = "mxnet-like"}, 1},
          {{"torch-like", "Torch", ""}, {.policy = "torch-like"}, 2},
          {{"tensorflow-like", "TensorFlow", ""}, {.policy = "tensorflow-like"}, 3},
          {{"superneurons", "SuperNeurons", "offload conv, prefetch previous-conv"}, superneurons, 4},
          {{"superneurons", "SuperNeurons", "offload checkpoints, prefetch on-demand"}, checkpoints, 4}};
}

/// `at` lowers size n.
Result<std::vector<report::Limit>> limitsOf(const ReproduceInput& input, const std::string& what, const PublishedLimits& published, std::int64_t last,
                                            const std::function<Result<Lowered>(std::int64_t)>& at) {
  std::vector<report::Limit> limits;
  for (const Contender& contender : contenders()) {
    const auto planAt = [&](std::int64_t n) -> Result<Plan> {
      input.progress(what + ", " + contender.words.name + ": " + std::to_string(n));
      const auto net = at(n);
      if (!net) return fail(net.error());
      return planned(input, *net, contender.options);
    };
    auto answer = largestThatFits({.first = 1, .last = last}, planAt);
    if (!answer) return fail(answer.error());
    report::Limit limit{.policy = contender.words.name, .size = answer->n, .arena = answer->arena, .limit = std::move(answer->limit), .published = {}};
    if (const auto size = published.sizes[contender.published]; size > 0) limit.published = Published{static_cast<double>(size), 0, Mark::Recollected};
    limits.push_back(std::move(limit));
  }
  return limits;
}

}  // namespace

Result<void> largestBatches(const ReproduceInput& input, Reproduction& found) {
  for (const Contender& contender : contenders()) found.policies.push_back(contender.words);
  for (const PublishedLimits& published : largestBatchesPublished) {
    auto limits = limitsOf(input, std::string("largest batch of ") + published.net, published, maxBatch,
                           [&](std::int64_t n) { return lowered(input, published.net, n); });
    if (!limits) return fail(limits.error());
    found.batches.push_back({published.net, std::move(*limits)});
  }
  return {};
}

Result<void> deepestNet(const ReproduceInput& input, Reproduction& found) {
  constexpr std::int64_t n1 = 6, n2 = 32, n4 = 6;
  constexpr std::int64_t deepestStage3 = 4'000;   // every search ends far below
  auto limits = limitsOf(input, "deepest ResNet", deepestPublished, deepestStage3,
                         [&](std::int64_t n3) { return lowered(input, resnetName({n1, n2, n3, n4}), depthBatch); });
  if (!limits) return fail(limits.error());
  for (report::Limit& limit : *limits)
    if (limit.size > 0) limit.size = 3 * (n1 + n2 + limit.size + n4) + 2;
  found.depth = {"resnet:6,32,n3,6", std::move(*limits)};
  found.depthBatch = depthBatch;
  found.depthRatio = depthRatioPublished;
  return {};
}

}  // namespace peakscope::engine::reproduction
