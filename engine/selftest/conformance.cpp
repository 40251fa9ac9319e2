// SPDX-License-Identifier: Apache-2.0
#include "engine/selftest/conformance.h"

#include <algorithm>
#include <cmath>

#include "engine/backend_failure.h"
#include "engine/lowering.h"
#include "engine/selftest/conformance_cases.h"
#include "engine/selftest/reference.h"
#include "engine/selftest/sample_tensors.h"
#include "memory/plan.h"

namespace peakscope::engine {
namespace {

/// fp32 sums of a few hundred terms; what only selects or copies is exact; Winograd trades digits for speed.
double toleranceOf(const OpDesc& desc, const OpCandidate& candidate) {
  if (candidate.algorithm == "winograd") return 1e-3;
  if (desc.phase == Phase::Load) return 0;
  return std::visit(Overloaded{
                        [](const ReluParams&) { return 0.0; },
                        [](const ForkParams&) { return 1e-6; },
                        [](const ConcatParams&) { return 0.0; },
                        [](const ChannelPadParams&) { return 0.0; },
                        [](const AddParams&) { return 1e-6; },
                        [](const DropoutParams&) { return 1e-6; },
                        [](const auto&) { return 2e-5; },
                    },
                    desc.params);
}

double largest(const Values& values) {
  double result = 0;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

/// Infinite where anything is not a number or missing.
double errorOf(const Values& actual, const Values& expected, double scale) {
  if (actual.size() != expected.size()) return INFINITY;
  double worst = 0;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double error = std::abs(actual[i] - expected[i]);
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  return worst == 0 ? 0 : worst / std::max({largest(expected), scale, 1e-30});
}

bool haveSameBits(const HostTensor& a, const HostTensor& b) { return a.values == b.values && a.opaque == b.opaque; }

class CaseRun {
 public:
  CaseRun(OpRunner& runner, const Lowering& lowering, const IterationInput& input, std::string name)
      : m_runner(runner), m_lowering(lowering), m_input(input), m_tensors(sampleTensors(lowering)) {
    m_result.name = std::move(name);
  }

  ConformanceResult run() {
    for (const OpId op : m_lowering.workload.route) {
      try {
        check(op);
      } catch (const BackendFailure& failure) {
        fail(opName(m_lowering.workload, op) + ": " + failure.what());
      }
      if (!m_result.passed) break;
    }
    return m_result;
  }

 private:
  const Op& opOf(OpId op) const { return m_lowering.workload.ops[op]; }
  OpCall call(OpId op, HostTensors& tensors, std::int32_t candidate) const {
    return {.desc = m_lowering.ops[op], .args = opOf(op).args, .tensors = tensors, .input = m_input, .candidate = candidate};
  }
  void fail(std::string why) {
    m_result.passed = false;
    m_result.detail = std::move(why);
  }

  void check(OpId op) {
    HostTensors expected = m_tensors;
    runReference(call(op, expected, 0));
    HostTensors first;
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(opOf(op).candidates.size()); ++k) {
      HostTensors actual = m_tensors, again = m_tensors;
      m_runner.run(call(op, actual, k));
      m_runner.run(call(op, again, k));
      compare(op, k, actual, expected);
      requireSameBits(op, actual, again, "differs when it runs again");
      if (opOf(op).rebuild.isValid()) checkRebuild(op, k, actual);
      if (k == 0) first = std::move(actual);
    }
    proceed(op, expected, first);
  }

  /// A rebuild reads what the backend's own forward op left, and must write it once more.
  void checkRebuild(OpId op, std::int32_t candidate, const HostTensors& forward) {
    const OpId rebuild = opOf(op).rebuild;
    HostTensors rebuilt = forward;
    for (const OpArg& arg : opOf(rebuild).args)
      if (arg.access == Access::Write) rebuilt[arg.tensor].values.clear(), rebuilt[arg.tensor].opaque.clear();
    const auto last = static_cast<std::int32_t>(opOf(rebuild).candidates.size()) - 1;
    m_runner.run(call(rebuild, rebuilt, std::min(candidate, last)));
    requireSameBits(rebuild, rebuilt, forward, "is not what forward wrote");
  }

  void compare(OpId op, std::int32_t candidate, const HostTensors& actual, const HostTensors& expected) {
    const OpCandidate& algorithm = opOf(op).candidates[static_cast<std::size_t>(candidate)];
    const double tolerance = toleranceOf(m_lowering.ops[op], algorithm);
    double scale = 0;   // Note [Errors are relative to what flows through]
    for (const OpArg& arg : opOf(op).args)
      if (arg.role == ArgRole::DiffDst) scale = std::max(scale, largest(m_tensors[arg.tensor].values));
    for (const OpArg& arg : opOf(op).args) {
      if (!writesTensor(arg.access) || arg.role == ArgRole::Saved) continue;
      const double error = errorOf(actual[arg.tensor].values, expected[arg.tensor].values, scale);
      const bool isWorse = error * m_result.tolerance > m_result.maxError * tolerance || m_result.tolerance == 0;
      const bool passes = error <= tolerance;
      if (!isWorse && passes) continue;
      m_result.maxError = error;
      m_result.tolerance = tolerance;
      m_result.detail = opName(m_lowering.workload, op) + " (" + algorithm.algorithm + "), " + m_lowering.workload.tensors[arg.tensor].name;
      m_result.passed = m_result.passed && passes;
      if (!passes) return;
    }
  }

  void requireSameBits(OpId op, const HostTensors& a, const HostTensors& b, const char* otherwise) {
    for (const OpArg& arg : opOf(op).args)
      if (writesTensor(arg.access) && !haveSameBits(a[arg.tensor], b[arg.tensor]))
        return fail(opName(m_lowering.workload, op) + ": " + m_lowering.workload.tensors[arg.tensor].name + " " + otherwise);
  }

  /// The next op gets the reference's values, and what the backend saved for itself.
  void proceed(OpId op, HostTensors& expected, const HostTensors& actual) {
    for (const OpArg& arg : opOf(op).args) {
      if (!writesTensor(arg.access)) continue;
      HostTensor& tensor = m_tensors[arg.tensor];
      tensor.values = std::move(expected[arg.tensor].values);
      expected[arg.tensor].values = tensor.values;   // an in-place op names its tensor twice
      for (double& value : tensor.values) value = static_cast<double>(static_cast<float>(value));
      tensor.opaque = actual[arg.tensor].opaque;
    }
  }

  OpRunner& m_runner;
  const Lowering& m_lowering;
  const IterationInput& m_input;
  HostTensors m_tensors;
  ConformanceResult m_result;
};

ConformanceResult runCase(OpRunner& runner, const ConformanceCase& c, const LoweringOptions& options, bool isTraining) {
  const Lowering lowering = isTraining ? lower(c.graph, c.batch, options, runner.library()) : lowerForEvaluation(c.graph, c.batch, options, runner.library());
  const Layer& data = c.graph.layers[c.graph.dataLayer()];
  const SampleBatch batch({c.batch, data.shape.c, data.shape.h, data.shape.w}, std::get<DataParams>(data.params).classes, isTraining);
  const IterationInput input = batch.input(isTraining);
  return CaseRun(runner, lowering, input, c.name + ", " + (isTraining ? options.text() : "evaluation")).run();
}

}  // namespace

std::vector<ConformanceResult> runConformance(OpRunner& runner) {
  std::vector<ConformanceResult> results;
  for (const ConformanceCase& c : conformanceCases()) {
    results.push_back(runCase(runner, c, LoweringOptions::paper(), true));
    results.push_back(runCase(runner, c, LoweringOptions::lean(), true));
    results.push_back(runCase(runner, c, LoweringOptions::lean(), false));
  }
  return results;
}

}  // namespace peakscope::engine
