// SPDX-License-Identifier: Apache-2.0
//
// Building graphs in code. The checks are in graph_check.cpp.
#include "engine/graph.h"

#include <algorithm>

#include "engine/graph/graph_check.h"

namespace peakscope::engine {
namespace {

template <class Params>
LayerId firstOf(const Graph& graph) {
  for (const LayerId id : idsOf(graph.layers))
    if (std::holds_alternative<Params>(graph.layers[id].params)) return id;
  return {};
}

}  // namespace

LayerId Graph::dataLayer() const { return firstOf<DataParams>(*this); }
LayerId Graph::lossLayer() const { return firstOf<SoftmaxLossParams>(*this); }

LayerId GraphBuilder::add(std::string name, LayerParams params, std::vector<LayerId> inputs) {
  const LayerId id = m_graph.layers.push_back(
      {.name = std::move(name), .params = std::move(params), .inputs = {}, .consumers = {}, .shape = {}});
  for (const LayerId input : inputs) connect(input, id);
  return id;
}

void GraphBuilder::connect(LayerId from, LayerId to) {
  m_graph.layers[to].inputs.push_back(from);
  if (m_graph.layers.contains(from)) m_graph.layers[from].consumers.push_back(to);
}

Result<Graph> GraphBuilder::build() {
  Graph graph = m_graph;
  if (const auto problem = finishGraph(graph))
    return badInput("network " + graph.name + ": " + describe(*problem, graph));
  return graph;
}

Result<Graph> withInputSize(Graph graph, std::int64_t height, std::int64_t width) {
  auto& data = std::get<DataParams>(graph.layers[graph.dataLayer()].params);
  data.shape.h = height;
  data.shape.w = width;
  if (const auto problem = finishGraph(graph))
    return badInput("network " + graph.name + " with input " + std::to_string(height) + "x" + std::to_string(width) +
                    ": " + describe(*problem, graph));
  return graph;
}

}  // namespace peakscope::engine
