// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/graph_check.h"
#include "engine/importers/onnx_ends.h"
#include "engine/importers/onnx_integers.h"
#include "engine/importers/onnx_operators.h"
#include "engine/importers/onnx_order.h"

namespace peakscope::engine {
namespace {

/// Operators without a plan, each with how often and where first.
class Unplanned {
 public:
  void add(const std::string& what, const OnnxNode& node) {
    const auto known = std::find_if(m_kinds.begin(), m_kinds.end(), [&](const Kind& kind) { return kind.what == what; });
    if (known != m_kinds.end()) ++known->count;
    else if (m_kinds.size() < 200) m_kinds.push_back({what, node.name.empty() ? node.outputs[0] : node.name, 1});
  }
  [[nodiscard]] bool isEmpty() const { return m_kinds.empty(); }
  /// "Erf 12 times (first: /layers/0/Erf), Softmax that is not at the end once (first: ...)"
  [[nodiscard]] std::string text() const {
    constexpr std::size_t mostShown = 24;
    std::string all;
    for (std::size_t i = 0; i < std::min(mostShown, m_kinds.size()); ++i) {
      const std::string times = m_kinds[i].count == 1 ? "once" : fmt::format("{} times", m_kinds[i].count);
      all += fmt::format("{}{} {} (first: {})", i == 0 ? "" : ", ", m_kinds[i].what, times, shownName(m_kinds[i].first));
    }
    if (m_kinds.size() > mostShown) all += fmt::format(", and {} more kinds", m_kinds.size() - mostShown);
    return all;
  }

 private:
  struct Kind {
    std::string what, first;
    std::int64_t count;
  };
  std::vector<Kind> m_kinds;
};

std::string operatorName(const OnnxNode& node) {
  const bool isOwn = node.domain.empty() || node.domain == "ai.onnx";
  return shownName(isOwn ? node.op : node.domain + "." + node.op);
}

/// An unplanned operator, or shapes that are not known since one came before.
bool hasUnknownInput(const OnnxTranslation& t, const OnnxNode& node) {
  return std::any_of(node.inputs.begin(), node.inputs.end(), [&](const std::string& name) {
    const OnnxValue* value = name.empty() ? nullptr : t.find(name);
    return !name.empty() && (value == nullptr || value->kind == OnnxValue::Kind::Unknown);
  });
}

Translated translate(OnnxTranslation& t, const OnnxNode& node) {
  if (!node.domain.empty() && node.domain != "ai.onnx") return unplanned();
  if (hasUnknownInput(t, node)) {
    // Named only if it could not be planned whatever comes in.
    if (ruleOf(node.op) || node.op == "Shape" || node.op == "Gather" || node.op == "ConstantOfShape" || node.op == "Mod") return std::vector<OnnxValue>{};
    return unplanned();
  }
  if (auto folded = foldIntegers(t, node)) return std::move(*folded);
  const OnnxRule rule = ruleOf(node.op);
  return rule ? rule(t, node) : unplanned();
}

/// Whether the last layer, the loss, reads a layer directly or through others. Some are asked for their shape only.
IdVector<LayerId, bool> leadsToLoss(const IdVector<LayerId, Layer>& layers) {
  IdVector<LayerId, bool> leads(layers.size(), false);
  leads[LayerId{layers.size() - 1}] = true;
  for (std::int32_t i = layers.size() - 1; i >= 0; --i)   // inputs come first
    if (leads[LayerId{i}])
      for (const LayerId input : layers[LayerId{i}].inputs) leads[input] = true;
  return leads;
}

/// Each layer with several readers gets a fork behind it; readers are connected in the order of the file.
IdVector<LayerId, Layer> withForks(const IdVector<LayerId, Layer>& from, OnnxNames& names) {
  const auto leads = leadsToLoss(from);
  IdVector<LayerId, std::int32_t> readers(from.size(), 0);
  for (const LayerId id : idsOf(from))
    if (leads[id])
      for (const LayerId input : from[id].inputs) ++readers[input];
  IdVector<LayerId, Layer> layers;
  IdVector<LayerId, LayerId> itself(from.size()), provider(from.size());
  const auto connect = [&](LayerId source, LayerId reader) {
    layers[reader].inputs.push_back(source);
    layers[source].consumers.push_back(reader);
  };
  const auto add = [&](std::string name, LayerParams params) {
    return layers.push_back({.name = std::move(name), .params = std::move(params), .inputs = {}, .consumers = {}, .shape = {}});
  };
  for (const LayerId id : idsOf(from)) {
    if (!leads[id]) continue;
    itself[id] = provider[id] = add(from[id].name, from[id].params);
    if (readers[id] < 2) continue;
    provider[id] = add(names.unique(from[id].name + ".fork"), ForkParams{});
    connect(itself[id], provider[id]);
  }
  for (const LayerId id : idsOf(from))
    if (leads[id])
      for (const LayerId input : from[id].inputs) connect(provider[input], itself[id]);
  return layers;
}

Result<Graph> graphOf(const OnnxModel& model, const std::string& fileName) {
  const auto refuse = [&](const std::string& text) { return badInput(fmt::format("{}: {}", fileName, text)); };
  if (model.outputs.empty()) return refuse("the graph has no output; name the scores when exporting");
  OnnxTranslation t(model, model.outputs.front().name);
  const auto order = orderFor(model, t.outputName);
  if (!order) return refuse(order.error());

  for (const std::size_t index : *order)
    for (const std::string& input : model.nodes[index].inputs)
      if (!input.empty()) t.countReader(input);
  Graph graph;
  graph.name = std::filesystem::path(fileName).stem().string();
  graph.planOnly = fmt::format("{}: an imported model can be planned and simulated; training such models comes later", fileName);
  if (const auto begun = beginWithInput(t, *order, graph); !begun) return refuse(begun.error());

  Unplanned unplannedNodes;
  for (const std::size_t index : *order) {
    const OnnxNode& node = model.nodes[index];
    auto values = translate(t, node);
    if (!values && values.error().isWrong) return refuse(fmt::format("node {} ({}): {}", shownName(node.name), operatorName(node), values.error().text));
    if (!values) unplannedNodes.add(operatorName(node) + (values.error().text.empty() ? "" : " " + values.error().text), node);
    for (std::size_t k = 0; k < node.outputs.size(); ++k)
      if (!node.outputs[k].empty()) t.set(node.outputs[k], values && k < values->size() ? (*values)[k] : OnnxValue{});
  }
  if (!unplannedNodes.isEmpty())
    return refuse(fmt::format("cannot be planned: {}; what can be is listed in resources/docs/onnx.md", unplannedNodes.text()));
  if (const auto ended = endWithLoss(t); !ended) return refuse(ended.error());

  graph.layers = withForks(t.layers, t.names);
  for (const std::string& remark : remarksOn(t)) graph.remarks.push_back(remark);
  for (std::string& remark : graph.remarks) remark = fmt::format("{}: {}", fileName, remark);
  if (const auto problem = finishGraph(graph)) return refuse(describe(*problem, graph));
  return graph;
}

}  // namespace

Result<Graph> readOnnx(const std::filesystem::path& path) {
  const auto model = readOnnxModel(path);
  return model ? graphOf(*model, path.string()) : fail(model.error());
}

Result<Graph> parseOnnx(std::string_view bytes, const std::string& fileName) {
  const auto model = parseOnnxModel(bytes, fileName);
  return model ? graphOf(*model, fileName) : fail(model.error());
}

}  // namespace peakscope::engine
