// SPDX-License-Identifier: Apache-2.0
#include "engine/layers/lowering_context.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace peakscope::engine {
namespace {

/// For each input of each layer, which consumer of its producer it is. Two inputs from one fork are told apart by their
/// order: both lists grow in the order of connection.
IdVector<LayerId, std::vector<std::size_t>> branchesOfInputs(const Graph& graph) {
  using Connection = std::tuple<LayerId, LayerId, std::size_t>;  // producer, consumer, index at one of the ends
  std::vector<Connection> atConsumers, atProducers;
  IdVector<LayerId, std::vector<std::size_t>> branches(graph.layers.size());
  for (const LayerId id : idsOf(graph.layers)) {
    const Layer& layer = graph.layers[id];
    branches[id].resize(layer.inputs.size());
    for (std::size_t k = 0; k < layer.inputs.size(); ++k) atConsumers.emplace_back(layer.inputs[k], id, k);
    for (std::size_t b = 0; b < layer.consumers.size(); ++b) atProducers.emplace_back(id, layer.consumers[b], b);
  }
  std::sort(atConsumers.begin(), atConsumers.end());
  std::sort(atProducers.begin(), atProducers.end());
  assert(atConsumers.size() == atProducers.size());
  for (std::size_t i = 0; i < atConsumers.size(); ++i)
    branches[std::get<1>(atConsumers[i])][std::get<2>(atConsumers[i])] = std::get<2>(atProducers[i]);
  return branches;
}

}  // namespace

LoweringContext::LoweringContext(const Graph& g, std::int64_t n, const LoweringOptions& o, OpLibrary& library,
                                 bool training)
    : graph(g),
      options(o),
      batch(n),
      isTraining(training),
      states(g.layers.size()),
      m_library(library),
      m_branchOfInput(branchesOfInputs(g)) {
  for (const LayerId id : idsOf(graph.layers)) states[id].diffDsts.resize(graph.layers[id].consumers.size());
}

TensorDesc LoweringContext::activationDesc(const Shape& imageShape) const {
  const Shape shape{batch, imageShape.c, imageShape.h, imageShape.w};
  return {shape, m_library.activationLayout(shape)};
}

TensorId LoweringContext::addTensor(NewTensor tensor) {
  const Bytes shapeBytes = tensor.desc.shape.bytes(), bytes = m_library.bytes(tensor.desc);
  result.tensors.push_back(tensor.desc);
  m_waiting.push_back(0);
  return result.workload.tensors.push_back({.name = std::move(tensor.name),
                                            .kind = tensor.kind,
                                            .layer = tensor.layer,
                                            .shape = tensor.desc.shape.dims(),
                                            .shapeBytes = shapeBytes,
                                            .bytes = bytes,
                                            .isPersistent = tensor.isPersistent,
                                            .livesOnHost = tensor.livesOnHost});
}

TensorId LoweringContext::addOutput(LayerId id) {
  const TensorId tensor = addTensor({.name = layer(id).name + ".out",
                                     .kind = TensorKind::Activation,
                                     .layer = id,
                                     .desc = activationDesc(layer(id).shape)});
  setOutput(id, tensor);
  return tensor;
}

void LoweringContext::setOutput(LayerId id, TensorId tensor) {
  states[id].outputs.assign(std::max<std::size_t>(1, layer(id).consumers.size()), tensor);
}

TensorId LoweringContext::src(LayerId id, std::size_t k) const {
  return states[layer(id).inputs[k]].outputs[m_branchOfInput[id][k]];
}

LoweringContext::TakenGradient LoweringContext::takeDiffDst(LayerId id, std::size_t branch) {
  const TensorId tensor = states[id].diffDsts[branch];
  assert(tensor.isValid());
  return {tensor, --m_waiting[tensor] == 0};
}

TensorId LoweringContext::addDiffSrc(LayerId id, std::size_t k, const std::string& suffix) {
  return addTensor({.name = layer(id).name + ".dx" + suffix,
                    .kind = TensorKind::ActivationGrad,
                    .layer = id,
                    .desc = descOf(src(id, k))});
}

void LoweringContext::giveDiffSrc(LayerId id, std::size_t k, TensorId gradient) {
  const LayerId producer = layer(id).inputs[k];
  if (!states[producer].needsGradient) return;
  states[producer].diffDsts[m_branchOfInput[id][k]] = gradient;
  ++m_waiting[gradient];
}

