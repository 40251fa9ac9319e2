// SPDX-License-Identifier: Apache-2.0
//
// Picks the op for a description. Also the one place that sets the thread count: oneDNN and OpenMP take it per calling
// thread, for describing and for executing, and results depend on it in their last bits.
#include "engine/backends/cpu/cpu_op.h"

#include <omp.h>

#include "engine/backend_failure.h"
#include "engine/backends/cpu/ops/ops.h"
#include "memory/plan.h"

namespace peakscope::engine::cpu {
namespace {

/// Runs another op with a fixed number of threads.
class WithThreads final : public CpuOp {
 public:
  WithThreads(OpPointer op, std::int32_t threads) : m_op(std::move(op)), m_threads(threads) {}
  void run(const CpuOpContext& context) override {
    omp_set_num_threads(m_threads);
    m_op->run(context);
  }
  [[nodiscard]] Bytes workspace() const override { return m_op->workspace(); }

 private:
  OpPointer m_op;
  std::int32_t m_threads;
};

OpPointer makeAlternative(const OpDesc& desc) {
  const auto* conv = std::get_if<ConvParams>(&desc.params);
  const bool isPass = desc.phase == Phase::Forward || desc.phase == Phase::Rebuild || desc.phase == Phase::Backward;
  return conv != nullptr && isPass && !hasPlainInputs(desc) ? makeConvolutionByWinograd(desc, *conv) : nullptr;
}

OpPointer make(const OpDesc& desc, std::int32_t threads) {
  if (desc.phase == Phase::Update) return makeUpdate(desc);
  if (hasPlainInputs(desc)) return makeWithPlainInputs(desc, [threads](const OpDesc& inner) { return make(inner, threads); });
  return std::visit(Overloaded{
                        [&](const DataParams&) { return makeLoad(desc); },
                        [&](const ConvParams& p) { return makeConvolution(desc, p); },
                        [&](const FcParams& p) { return makeFullyConnected(desc, p); },
                        [&](const PoolParams& p) { return makePool(desc, p); },
                        [&](const ReluParams&) { return makeRelu(desc); },
                        [&](const LrnParams& p) { return makeLrn(desc, p, threads); },
                        [&](const BatchNormParams& p) { return makeBatchNorm(desc, p); },
                        [&](const DropoutParams& p) { return makeDropout(desc, p); },
                        [&](const SoftmaxLossParams&) { return makeSoftmaxLoss(desc); },
                        [&](const AddParams&) { return makeAdd(desc); },
                        [&](const ConcatParams&) { return makeConcat(desc); },
                        [&](const ForkParams&) { return makeFork(desc); },
                        [&](const ChannelPadParams& p) { return makeChannelPad(desc, p); },
                        [&](const PlannedOnly auto&) -> OpPointer {
                          throw BackendFailure("layer " + desc.layer + ", of type " + typeName(desc.params) +
                                               ": backend cpu cannot compute it yet; plan or simulate the network, which counts layouts as ideal");
                        },
                        [&](const FlattenParams&) -> OpPointer { throw BackendFailure("flatten is a view and runs no op"); },
                    },
                    desc.params);
}

}  // namespace

std::int32_t effectiveThreads(std::int32_t asked) { return asked > 0 ? asked : omp_get_num_procs(); }

std::unique_ptr<CpuOp> findCpuOp(const OpDesc& desc, std::int32_t candidate, std::int32_t threads) {
  const std::int32_t count = effectiveThreads(threads);
  omp_set_num_threads(count);
  OpPointer op = candidate == 0 ? make(desc, count) : candidate == 1 ? makeAlternative(desc) : nullptr;
  return op ? std::make_unique<WithThreads>(std::move(op), count) : nullptr;
}

std::unique_ptr<CpuOp> makeCpuOp(const OpDesc& desc, std::int32_t candidate, std::int32_t threads) {
  auto op = findCpuOp(desc, candidate, threads);
  if (!op) throw BackendFailure("op of layer " + desc.layer + " has no implementation " + std::to_string(candidate));
  return op;
}

}  // namespace peakscope::engine::cpu
