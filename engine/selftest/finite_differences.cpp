// SPDX-License-Identifier: Apache-2.0
//
// The reference against itself: the gradient that its backward ops give, along a direction, is the slope of its loss.
#include <algorithm>
#include <cmath>
#include <map>

#include "engine/backend_failure.h"
#include "engine/lowering.h"
#include "engine/selftest/conformance.h"
#include "engine/selftest/conformance_cases.h"
#include "engine/selftest/reference.h"
#include "engine/selftest/sample_tensors.h"

namespace peakscope::engine {
namespace {

constexpr double step = 1e-5;
constexpr double tolerance = 1e-6;

class Network {
 public:
  Network(const Lowering& lowering, const IterationInput& input) : m_lowering(lowering), m_input(input), m_start(sampleTensors(lowering)) {
    for (const OpId op : lowering.workload.route)
      if (lowering.workload.ops[op].phase == Phase::Load) run(op, m_start);
  }

  [[nodiscard]] const Tensor& tensor(TensorId id) const { return m_lowering.workload.tensors[id]; }

  /// By parameter, and of the input image where the lowering computes it.
  [[nodiscard]] std::map<TensorId, Values> gradients() const {
    std::map<TensorId, Values> result;
    HostTensors tensors = m_start;
    for (const OpId op : m_lowering.workload.route) {
      const Phase phase = m_lowering.workload.ops[op].phase;
      if (phase == Phase::Load || phase == Phase::Update) continue;   // parameters stay
      run(op, tensors);
      if (phase == Phase::Backward) collect(m_lowering.workload.ops[op], tensors, result);
    }
    return result;
  }

  /// With `direction` times `step` added to one tensor before anything runs.
  [[nodiscard]] double loss(TensorId moved, const Values& direction, double by) const {
    HostTensors tensors = m_start;
    for (std::size_t i = 0; i < direction.size(); ++i) tensors[moved].values[i] += by * direction[i];
    double loss = 0;
    for (const OpId op : m_lowering.workload.route) {
      if (m_lowering.workload.ops[op].phase != Phase::Forward) continue;
      run(op, tensors);
      for (const OpArg& arg : m_lowering.workload.ops[op].args)
        if (arg.role == ArgRole::Loss) loss = tensors[arg.tensor].values[0] / static_cast<double>(m_lowering.workload.batch);
    }
    return loss;
  }

 private:
  void run(OpId op, HostTensors& tensors) const {
    runReference({.desc = m_lowering.ops[op], .args = m_lowering.workload.ops[op].args, .tensors = tensors, .input = m_input});
  }

  void collect(const Op& op, const HostTensors& tensors, std::map<TensorId, Values>& result) const {
    const auto find = [&](ArgRole role) {
      for (const OpArg& arg : op.args)
        if (arg.role == role) return arg.tensor;
      return TensorId{};
    };
    const auto take = [&](ArgRole role, ArgRole gradient) {
      if (find(role).isValid() && find(gradient).isValid()) result[find(role)] = tensors[find(gradient)].values;
    };
    take(ArgRole::Weights, ArgRole::DiffWeights);
    const TensorId src = find(ArgRole::Src);
    if (src.isValid() && tensor(src).kind == TensorKind::Input) take(ArgRole::Src, ArgRole::DiffSrc);
    // Backward of a convolution does not read its bias; the gradient is of the parameter with the name in front.
    const TensorId diffBias = find(ArgRole::DiffBias);
    if (!diffBias.isValid()) return;
    for (const OpId other : m_lowering.workload.route)
      if (m_lowering.workload.ops[other].layer == op.layer)
        for (const OpArg& arg : m_lowering.workload.ops[other].args)
          if (arg.role == ArgRole::Bias) result[arg.tensor] = tensors[diffBias].values;
  }

  const Lowering& m_lowering;
  const IterationInput& m_input;
  HostTensors m_start;
};

ConformanceResult check(const ConformanceCase& c, const LoweringOptions& options) {
  IdealLibrary library;
  const Lowering lowering = lower(c.graph, c.batch, options, library);
  const Layer& data = c.graph.layers[c.graph.dataLayer()];
  const SampleBatch batch({c.batch, data.shape.c, data.shape.h, data.shape.w}, std::get<DataParams>(data.params).classes, true);
  const IterationInput input = batch.input(true);
  const Network network(lowering, input);

  ConformanceResult result{.name = c.name + ", " + options.text(), .tolerance = tolerance};
  for (const auto& [id, gradient] : network.gradients()) {
    Random random(hashOf(network.tensor(id).name));
    Values direction;
    double slope = 0, size = 0;
    for (const double value : gradient) {
      direction.push_back(random.below(2) == 0 ? 1 : -1);
      slope += value * direction.back();
      size += std::abs(value);
    }
    const double measured = (network.loss(id, direction, step) - network.loss(id, direction, -step)) / (2 * step);
    const double error = std::abs(measured - slope) / std::max(size, 1e-3);
    if (error >= result.maxError || std::isnan(error)) {
      result.maxError = std::isnan(error) ? INFINITY : error;
      result.detail = network.tensor(id).name;
    }
  }
  result.passed = result.maxError <= tolerance;
  return result;
}

}  // namespace

std::vector<ConformanceResult> checkReference() {
  std::vector<ConformanceResult> results;
  for (const ConformanceCase& c : conformanceCases())
    for (const LoweringOptions& options : {LoweringOptions::paper(), LoweringOptions::lean()}) results.push_back(check(c, options));
  return results;
}

}  // namespace peakscope::engine