void LoweringContext::addDiffSrcArg(LayerId id, OpDesc& desc, std::vector<OpArg>& args) {
  desc.needsDiffSrc = needsDiffSrc(id);
  if (!desc.needsDiffSrc) return;
  const TensorId diffSrc = addDiffSrc(id);
  args.push_back(writes(ArgRole::DiffSrc, diffSrc));
  giveDiffSrc(id, 0, diffSrc);
}

void LoweringContext::addDiffSrcInPlaceArgs(LayerId id, OpDesc& desc, std::vector<OpArg>& args) {
  const TakenGradient diffDst = takeDiffDst(id);
  desc.isInPlace = diffDst.isExclusive;
  if (diffDst.isExclusive) {
    args.push_back(changes(ArgRole::DiffDst, diffDst.tensor));
    args.push_back(changes(ArgRole::DiffSrc, diffDst.tensor));
    giveDiffSrc(id, 0, diffDst.tensor);
  } else {
    args.push_back(reads(ArgRole::DiffDst, diffDst.tensor));
    addDiffSrcArg(id, desc, args);
  }
}

OpDesc LoweringContext::describe(LayerId id, Phase phase) const {
  OpDesc desc;
  desc.layer = layer(id).name;
  desc.params = layer(id).params;
  desc.phase = phase;
  for (std::size_t k = 0; k < layer(id).inputs.size(); ++k) desc.src.push_back(descOf(src(id, k)));
  if (!states[id].outputs.empty()) desc.dst = descOf(dst(id));
  desc.isTraining = isTraining;
  desc.savesForBackward = isTraining;
  return desc;
}

std::vector<OpCandidate> LoweringContext::candidatesOf(const OpDesc& desc) {
  std::vector<OpCandidate> candidates = m_library.describe(desc).candidates;
  assert(!candidates.empty());
  return candidates;
}

OpId LoweringContext::addOp(LayerId id, OpDesc desc, std::vector<OpArg> args) {
  if (desc.phase == Phase::Forward || desc.phase == Phase::Backward) ++m_step;
  const OpId op = result.workload.ops.push_back({.layer = id,
                                                 .phase = desc.phase,
                                                 .paperStep = m_step,
                                                 .args = std::move(args),
                                                 .candidates = candidatesOf(desc),
                                                 .rebuild = {},
                                                 .duplicateNeed = {}});
  result.ops.push_back(std::move(desc));
  result.workload.route.push_back(op);
  return op;
}

void LoweringContext::addRebuild(OpId forward, std::vector<OpArg> args) {
  if (!isTraining) return;
  OpDesc desc = result.ops[forward];
  desc.phase = Phase::Rebuild;
  desc.savesForBackward =
      std::any_of(args.begin(), args.end(), [](const OpArg& arg) { return arg.role == ArgRole::Saved; });
  const Op& original = result.workload.ops[forward];
  const OpId op = result.workload.ops.push_back({.layer = original.layer,
                                                 .phase = Phase::Rebuild,
                                                 .paperStep = original.paperStep,
                                                 .args = std::move(args),
                                                 .candidates = candidatesOf(desc),
                                                 .rebuild = {},
                                                 .duplicateNeed = {}});
  result.ops.push_back(std::move(desc));
  result.workload.ops[forward].rebuild = op;
}

void LoweringContext::addSaved(LayerId id, const OpDesc& desc, std::vector<OpArg>& args) {
  if (!isTraining) return;
  const Bytes saved = m_library.describe(desc).saved;
  if (saved == Bytes{}) return;
  // Only the op knows this size; the shape is the number of 4-byte words that hold it.
  const TensorId tensor = addTensor({.name = layer(id).name + ".saved",
                                     .kind = TensorKind::Saved,
                                     .layer = id,
                                     .desc = {{(saved.count() + 3) / 4, 1, 1, 1}, Layout::Plain}});
  result.workload.tensors[tensor].shapeBytes = saved;
  result.workload.tensors[tensor].bytes = saved;
  states[id].saved = tensor;
  args.push_back(writes(ArgRole::Saved, tensor));
}

void LoweringContext::addSavedToRebuild(LayerId id, std::vector<OpArg>& args) const {
  // A library that saves does so in every run. Into kept bytes a re-run writes what they hold already, so that for
  // planning they are read: they stay, and nothing waits for them.
  const TensorId saved = states[id].saved;
  if (saved.isValid())
    args.push_back(options.rebuildsSaved ? writes(ArgRole::Saved, saved) : reads(ArgRole::Saved, saved));
}

}  // namespace peakscope::engine
