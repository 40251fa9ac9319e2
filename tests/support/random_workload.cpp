// SPDX-License-Identifier: Apache-2.0
//
// One pass forward, picking inputs among what nobody has read yet; one pass backward in exactly reverse order.
#include "tests/support/random_workload.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace peakscope::test {
namespace {

class Builder {
 public:
  Builder(std::mt19937& random, const RandomNet& net) : m_random(random), m_net(net) {}

  Workload build() {
    m_workload.net = "random";
    m_workload.lowering = "random";
    addData();
    for (int i = 0; i < m_net.layers; ++i) addLayer();
    closeOpenOutputs();
    addLoss();
    for (std::size_t i = m_layers.size(); i-- > 0;) addBackward(m_layers[i]);
    return std::move(m_workload);
  }

 private:
  struct Value {            ///< an output tensor, and the gradient tensor once backward has reached it
    TensorId out;
    int readers = 0;
    TensorId gradient;
  };
  struct Layer {
    LayerId id;
    LayerClass layerClass;
    std::vector<std::size_t> src, dst;   ///< values
    TensorId weights, weightGrad, saved;
    bool readsX = false, readsY = false, isGradientInPlace = false;
  };

  int pick(int from, int to) { return std::uniform_int_distribution(from, to)(m_random); }
  bool chance(int percent) { return pick(1, 100) <= percent; }

  TensorId tensor(const std::string& name, TensorKind kind, LayerId layer, bool isPersistent = false) {
    Tensor t{.name = name, .kind = kind, .layer = layer, .isPersistent = isPersistent};
    t.shapeBytes = Bytes{4 * pick(1, 2000)};
    t.bytes = m_net.isPlain ? t.shapeBytes : t.shapeBytes + Bytes{4 * pick(0, 40)};
    return m_workload.tensors.push_back(t);
  }
  OpId op(LayerId layer, Phase phase, PaperStep step, std::vector<OpArg> args) {
    std::vector<OpCandidate> candidates{{"small", Bytes{!m_net.isPlain && phase != Phase::Load && chance(20) ? 4 * pick(1, 3000) : 0}}};
    if (chance(30)) candidates.push_back({"large", candidates.front().workspace + Bytes{400}});
    return m_workload.ops.push_back({.layer = layer, .phase = phase, .paperStep = step, .args = std::move(args), .candidates = candidates});
  }
  static OpArg read(TensorId t) { return {.tensor = t, .access = Access::Read}; }
  static OpArg write(TensorId t) { return {.tensor = t, .access = Access::Write}; }
  static OpArg change(TensorId t) { return {.tensor = t, .access = Access::ReadWrite}; }
  LayerId layer(LayerClass layerClass) {
    const std::string name = "l" + std::to_string(m_workload.layers.size());
    return m_workload.layers.push_back({name, toString(layerClass), layerClass});
  }
  const std::string& nameOf(LayerId id) const { return m_workload.layers[id].name; }

  void addData() {
    const LayerId data = layer(LayerClass::Data);
    const TensorId input = tensor("data", TensorKind::Input, data, true);
    m_labels = tensor("labels", TensorKind::Input, data, true);
    m_workload.route.push_back(op(data, Phase::Load, 0, {write(input), write(m_labels)}));
    m_values.push_back({input});
  }

  std::vector<std::size_t> openValues() const {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < m_values.size(); ++i)
      if (m_values[i].readers == 0) open.push_back(i);
    return open;
  }

  void addLayer() {
    static constexpr LayerClass classes[] = {LayerClass::Convolution, LayerClass::Cheap, LayerClass::Cheap, LayerClass::Cheap, LayerClass::FullyConnected,
                                             LayerClass::Fork, LayerClass::Join, LayerClass::Concat};
    LayerClass layerClass = classes[pick(0, 7)];
    std::vector<std::size_t> open = openValues();
    std::shuffle(open.begin(), open.end(), m_random);
    if ((layerClass == LayerClass::Join || layerClass == LayerClass::Concat) && open.size() < 2) layerClass = LayerClass::Cheap;
    Layer made{.id = layer(layerClass), .layerClass = layerClass};
    const std::size_t inputs = layerClass == LayerClass::Join || layerClass == LayerClass::Concat ? static_cast<std::size_t>(pick(2, static_cast<int>(open.size()))) : 1;
    made.src.assign(open.begin(), open.begin() + static_cast<std::ptrdiff_t>(inputs));
    // Without fork copies an output has several readers.
    if (!m_net.isPlain && inputs == 1 && chance(20)) made.src.front() = static_cast<std::size_t>(pick(0, static_cast<int>(m_values.size()) - 1));
    if (std::ranges::find(m_changed, made.src.front()) != m_changed.end()) made.src.front() = open.front();
    addForward(made, layerClass == LayerClass::Fork ? pick(2, 3) : 1);
  }

