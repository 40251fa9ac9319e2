// SPDX-License-Identifier: Apache-2.0
#include "tests/support/oracle_workload.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>

namespace peakscope::test {
namespace {

using nlohmann::json;

LayerClass classOf(const std::string& type) {
  if (type == "data") return LayerClass::Data;
  if (type == "conv") return LayerClass::Convolution;
  if (type == "fc") return LayerClass::FullyConnected;
  if (type == "join") return LayerClass::Join;
  if (type == "fork") return LayerClass::Fork;
  if (type == "concat") return LayerClass::Concat;
  if (type == "softmax") return LayerClass::Loss;
  return LayerClass::Cheap;
}

class Builder {
 public:
  explicit Builder(const json& oracle) : m_oracle(oracle) {
    for (const json& layer : oracle["layers"]) {
      m_layers[layer["name"]] = layer;
      m_ids[layer["name"]] = m_workload.layers.push_back({layer["name"], layer["type"], classOf(layer["type"])});
      for (const json& input : layer["inputs"]) m_consumers[input].emplace_back(layer["id"].get<int>(), layer["name"].get<std::string>());
    }
    for (auto& [name, consumers] : m_consumers) std::sort(consumers.begin(), consumers.end());
  }

  Workload build() {
    m_workload.net = m_oracle["net"];
    m_workload.batch = m_oracle["batch"];
    m_workload.lowering = "paper";
    m_workload.library = "oracle";
    PaperStep step = 0;
    for (const json& layer : m_oracle["layers"]) {
      if (layer["type"] == "data") {
        const TensorId data = tensor("data", TensorKind::Input, layer, layer["output"], true);
        m_outputs[{"data", m_consumers["data"].front().second}] = data;
      } else {
        forward(layer, ++step);
      }
    }
    for (const json& name : m_oracle["backward_route"]) backward(m_layers[name], ++step);
    return m_workload;
  }

 private:
  TensorId tensor(const std::string& name, TensorKind kind, const json& layer, const json& shape, bool isPersistent = false) {
    Tensor t{.name = name, .kind = kind, .layer = m_ids[layer["name"]], .isPersistent = isPersistent};
    std::int64_t elements = 1;
    for (const json& side : shape) t.shape.push_back(side.get<std::int64_t>()), elements *= side.get<std::int64_t>();
    t.shapeBytes = t.bytes = Bytes{elements * 4};
    return m_workload.tensors.push_back(t);
  }
  TensorId input(const json& layer, std::size_t index) { return m_outputs[{layer["inputs"][index], layer["name"]}]; }
  json shapeOf(const std::string& layer) { return m_layers[layer]["output"]; }

  OpId add(const json& layer, Phase phase, PaperStep step, std::vector<OpArg> args) {
    return m_workload.ops.push_back({.layer = m_ids[layer["name"]], .phase = phase, .paperStep = step, .args = std::move(args), .candidates = {{"any", Bytes{}}}});
  }

  void forward(const json& layer, PaperStep step) {
    const std::string name = layer["name"];
    std::vector<OpArg> args;
    for (std::size_t i = 0; i < layer["inputs"].size(); ++i)
      args.push_back({.role = ArgRole::Src, .index = static_cast<std::int32_t>(i), .tensor = input(layer, i), .access = Access::Read});
    if (layer["type"] == "fork") {
      for (const auto& [id, consumer] : m_consumers[name]) {
        const TensorId out = tensor(name + ".out" + std::to_string(id), TensorKind::Activation, layer, layer["output"]);
        m_outputs[{name, consumer}] = out;
        args.push_back({.role = ArgRole::Dst, .tensor = out, .access = Access::Write});
      }
    } else {
      const TensorId out = tensor(name + ".out", TensorKind::Activation, layer, layer["output"]);
      m_out[name] = out;
      if (m_consumers.contains(name)) m_outputs[{name, m_consumers[name].front().second}] = out;
      args.push_back({.role = ArgRole::Dst, .tensor = out, .access = Access::Write});
    }
    const OpId op = add(layer, Phase::Forward, step, args);
    m_workload.route.push_back(op);
    if (classOf(layer["type"]) == LayerClass::Cheap) {
      const OpId rebuild = add(layer, Phase::Rebuild, step, args);
      m_workload.ops[op].rebuild = rebuild;
    }
  }

