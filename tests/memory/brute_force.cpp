// SPDX-License-Identifier: Apache-2.0
//
// Sets and maps only: nothing here is shared with the planner.
#include "tests/memory/brute_force.h"

#include <algorithm>
#include <map>
#include <set>

namespace peakscope::test {
namespace {

using Tensors = std::set<TensorId>;

struct Step {
  const Op* op = nullptr;
  Tensors touched;            ///< scheduled ones
  bool isForward = false;
};

class Interpreter {
 public:
  Interpreter(const Workload& workload, const PolicyOptions& options) : m_workload(workload), m_options(options) {
    for (const OpId id : workload.route) readOp(workload.ops[id]);
    m_lPeak = layerPeak();
  }

  Accounting run() {
    // A checkpoint that rebuilds start from is kept for the last of them; which that is shows only when they have been done.
    do {
      m_lastRebuildRead.clear();
      walk();
      bool isSettled = true;
      for (const auto& [tensor, step] : m_lastRebuildRead)
        if (step > m_last[tensor]) m_last[tensor] = step, isSettled = false;
      if (isSettled) return m_result;
    } while (true);
  }

 private:
  bool isScheduledTensor(TensorId tensor) const { return isScheduled(m_workload.tensors[tensor].kind); }
  std::int64_t size(TensorId tensor) const { return m_workload.tensors[tensor].shapeBytes.count(); }
  std::int64_t resident() const {
    std::int64_t sum = 0;
    for (const TensorId tensor : m_resident) sum += size(tensor);
    return sum;
  }
  LayerClass classOf(LayerId layer) const { return m_workload.layers[layer].layerClass; }

  bool offloads(LayerId layer) const {
    if (!m_options.techniques.offload) return false;
    if (m_options.offload == OffloadSet::Convolutions) return classOf(layer) == LayerClass::Convolution;
    static const std::set<LayerClass> checkpoints{LayerClass::Convolution, LayerClass::FullyConnected, LayerClass::Join, LayerClass::Fork, LayerClass::Concat};
    return checkpoints.contains(classOf(layer));
  }

  void readOp(const Op& op) {
    if (op.phase != Phase::Forward && op.phase != Phase::Backward) return;
    Step step{.op = &op, .isForward = op.phase == Phase::Forward};
    const int number = static_cast<int>(m_steps.size());
    for (const OpArg& arg : op.args) {
      const TensorKind kind = m_workload.tensors[arg.tensor].kind;
      if (step.isForward && (kind == TensorKind::Activation || kind == TensorKind::Input) && arg.access == Access::Read && !m_inputOf.contains(op.layer))
        m_inputOf[op.layer] = arg.tensor;
      if (!isScheduledTensor(arg.tensor)) continue;
      step.touched.insert(arg.tensor);
      if (!m_first.contains(arg.tensor)) m_first[arg.tensor] = number;
      m_last[arg.tensor] = number;
      if (step.isForward) m_lastForward[arg.tensor] = number;
      if (step.isForward && arg.access == Access::Write) {
        m_producer[arg.tensor] = op.layer;
        m_outputs[op.layer].push_back(arg.tensor);
      }
    }
    m_steps.push_back(step);
  }

  std::int64_t layerPeak() const {
    std::int64_t peak = 0;
    for (const Step& step : m_steps) {
      if (step.isForward) continue;
      std::int64_t need = step.op->duplicateNeed.count();
      for (const TensorId tensor : step.touched) need += size(tensor);
      peak = std::max(peak, need);
    }
    return peak;
  }

  bool isCheap(TensorId tensor) const {
    const auto producer = m_producer.find(tensor);
    return m_options.techniques.recompute && producer != m_producer.end() && classOf(producer->second) == LayerClass::Cheap;
  }

  /// The cheap layers between a tensor and its checkpoint output, from the checkpoint on.
  std::vector<LayerId> chainTo(TensorId tensor) const {
    std::vector<LayerId> chain;
    while (isCheap(tensor)) {
      chain.insert(chain.begin(), m_producer.at(tensor));
      tensor = m_inputOf.at(chain.front());
    }
    return chain;
  }

  /// All cheap layers behind the checkpoint that `layer` stands behind.
  std::int64_t segmentCost(LayerId layer) const {
    const TensorId checkpoint = m_inputOf.at(chainTo(m_outputs.at(layer).front()).front());
    std::int64_t cost = 0;
    for (const auto& [other, outputs] : m_outputs) {
      if (classOf(other) != LayerClass::Cheap || m_inputOf.at(chainTo(outputs.front()).front()) != checkpoint) continue;
      cost += size(m_inputOf.at(other)) + size(outputs.front());
    }
    return cost;
  }
  bool isMemoryCentric(LayerId layer) const {
    if (m_options.recompute == RecomputeMode::CostAware) return segmentCost(layer) > m_lPeak;
    return m_options.recompute == RecomputeMode::Memory;
  }

