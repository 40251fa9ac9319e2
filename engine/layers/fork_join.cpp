// SPDX-License-Identifier: Apache-2.0
//
// Fork and join.
//             fork                                join
//   paper     one real copy per branch;           sums into input 0, then copies; hands its incoming gradient to
//             gradients summed into branch 0's    input 0 and a copy to each other input
//   lean      branches are the input itself;      sums into its own output; hands its incoming gradient to all inputs
//             gradients summed into the first
//             branch's that may be overwritten
#include <string>
#include <unordered_map>

#include "engine/layers/layer_rules.h"

namespace peakscope::engine {
namespace {

std::int32_t indexOf(std::size_t k) { return static_cast<std::int32_t>(k); }

}  // namespace

bool readsDstInBackward(const LoweringContext& c, LayerId layer) {
  while (std::holds_alternative<FlattenParams>(c.layer(layer).params)) layer = c.layer(layer).inputs[0];
  const LayerParams& params = c.layer(layer).params;
  if (std::holds_alternative<PoolParams>(params)) return !c.options.savesArgmax;
  if (std::holds_alternative<LrnParams>(params)) return c.hasPaperLifetimes();
  if (const auto* activation = std::get_if<ActivationParams>(&params))
    return activation->readsDst() || c.hasPaperLifetimes();
  return std::holds_alternative<ReluParams>(params) || std::holds_alternative<SoftmaxLossParams>(params);
}

void lowerForward(LoweringContext& c, LayerId id, const ForkParams&) {
  const TensorId src = c.src(id);
  const Layer& layer = c.layer(id);
  if (!c.options.hasForkCopies) return c.setOutput(id, src);
  std::vector<OpArg> args{reads(ArgRole::Src, src)};
  auto& outputs = c.states[id].outputs;
  for (std::size_t k = 0; k < layer.consumers.size(); ++k) {
    outputs.push_back(c.addTensor({.name = layer.name + ".out" + c.numberOf(layer.consumers[k]),
                                   .kind = TensorKind::Activation,
                                   .layer = id,
                                   .desc = c.activationDesc(layer.shape)}));
    args.push_back(writes(ArgRole::Dst, outputs.back(), indexOf(k)));
  }
  c.addRebuild(c.addOp(id, c.describe(id, Phase::Forward), args), args);
}

void lowerBackward(LoweringContext& c, LayerId id, const ForkParams&) {
  std::vector<LoweringContext::TakenGradient> gradients;
  for (std::size_t k = 0; k < c.layer(id).consumers.size(); ++k) gradients.push_back(c.takeDiffDst(id, k));
  if (gradients.size() == 1 && !c.options.hasForkCopies) return c.giveDiffSrc(id, 0, gradients[0].tensor);

  // The sum goes where nobody else looks; that gradient comes first, so that the op adds the others to it in order.
  OpDesc desc = c.describe(id, Phase::Backward);
  std::size_t target = 0;
  std::unordered_map<TensorId, int> occurrences;
  for (const auto& gradient : gradients) ++occurrences[gradient.tensor];
  while (target < gradients.size() && !(gradients[target].isExclusive && occurrences[gradients[target].tensor] == 1))
    ++target;
  desc.isInPlace = target < gradients.size();
  std::vector<OpArg> args;
  if (desc.isInPlace) {
    const TensorId sum = gradients[target].tensor;
    gradients.erase(gradients.begin() + static_cast<std::ptrdiff_t>(target));
    args = {changes(ArgRole::DiffDst, sum, 0), changes(ArgRole::DiffSrc, sum)};
    for (std::size_t k = 0; k < gradients.size(); ++k)
      args.push_back(reads(ArgRole::DiffDst, gradients[k].tensor, indexOf(k + 1)));
    c.giveDiffSrc(id, 0, sum);
  } else {
    for (std::size_t k = 0; k < gradients.size(); ++k)
      args.push_back(reads(ArgRole::DiffDst, gradients[k].tensor, indexOf(k)));
    c.addDiffSrcArg(id, desc, args);
  }
  c.addOp(id, std::move(desc), std::move(args));
}

void lowerForward(LoweringContext& c, LayerId id, const AddParams&) {
  const Layer& layer = c.layer(id);
  const TensorId dst = c.addOutput(id);
  OpDesc desc = c.describe(id, Phase::Forward);
  // Summing into input 0 is only right if nobody reads that tensor afterwards.
  const LayerId producer = layer.inputs[0];
  desc.accumulatesIntoInputZero =
      c.options.joinCopies && c.isTraining && !readsDstInBackward(c, producer) && c.src(id) != c.input &&
      (c.options.hasForkCopies || !std::holds_alternative<ForkParams>(c.layer(producer).params));
  std::vector<OpArg> args;
  for (std::size_t k = 0; k < layer.inputs.size(); ++k)
    args.push_back(k == 0 && desc.accumulatesIntoInputZero ? changes(ArgRole::Src, c.src(id))
                                                           : reads(ArgRole::Src, c.src(id, k), indexOf(k)));
  args.push_back(writes(ArgRole::Dst, dst));
  const bool changesItsInput = desc.accumulatesIntoInputZero;   // which would have to come back as it was
  const OpId op = c.addOp(id, std::move(desc), args);
  if (!changesItsInput) c.addRebuild(op, args);
}

void lowerBackward(LoweringContext& c, LayerId id, const AddParams&) {
  const Layer& layer = c.layer(id);
  const TensorId diffDst = c.takeDiffDst(id).tensor;
  if (!c.options.joinCopies) {
    for (std::size_t k = 0; k < layer.inputs.size(); ++k) c.giveDiffSrc(id, k, diffDst);
    return;
  }
  OpDesc desc = c.describe(id, Phase::Backward);
  desc.isInPlace = true;  // for input 0, whose gradient is the incoming one
  std::vector<OpArg> args{reads(ArgRole::DiffDst, diffDst), reads(ArgRole::DiffSrc, diffDst, 0)};
  c.giveDiffSrc(id, 0, diffDst);
  for (std::size_t k = 1; k < layer.inputs.size(); ++k) {
    const TensorId diffSrc = c.addDiffSrc(id, k, c.numberOf(layer.inputs[k]));
    args.push_back(writes(ArgRole::DiffSrc, diffSrc, indexOf(k)));
    c.giveDiffSrc(id, k, diffSrc);
  }
  c.addOp(id, std::move(desc), std::move(args));
}

}  // namespace peakscope::engine
