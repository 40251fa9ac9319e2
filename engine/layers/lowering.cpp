// SPDX-License-Identifier: Apache-2.0
//
// The walk: persistent tensors first, then the forward route, then the backward route, each layer by the rule of its
// type.
#include "engine/lowering.h"

#include <cassert>

#include "engine/layers/layer_rules.h"
#include "memory/plan.h"

namespace peakscope::engine {
namespace {

LayerClass classOf(const LayerParams& params) {
  return std::visit(Overloaded{
                        [](const DataParams&) { return LayerClass::Data; },
                        [](const ConvParams&) { return LayerClass::Convolution; },
                        [](const FcParams&) { return LayerClass::FullyConnected; },
                        [](const AddParams&) { return LayerClass::Join; },
                        [](const MulParams&) { return LayerClass::Join; },  // two inputs: nothing rebuilds it
                        [](const ConcatParams&) { return LayerClass::Concat; },
                        [](const ForkParams&) { return LayerClass::Fork; },
                        [](const SoftmaxLossParams&) { return LayerClass::Loss; },
                        [](const auto&) { return LayerClass::Cheap; },
                    },
                    params);
}

/// Note [Persistent tensors come first] in engine/lowering.h.
void addPersistentTensors(LoweringContext& c) {
  const LayerId data = c.graph.dataLayer(), loss = c.graph.lossLayer();
  const Shape& image = c.layer(data).shape;
  c.input = c.addTensor({.name = "input",
                         .kind = TensorKind::Input,
                         .layer = data,
                         .desc = {{c.batch, image.c, image.h, image.w}, Layout::Plain},
                         .isPersistent = true});
  c.labels = c.addTensor({.name = "labels",
                          .kind = TensorKind::Input,
                          .layer = data,
                          .desc = {{c.batch, 1, 1, 1}, Layout::Plain},
                          .isPersistent = true});
  c.loss = c.addTensor({.name = "loss",
                        .kind = TensorKind::Staging,
                        .layer = loss,
                        .desc = {{2, 1, 1, 1}, Layout::Plain},
                        .isPersistent = true});
  for (const LayerId id : idsOf(c.graph.layers)) addParameters(c, id);
}

/// A layer needs a gradient if it has parameters, or if a layer before it does.
void markGradients(LoweringContext& c, const std::vector<LayerId>& route) {
  for (const LayerId id : route) {
    bool needs = c.options.computesInputGradient || c.states[id].weights.isValid();
    for (const LayerId input : c.layer(id).inputs) needs = needs || c.states[input].needsGradient;
    c.states[id].needsGradient = needs;
  }
}

void lowerForwardRoute(LoweringContext& c, const std::vector<LayerId>& route) {
  for (const LayerId id : route)
    std::visit([&](const auto& params) { lowerForward(c, id, params); }, c.layer(id).params);
}

void lowerBackwardRoute(LoweringContext& c, const std::vector<LayerId>& route) {
  for (const LayerId id : route) {
    if (!c.states[id].needsGradient) continue;
    std::visit([&](const auto& params) { lowerBackward(c, id, params); }, c.layer(id).params);
    if (c.options.updatesInBackward) addUpdate(c, id);
  }
  if (c.options.updatesInBackward) return;
  for (const LayerId id : idsOf(c.graph.layers)) addUpdate(c, id);
}

Lowering lowerGraph(const Graph& graph, std::int64_t batch, const LoweringOptions& options, OpLibrary& library,
                    bool isTraining) {
  assert(batch >= 1 && batch <= maxBatch);
  LoweringContext c(graph, batch, options, library, isTraining);
  Workload& workload = c.result.workload;
  workload.net = graph.name;
  workload.lowering = options.text();
  workload.library = library.name();
  workload.batch = batch;
  workload.isTraining = isTraining;
  for (const Layer& layer : graph.layers)
    workload.layers.push_back(
        {.name = layer.name, .type = typeName(layer.params), .layerClass = classOf(layer.params)});

  const std::vector<LayerId> route = forwardRoute(graph);
  addPersistentTensors(c);
  markGradients(c, route);
  lowerForwardRoute(c, route);
  if (isTraining) lowerBackwardRoute(c, backwardRoute(graph));
  return std::move(c.result);
}

}  // namespace

Lowering lower(const Graph& graph, std::int64_t batch, const LoweringOptions& options, OpLibrary& library) {
  return lowerGraph(graph, batch, options, library, true);
}

Lowering lowerForEvaluation(const Graph& graph, std::int64_t batch, const LoweringOptions& options,
                            OpLibrary& library) {
  return lowerGraph(graph, batch, options, library, false);
}

}  // namespace peakscope::engine