  void backward(const json& layer, PaperStep step) {
    const std::string name = layer["name"], type = layer["type"];
    std::vector<OpArg> args;
    const auto read = [&](TensorId t) { args.push_back({.tensor = t, .access = Access::Read}); };
    const auto write = [&](TensorId t) { args.push_back({.tensor = t, .access = Access::Write}); };
    const auto change = [&](TensorId t) { args.push_back({.tensor = t, .access = Access::ReadWrite}); };
    const std::string producer = layer["inputs"][0];
    Bytes duplicate;
    if (type == "softmax") {
      read(input(layer, 0));
      change(m_out[name]);
      m_gradients[{producer, name}] = m_out[name];
    } else if (type == "fork") {
      const auto& consumers = m_consumers[name];
      const TensorId first = m_gradients[{name, consumers.front().second}];
      change(first);
      for (std::size_t i = 1; i < consumers.size(); ++i) read(m_gradients[{name, consumers[i].second}]);
      m_gradients[{producer, name}] = first;
    } else {
      const TensorId dy = m_gradients[{name, m_consumers[name].front().second}];
      const bool readsX = type != "dropout" && type != "join" && type != "concat";
      const bool readsY = type == "pool" || type == "relu" || type == "lrn";
      if (readsX) read(input(layer, 0));
      if (readsY) read(m_out[name]);
      if (type == "relu" || type == "lrn") {
        change(dy);
        if (type == "lrn") duplicate = m_workload.tensors[dy].shapeBytes;
        m_gradients[{producer, name}] = dy;
      } else {
        read(dy);
        for (std::size_t i = 0; i < layer["inputs"].size(); ++i) {
          const std::string from = layer["inputs"][i];
          if (type == "join" && i == 0) {
            m_gradients[{from, name}] = dy;
            continue;
          }
          const bool isNamed = type == "join" || type == "concat";
          const TensorId dx = tensor(name + ".dx" + (isNamed ? std::to_string(m_layers[from]["id"].get<int>()) : ""), TensorKind::ActivationGrad, layer, shapeOf(from));
          write(dx);
          m_gradients[{from, name}] = dx;
        }
      }
    }
    const OpId op = add(layer, Phase::Backward, step, args);
    m_workload.ops[op].duplicateNeed = duplicate;
    m_workload.route.push_back(op);
  }

  const json& m_oracle;
  Workload m_workload;
  std::map<std::string, json> m_layers;
  std::map<std::string, LayerId> m_ids;
  std::map<std::string, std::vector<std::pair<int, std::string>>> m_consumers;  ///< by creation number: the order of connection
  std::map<std::pair<std::string, std::string>, TensorId> m_outputs;            ///< (producer, consumer)
  std::map<std::pair<std::string, std::string>, TensorId> m_gradients;          ///< (producer, consumer)
  std::map<std::string, TensorId> m_out;
};

}  // namespace

OracleNet readOracle(const std::string& name) {
  std::ifstream file(std::string(PEAKSCOPE_SOURCE_DIR) + "/tests/oracle/" + name + ".json");
  OracleNet net{.json = json::parse(file)};
  net.workload = Builder(net.json).build();
  return net;
}

PolicyOptions optionsOf(const std::string& configuration) {
  PolicyOptions options;
  const auto has = [&](const char* part) { return configuration.find(part) != std::string::npos; };
  const bool isBaseline = configuration == "baseline";
  options.techniques = {.liveness = !isBaseline, .offload = has("conv_") || has("ckpt_"), .recompute = has("speed") || has("memory") || has("cost")};
  options.offload = has("ckpt_") ? OffloadSet::Checkpoints : OffloadSet::Convolutions;
  options.prefetch = has("prefetch") ? Prefetch::PreviousConvolution : Prefetch::OnDemand;
  options.recompute = has("speed") ? RecomputeMode::Speed : has("memory") ? RecomputeMode::Memory : RecomputeMode::CostAware;
  options.offloadFree = OffloadFree::LastReader;
  return options;
}

DeviceSpec roomyDevice() {
  return {.name = "roomy", .memory = Bytes{std::int64_t{1} << 40}, .hostMemory = Bytes{std::int64_t{1} << 40}, .linkBytesPerSecond = 8e9};
}

CostTable uniformCosts(const Workload& workload) {
  CostTable costs{.description = "one microsecond an op", .linkBytesPerSecond = 8e9};
  for (const Op& op : workload.ops) costs.opTimes.push_back(std::vector<std::chrono::nanoseconds>(op.candidates.size(), std::chrono::microseconds(1)));
  return costs;
}

}  // namespace peakscope::test
