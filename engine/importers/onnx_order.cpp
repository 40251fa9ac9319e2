// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_order.h"

#include <fmt/format.h>

#include <functional>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace peakscope::engine {
namespace {

auto no(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

using Producers = std::unordered_map<std::string, std::size_t>;

/// Of all names that nodes write.
Result<Producers, std::string> producersOf(const OnnxModel& model) {
  Producers producers;
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    for (const std::string& output : model.nodes[i].outputs)
      if (!output.empty() && !producers.emplace(output, i).second)
        return no(fmt::format("two nodes write {}; a name may be written once", shownName(output)));
  return producers;
}

}  // namespace

Result<std::vector<std::size_t>, std::string> orderFor(const OnnxModel& model, const std::string& output) {
  const auto producers = producersOf(model);
  if (!producers) return no(producers.error());
  std::unordered_set<std::string> given;
  for (const OnnxTensor& tensor : model.initializers) given.insert(tensor.name);
  for (const OnnxPort& port : model.inputs) given.insert(port.name);
  if (!producers->contains(output)) return no(fmt::format("its output {} is written by no node", shownName(output)));

  // Backwards from the output: what it needs, and who waits for whom.
  std::vector<bool> isNeeded(model.nodes.size(), false);
  std::vector<std::size_t> missing(model.nodes.size(), 0);
  std::vector<std::vector<std::size_t>> waiting(model.nodes.size());
  std::vector<std::size_t> stack{producers->at(output)};
  isNeeded[stack.back()] = true;
  while (!stack.empty()) {
    const std::size_t at = stack.back();
    stack.pop_back();
    for (const std::string& input : model.nodes[at].inputs) {
      if (input.empty()) continue;
      const auto producer = producers->find(input);
      if (producer == producers->end()) {
        if (!given.contains(input))
          return no(fmt::format("node {} reads {}, which no node writes and which is no input; the file is damaged", shownName(model.nodes[at].name), shownName(input)));
        continue;
      }
      ++missing[at];
      waiting[producer->second].push_back(at);
      if (isNeeded[producer->second]) continue;
      isNeeded[producer->second] = true;
      stack.push_back(producer->second);
    }
  }

  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  std::size_t needed = 0;
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    if (!isNeeded[i]) continue;
    ++needed;
    if (missing[i] == 0) ready.push(i);
  }
  std::vector<std::size_t> order;
  while (!ready.empty()) {
    order.push_back(ready.top());
    ready.pop();
    for (const std::size_t reader : waiting[order.back()])
      if (--missing[reader] == 0) ready.push(reader);
  }
  if (order.size() == needed) return order;
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (isNeeded[i] && missing[i] > 0)
      return no(fmt::format("its nodes form a cycle: {} waits for its own output; the file is damaged", shownName(model.nodes[i].name)));
  return order;
}

}  // namespace peakscope::engine
