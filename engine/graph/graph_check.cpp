// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/graph_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace peakscope::engine {
namespace {

using Problem = std::optional<GraphProblem>;

template <class Params>
bool is(const Layer& layer) {
  return std::holds_alternative<Params>(layer.params);
}

Problem checkNames(const Graph& graph) {
  std::unordered_map<std::string, LayerId> seen;
  for (const LayerId id : idsOf(graph.layers)) {
    const Layer& layer = graph.layers[id];
    if (layer.name.empty()) return GraphProblem{id, fmt::format("layer number {} has no name", id.index + 1)};
    if (!seen.emplace(layer.name, id).second)
      return GraphProblem{id, "another layer has this name already; names must be unique"};
  }
  return {};
}

Problem checkEnds(const Graph& graph) {
  int data = 0, losses = 0;
  for (const LayerId id : idsOf(graph.layers)) {
    const bool isData = is<DataParams>(graph.layers[id]), isLoss = is<SoftmaxLossParams>(graph.layers[id]);
    if (isData && ++data > 1) return GraphProblem{id, "a second data layer; a network has one"};
    if (isLoss && ++losses > 1) return GraphProblem{id, "a second softmax layer; a network has one"};
  }
  if (data == 0) return GraphProblem{{}, "has no data layer; begin with one of type data"};
  if (losses == 0) return GraphProblem{{}, "has no softmax layer; end with one of type softmax"};
  return {};
}

std::string consumerNames(const Graph& graph, const Layer& layer) {
  std::string names;
  for (const LayerId id : layer.consumers) names += (names.empty() ? "" : ", ") + graph.layers[id].name;
  return names;
}

Problem checkConnections(const Graph& graph) {
  for (const LayerId id : idsOf(graph.layers)) {
    const Layer& layer = graph.layers[id];
    for (const LayerId input : layer.inputs)
      if (!graph.layers.contains(input)) return GraphProblem{id, "an input is not a layer of this network"};
    const std::size_t inputs = layer.inputs.size();
    if (is<DataParams>(layer) && inputs != 0)
      return GraphProblem{id, fmt::format("a data layer takes no input, this one has {}", inputs)};
    const bool isMerge = is<AddParams>(layer) || is<ConcatParams>(layer);
    if (isMerge && inputs < 2)
      return GraphProblem{
          id, fmt::format("a {} takes at least two inputs, this one has {}", typeName(layer.params), inputs)};
    if (is<MulParams>(layer) && inputs != 2)
      return GraphProblem{id, fmt::format("a mul takes two inputs, this one has {}", inputs)};
    if (!is<DataParams>(layer) && !isMerge && !is<MulParams>(layer) && inputs != 1)
      return GraphProblem{id,
                          fmt::format("a {} layer takes one input, this one has {}", typeName(layer.params), inputs)};
    if (is<SoftmaxLossParams>(layer) && !layer.consumers.empty())
      return GraphProblem{id,
                          fmt::format("softmax is the end of a network, but {} reads it", consumerNames(graph, layer))};
    if (!is<SoftmaxLossParams>(layer) && layer.consumers.empty())
      return GraphProblem{id, "nothing reads its output; every layer must lead to softmax"};
    if (!is<ForkParams>(layer) && layer.consumers.size() > 1)
      return GraphProblem{id, fmt::format("{} layers read it ({}); put a fork behind it, one output per reader",
                                          layer.consumers.size(), consumerNames(graph, layer))};
  }
  return {};
}

/// Layers in an order in which inputs come first; shorter than the graph if there is a cycle.
std::vector<LayerId> topologicalOrder(const Graph& graph) {
  IdVector<LayerId, std::size_t> missing(graph.layers.size(), 0);
  std::vector<LayerId> order;
  for (const LayerId id : idsOf(graph.layers)) {
    missing[id] = graph.layers[id].inputs.size();
    if (missing[id] == 0) order.push_back(id);
  }
  for (std::size_t next = 0; next < order.size(); ++next)
    for (const LayerId consumer : graph.layers[order[next]].consumers)
      if (--missing[consumer] == 0) order.push_back(consumer);
  return order;
}

/// Some layer on a cycle: from any layer that never ran, walk back over inputs that never ran until one repeats.
GraphProblem describeCycle(const Graph& graph, const std::vector<LayerId>& order) {
  IdVector<LayerId, bool> ran(graph.layers.size(), false);
  for (const LayerId id : order) ran[id] = true;
  LayerId at;
  for (const LayerId id : idsOf(graph.layers))
    if (!ran[id] && !at.isValid()) at = id;
  IdVector<LayerId, bool> visited(graph.layers.size(), false);
  while (!visited[at]) {
    visited[at] = true;
    for (const LayerId input : graph.layers[at].inputs)
      if (!ran[input]) {
        at = input;
        break;
      }
  }
  std::string path = graph.layers[at].name;
  LayerId previous = at;
  for (int shown = 0; shown < 8; ++shown) {
    for (const LayerId input : graph.layers[previous].inputs)
      if (!ran[input]) {
        previous = input;
        break;
      }
    path = graph.layers[previous].name + " -> " + path;
    if (previous == at) break;
  }
  return {at, "is part of a cycle: " + path};
}

std::int64_t parameterElements(const Layer& layer, const Shape& in) {
  if (const auto* conv = std::get_if<ConvParams>(&layer.params)) {
    const double elements = static_cast<double>(conv->outChannels) * static_cast<double>(in.c / conv->groups) *
                            static_cast<double>(conv->kernelH * conv->kernelW);
    return elements > static_cast<double>(maxElementsOfNetwork) ? maxElementsOfNetwork + 1
                                                                : static_cast<std::int64_t>(elements);
  }
  if (const auto* fc = std::get_if<FcParams>(&layer.params)) {
    if (fc->outChannels > maxElementsOfNetwork / in.elements()) return maxElementsOfNetwork + 1;
    return fc->outChannels * in.elements();
  }
  return 0;
}

Problem inferShapes(Graph& graph, const std::vector<LayerId>& order) {
  std::int64_t outputs = 0, parameters = 0;
  std::vector<Shape> inputs;
  for (const LayerId id : order) {
    Layer& layer = graph.layers[id];
    inputs.clear();
    for (const LayerId input : layer.inputs) inputs.push_back(graph.layers[input].shape);
    const auto shape = inferShape(layer.params, inputs);
    if (!shape) return GraphProblem{id, shape.error()};
    layer.shape = *shape;
    outputs += layer.shape.elements() * static_cast<std::int64_t>(std::max<std::size_t>(1, layer.consumers.size()));
    if (!inputs.empty()) parameters += parameterElements(layer, inputs[0]);
    if (outputs > maxElementsOfNetwork)
      return GraphProblem{id, "the outputs of the network up to here exceed the limit of 2^36 elements an image"};
    if (parameters > maxElementsOfNetwork)
      return GraphProblem{id, "the parameters of the network up to here exceed the limit of 2^36"};
  }
  return {};
}

Problem checkMeaning(const Graph& graph) {
  const LayerId loss = graph.lossLayer(), data = graph.dataLayer();
  const std::int64_t scores = graph.layers[loss].shape.c,
                     classes = std::get<DataParams>(graph.layers[data].params).classes;
  if (scores != classes)
    return GraphProblem{
        loss, fmt::format("has {} scores for the {} classes of layer {}", scores, classes, graph.layers[data].name)};
  for (const LayerId id : idsOf(graph.layers)) {
    const Layer& layer = graph.layers[id];
    if (!is<FlattenParams>(layer)) continue;
    if (!graph.planOnly.empty()) break;
    // A flatten is a view, never a copy: its reader must be able to read the unflattened layout.
    const Shape& in = graph.layers[layer.inputs[0]].shape;
    for (const LayerId reader : layer.consumers)
      if ((in.h != 1 || in.w != 1) && !is<FcParams>(graph.layers[reader]))
        return GraphProblem{
            id, fmt::format("feeds {}, of type {}; a flatten of a larger image feeds fully connected layers only",
                            graph.layers[reader].name, typeName(graph.layers[reader].params))};
  }
  return {};
}

}  // namespace

std::optional<GraphProblem> finishGraph(Graph& graph) {
  if (auto problem = checkNames(graph)) return problem;
  if (auto problem = checkEnds(graph)) return problem;
  if (auto problem = checkConnections(graph)) return problem;
  const std::vector<LayerId> order = topologicalOrder(graph);
  if (static_cast<std::int32_t>(order.size()) != graph.layers.size()) return describeCycle(graph, order);
  if (auto problem = inferShapes(graph, order)) return problem;
  return checkMeaning(graph);
}

std::string describe(const GraphProblem& problem, const Graph& graph) {
  if (!problem.layer.isValid() || graph.layers[problem.layer].name.empty()) return problem.text;
  return "layer " + graph.layers[problem.layer].name + ": " + problem.text;
}

}  // namespace peakscope::engine