  void addForward(Layer& made, int outputs) {
    const bool isWeighted = made.layerClass == LayerClass::Convolution || made.layerClass == LayerClass::FullyConnected || (made.layerClass == LayerClass::Cheap && chance(20));
    const bool isCheap = made.layerClass == LayerClass::Cheap;
    made.readsX = isCheap ? chance(60) : isWeighted;
    made.readsY = made.layerClass == LayerClass::Loss || (isCheap && chance(50));
    made.isGradientInPlace = isCheap && chance(40);
    std::vector<OpArg> args, rebuildArgs;
    for (const std::size_t src : made.src) {
      ++m_values[src].readers;
      args.push_back(read(m_values[src].out));
    }
    rebuildArgs = args;
    if (isWeighted) {
      made.weights = tensor(nameOf(made.id) + ".weights", TensorKind::Weight, made.id, true);
      args.push_back(read(made.weights));
      rebuildArgs.push_back(read(made.weights));
    }
    if (made.layerClass == LayerClass::Loss) args.push_back(read(m_labels));
    if (isCheap && !m_net.isPlain && chance(30)) {
      made.saved = tensor(nameOf(made.id) + ".saved", TensorKind::Saved, made.id);
      args.push_back(write(made.saved));
      rebuildArgs.push_back(chance(50) ? write(made.saved) : read(made.saved));
    }
    // In place: the only reader of an output of another layer, and one whose backward does not need x.
    const std::size_t only = made.src.front();
    const bool isInPlace = isCheap && !m_net.isPlain && chance(15) && only != 0 && m_values[only].readers == 1;
    if (isInPlace) {
      made.readsX = false;
      args.front() = change(m_values[only].out);
      m_values.push_back({m_values[only].out});
      m_changed.push_back(only);
      made.dst.push_back(m_values.size() - 1);
    } else {
      for (int i = 0; i < outputs; ++i) {
        const TensorId out = tensor(nameOf(made.id) + ".out" + std::to_string(i), TensorKind::Activation, made.id);
        args.push_back(write(out));
        rebuildArgs.push_back(write(out));
        made.dst.push_back(m_values.size());
        m_values.push_back({out});
      }
    }
    const OpId forward = op(made.id, Phase::Forward, ++m_step, args);
    m_workload.route.push_back(forward);
    if (isCheap && !isInPlace) {
      const OpId rebuild = op(made.id, Phase::Rebuild, m_step, rebuildArgs);
      m_workload.ops[forward].rebuild = rebuild;
    }
    m_layers.push_back(made);
  }

  void closeOpenOutputs() {
    const std::vector<std::size_t> open = openValues();
    if (open.size() < 2) return;
    Layer join{.id = layer(LayerClass::Concat), .layerClass = LayerClass::Concat};
    join.src = open;
    addForward(join, 1);
  }
  void addLoss() {
    Layer loss{.id = layer(LayerClass::Loss), .layerClass = LayerClass::Loss};
    loss.src = {openValues().front()};
    addForward(loss, 1);
  }

  void addBackward(const Layer& of) {
    std::vector<OpArg> args;
    if (of.readsX) args.push_back(read(m_values[of.src.front()].out));
    if (of.readsY && of.layerClass != LayerClass::Loss) args.push_back(read(m_values[of.dst.front()].out));
    if (of.saved.isValid()) args.push_back(read(of.saved));
    if (of.weights.isValid()) {
      args.push_back(read(of.weights));
      args.push_back(write(tensor(nameOf(of.id) + ".dw", TensorKind::WeightGrad, of.id)));
    }
    Bytes duplicate;
    TensorId dy;
    if (of.layerClass == LayerClass::Loss) {
      dy = m_values[of.dst.front()].out;
      args.push_back(change(dy));
    } else {
      dy = m_values[of.dst.front()].gradient;
      for (std::size_t i = 1; i < of.dst.size(); ++i) args.push_back(read(m_values[of.dst[i]].gradient));
    }
    // The gradient of each input: the incoming one itself, an own one, or added to what another reader has left.
    bool isTaken = of.layerClass != LayerClass::Loss && !of.isGradientInPlace && of.layerClass != LayerClass::Fork && of.layerClass != LayerClass::Join;
    bool changesDy = false;
    for (const std::size_t src : of.src) {
      Value& value = m_values[src];
      if (value.gradient.isValid()) {
        args.push_back(change(value.gradient));
      } else if (!isTaken && m_values[src].readers == 1) {
        isTaken = true;
        changesDy = of.layerClass == LayerClass::Fork || of.isGradientInPlace;
        value.gradient = dy;
      } else {
        value.gradient = tensor(nameOf(of.id) + ".dx" + std::to_string(src), TensorKind::ActivationGrad, of.id);
        args.push_back(write(value.gradient));
      }
    }
    if (of.layerClass != LayerClass::Loss) args.push_back(changesDy ? change(dy) : read(dy));
    if (changesDy && chance(50)) duplicate = m_workload.tensors[dy].shapeBytes;
    std::ranges::shuffle(args, m_random);
    const OpId backward = op(of.id, Phase::Backward, ++m_step, args);
    m_workload.ops[backward].duplicateNeed = duplicate;
    m_workload.route.push_back(backward);
    if (!of.weights.isValid()) return;
    TensorId dw;
    for (const OpArg& arg : args)
      if (m_workload.tensors[arg.tensor].kind == TensorKind::WeightGrad) dw = arg.tensor;
    m_workload.route.push_back(op(of.id, Phase::Update, m_step, {read(dw), change(of.weights)}));
  }

  std::mt19937& m_random;
  RandomNet m_net;
  Workload m_workload;
  std::vector<Layer> m_layers;
  std::vector<Value> m_values;               ///< value 0 is the input
  std::vector<std::size_t> m_changed;        ///< values that were overwritten in place: nobody else may read them
  TensorId m_labels;
  PaperStep m_step = 0;
};

}  // namespace

Workload randomWorkload(std::mt19937& random, const RandomNet& net) { return Builder(random, net).build(); }

CostTable randomCosts(std::mt19937& random, const Workload& workload) {
  std::uniform_int_distribution nanoseconds(1, 5000);
  CostTable costs{.description = "random", .linkBytesPerSecond = std::pow(10.0, std::uniform_int_distribution(6, 11)(random))};
  for (const Op& op : workload.ops) {
    std::vector<std::chrono::nanoseconds> times;
    for (std::size_t i = 0; i < op.candidates.size(); ++i) times.emplace_back(nanoseconds(random));
    costs.opTimes.push_back(times);
  }
  return costs;
}

}  // namespace peakscope::test