  void walk() {
    m_result = {};
    m_resident.clear();
    for (m_step = 0; m_step < static_cast<int>(m_steps.size()); ++m_step) {
      const Step& step = m_steps[static_cast<std::size_t>(m_step)];
      m_peak = 0;
      if (!step.isForward) {
        fetchFor(step);
        rebuildFor(step);
      }
      for (const TensorId tensor : step.touched)
        if (m_first[tensor] == m_step) m_resident.insert(tensor);
      m_result.live.push_back(resident());
      m_result.peakInStep.push_back(std::max(m_peak, resident()));
      release(step);
    }
  }

  bool isOffloaded(TensorId tensor) const {
    return m_producer.contains(tensor) && offloads(m_producer.at(tensor)) && m_last.at(tensor) > m_lastForward.at(tensor);
  }

  void fetch(TensorId tensor) {
    if (!isOffloaded(tensor) || m_resident.contains(tensor)) return;
    m_resident.insert(tensor);
    m_result.copiedIn += size(tensor);
    m_peak = std::max(m_peak, resident());
  }

  void fetchFor(const Step& step) {
    for (const TensorId tensor : step.touched)
      if (m_first[tensor] < m_step) fetch(tensor);
    if (m_options.prefetch != Prefetch::PreviousConvolution || !offloads(step.op->layer)) return;
    for (int next = m_step + 1; next < static_cast<int>(m_steps.size()); ++next) {
      const LayerId layer = m_steps[static_cast<std::size_t>(next)].op->layer;
      if (!offloads(layer)) continue;
      for (const TensorId tensor : m_outputs[layer])
        if (m_last[tensor] >= m_step) fetch(tensor);
      return;
    }
  }

  void rebuildFor(const Step& step) {
    std::vector<TensorId> wanted;
    for (const TensorId tensor : step.touched)
      if (isCheap(tensor) && !m_resident.contains(tensor)) wanted.push_back(tensor);
    // The layer's own output last: on its way its input is rebuilt.
    std::ranges::sort(wanted, {}, [&](TensorId tensor) { return m_first[tensor]; });
    if (wanted.empty()) return;
    const std::vector<LayerId> chain = chainTo(wanted.back());
    const TensorId checkpoint = m_inputOf.at(chain.front());
    if (isScheduledTensor(checkpoint)) {
      fetch(checkpoint);
      m_lastRebuildRead[checkpoint] = m_step;
    }
    for (const LayerId layer : chain) {
      const TensorId output = m_outputs[layer].front(), input = m_inputOf[layer];
      if (m_resident.contains(output)) continue;
      m_resident.insert(output);
      ++m_result.extraForwards;
      m_peak = std::max(m_peak, resident());
      if (isMemoryCentric(layer) && isCheap(input) && !step.touched.contains(input)) m_resident.erase(input);
    }
  }

  void release(const Step& step) {
    for (const TensorId tensor : step.touched) {
      if (!step.isForward || m_lastForward[tensor] != m_step) continue;
      if (isCheap(tensor)) m_resident.erase(tensor);
      if (isOffloaded(tensor)) {
        m_resident.erase(tensor);
        m_result.copiedOut += size(tensor);
      }
    }
    std::erase_if(m_resident, [&](TensorId tensor) { return m_last[tensor] <= m_step; });
  }

  const Workload& m_workload;
  const PolicyOptions& m_options;
  std::vector<Step> m_steps;
  std::map<TensorId, int> m_first, m_lastForward, m_last, m_lastRebuildRead;
  std::map<TensorId, LayerId> m_producer;
  std::map<LayerId, TensorId> m_inputOf;
  std::map<LayerId, std::vector<TensorId>> m_outputs;
  std::int64_t m_lPeak = 0;
  int m_step = 0;
  std::int64_t m_peak = 0;      ///< highest so far within the step
  Tensors m_resident;
  Accounting m_result;
};

Accounting keepAll(const Workload& workload) {
  Tensors all;
  int steps = 0;
  for (const OpId id : workload.route) {
    const Op& op = workload.ops[id];
    steps += op.phase == Phase::Forward || op.phase == Phase::Backward ? 1 : 0;
    for (const OpArg& arg : op.args)
      if (isScheduled(workload.tensors[arg.tensor].kind)) all.insert(arg.tensor);
  }
  std::int64_t sum = 0;
  for (const TensorId tensor : all) sum += workload.tensors[tensor].shapeBytes.count();
  const std::vector<std::int64_t> flat(static_cast<std::size_t>(steps), sum);
  return {.live = flat, .peakInStep = flat};
}

}  // namespace

Accounting bruteForce(const Workload& workload, const PolicyOptions& options) {
  const Techniques& on = options.techniques;
  if (options.policy == "keep-all" || !(on.liveness || on.offload || on.recompute)) return keepAll(workload);
  PolicyOptions used = options;
  if (options.policy == "liveness") used.techniques = {.liveness = true};
  return Interpreter(workload, used).run();
}

}  // namespace peakscope::test
