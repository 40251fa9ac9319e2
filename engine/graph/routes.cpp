// SPDX-License-Identifier: Apache-2.0
//
// The paper's routes (section 3.1): depth first, a layer runs when everything that it waits for has arrived. Both
// directions are one walk with a stack of its own, so that depth costs no call stack.
#include "engine/graph.h"

namespace peakscope::engine {
namespace {

/// `next` are the layers that a layer leads to, `waits` how many arrivals a layer needs.
template <class Next, class Waits>
std::vector<LayerId> walk(const Graph& graph, LayerId start, Next next, Waits waits) {
  std::vector<LayerId> route;
  route.reserve(static_cast<std::size_t>(graph.layers.size()));
  IdVector<LayerId, std::size_t> arrivals(graph.layers.size(), 0);
  std::vector<LayerId> stack{start};
  while (!stack.empty()) {
    const LayerId layer = stack.back();
    stack.pop_back();
    if (++arrivals[layer] < waits(graph.layers[layer])) continue;
    route.push_back(layer);
    // Branch 1 is visited first and branch 0 last, so branch 0 goes deepest into the stack and 1 on top.
    const std::vector<LayerId>& branches = next(graph.layers[layer]);
    if (branches.empty()) continue;
    stack.push_back(branches.front());
    for (std::size_t k = branches.size(); k-- > 1;) stack.push_back(branches[k]);
  }
  return route;
}

}  // namespace

std::vector<LayerId> forwardRoute(const Graph& graph) {
  return walk(
      graph, graph.dataLayer(), [](const Layer& l) -> const std::vector<LayerId>& { return l.consumers; },
      [](const Layer& l) { return l.inputs.size(); });
}

std::vector<LayerId> backwardRoute(const Graph& graph) {
  return walk(
      graph, graph.lossLayer(), [](const Layer& l) -> const std::vector<LayerId>& { return l.inputs; },
      [](const Layer& l) { return l.consumers.size(); });
}

}  // namespace peakscope::engine
