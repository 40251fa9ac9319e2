// SPDX-License-Identifier: Apache-2.0
//
// All policies, one line each.
#include <algorithm>
#include <array>
#include <fmt/format.h>

#include "memory/policies/policies.h"

namespace peakscope {
namespace {

constexpr std::array table{
    PolicyInfo{"keep-all", "Everything is allocated for the whole iteration: the flat curve that the others are compared with.", planKeepAll},
    PolicyInfo{"liveness", "A tensor is allocated by the first op that touches it and freed after the last one.", planLiveness},
    PolicyInfo{"superneurons", "Liveness, offload with prefetch, tensor cache, recomputation and workspaces as in the paper; each can be switched with --techniques.", planSuperneurons},
    PolicyInfo{"vdnn-all", "vDNN: the inputs of all layers are offloaded and prefetched; smallest workspaces.", planVdnnAll},
    PolicyInfo{"vdnn-conv", "vDNN: the inputs of convolutions are offloaded and prefetched; smallest workspaces.", planVdnnConv},
    PolicyInfo{"vdnn-dyn", "vDNN: no offload, else conv, else all, the first that fits; the fastest algorithms that then fit.", planVdnnDyn},
    PolicyInfo{"chen-sqrt", "Chen et al.: about sqrt(N) layers keep their outputs, everything else is rebuilt segment by segment.", planChenSqrt},
    PolicyInfo{"densenet-efficient", "Memory-efficient DenseNet: only convolutions keep their outputs; concatenations, batch norms and ReLUs are rebuilt.", planDensenetEfficient},
    PolicyInfo{"caffe-like", "As Caffe: data and diff of every blob are allocated at set-up and kept.", planCaffeLike},
    PolicyInfo{"torch-like", "As Torch7 with shared gradInput: outputs are kept for the iteration, gradients share buffers.", planTorchLike},
    PolicyInfo{"mxnet-like", "As MXNet: liveness over the graph, storage shared request by request, workspaces from what is left.", planMxnetLike},
    PolicyInfo{"tensorflow-like", "As TensorFlow 1: freed after the last reader; inputs of convolutions are swapped out under pressure, fetched on demand.", planTensorflowLike},
};

}  // namespace

std::span<const PolicyInfo> policies() { return table; }

Result<Plan, PlanError> makePlan(const PlanInput& input, const PolicyOptions& options) {
  const auto policy = std::find_if(table.begin(), table.end(), [&](const PolicyInfo& info) { return options.policy == info.name; });
  if (policy != table.end()) return policy->plan(input, options);
  std::string names;
  for (const PolicyInfo& info : table) names += (names.empty() ? "" : ", ") + std::string(info.name);
  return fail(PlanError{.other = fmt::format("policy '{}' is not known; use one of: {}", options.policy, names)});
}

Error errorOf(const PlanError& error) { return {error.other.empty() ? ErrorKind::CannotBeMet : ErrorKind::BadInput, message(error)}; }

std::string message(const PlanError& error) {
  if (!error.other.empty()) return error.other;
  const bool isDevice = error.memory == PlanError::Memory::Device;
  const std::string at = error.layer.empty() ? "the persistent tensors need" : fmt::format("step {}, {} {}, needs", error.step, error.layer, toString(error.phase));
  return fmt::format("does not fit: {} {} of {} bytes ({}), the {} is {} ({}); the smallest that works is {} bytes, or try {}", at,
                     error.needed.count(), isDevice ? "arena" : "host", formatBytes(error.needed), isDevice ? "budget" : "host budget",
                     error.budget.count(), formatBytes(error.budget), error.smallestBudget.count(),
                     isDevice ? "a smaller batch or other techniques" : "a smaller batch or to offload less");
}

}  // namespace peakscope
