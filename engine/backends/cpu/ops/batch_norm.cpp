// SPDX-License-Identifier: Apache-2.0
//
// Batch norm by oneDNN, alone or with the ReLU behind it. A rebuild normalises with the saved statistics, which repeats
// the training forward bit for bit and leaves the running statistics alone.
#include <cmath>

#include "engine/backends/cpu/dnnl_support.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

using dnnl::memory;
using Flags = dnnl::normalization_flags;

dnnl::batch_normalization_forward::primitive_desc forwardDesc(const OpDesc& desc, const BatchNormParams& params, bool usesGivenStatistics) {
  Flags flags = Flags::use_scale | Flags::use_shift;
  if (desc.hasFusedRelu) flags |= Flags::fuse_norm_relu;
  if (usesGivenStatistics) flags |= Flags::use_global_stats;
  const auto kind = desc.isTraining ? dnnl::prop_kind::forward_training : dnnl::prop_kind::forward_inference;
  return {{kind, memoryDesc(desc.src[0]), params.epsilon, flags}, userScratchpad(), dnnlEngine()};
}

memory::desc perChannel(const OpDesc& desc) { return {{desc.dst.shape.c}, memory::data_type::f32, memory::format_tag::x}; }

class Forward final : public CpuOp {
 public:
  Forward(const OpDesc& desc, const BatchNormParams& params)
      : m_data(memoryDesc(desc.src[0])), m_channel(perChannel(desc)), m_isFirst(desc.phase == Phase::Forward && desc.isTraining),
        m_isTraining(desc.isTraining), m_momentum(params.momentum), m_channels(desc.dst.shape.c),
        m_values(desc.dst.shape.n * desc.dst.shape.h * desc.dst.shape.w) {
    const auto pd = forwardDesc(desc, params, !m_isFirst);
    m_saved = pd.workspace_desc();
    m_primitive = Primitive(pd);
  }

  void run(const CpuOpContext& context) override {
    float* mean = context.data(m_isTraining ? ArgRole::Mean : ArgRole::RunningMean);
    float* variance = context.data(m_isTraining ? ArgRole::Variance : ArgRole::RunningVariance);
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, at(m_data, context.data(ArgRole::Src))},
                                         {DNNL_ARG_DST, at(m_data, context.data(ArgRole::Dst))},
                                         {DNNL_ARG_SCALE, at(m_channel, context.data(ArgRole::Weights))},
                                         {DNNL_ARG_SHIFT, at(m_channel, context.data(ArgRole::Bias))},
                                         {DNNL_ARG_MEAN, at(m_channel, mean)},
                                         {DNNL_ARG_VARIANCE, at(m_channel, variance)}};
    if (sizeOf(m_saved) > Bytes{}) args.insert({DNNL_ARG_WORKSPACE, at(m_saved, context.data<std::byte>(ArgRole::Saved))});
    m_primitive.run(std::move(args), context.workspace.data());
    if (m_isFirst) updateRunning(context, mean, variance);
  }

  [[nodiscard]] Bytes workspace() const override { return m_primitive.scratchpad(); }

 private:
  /// The running variance is the unbiased estimate, as evaluation expects it.
  void updateRunning(const CpuOpContext& context, const float* mean, const float* variance) const {
    float* runningMean = context.data(ArgRole::RunningMean);
    float* runningVariance = context.data(ArgRole::RunningVariance);
    const float unbiased = m_values > 1 ? static_cast<float>(m_values) / static_cast<float>(m_values - 1) : 1.0F;
    for (std::int64_t c = 0; c < m_channels; ++c) {
      runningMean[c] += m_momentum * (mean[c] - runningMean[c]);
      runningVariance[c] += m_momentum * (variance[c] * unbiased - runningVariance[c]);
    }
  }

  memory::desc m_data, m_channel, m_saved;
  Primitive m_primitive;
  bool m_isFirst, m_isTraining;
  float m_momentum;
  std::int64_t m_channels, m_values;
};

class Backward final : public CpuOp {
 public:
  Backward(const OpDesc& desc, const BatchNormParams& params) : m_data(memoryDesc(desc.src[0])), m_channel(perChannel(desc)) {
    // oneDNN writes the gradient of x in any case; where nobody wants it, it goes to the workspace.
    if (!desc.needsDiffSrc) m_unwanted = padded(sizeOf(m_data));
    Flags flags = Flags::use_scale | Flags::use_shift;
    if (desc.hasFusedRelu) flags |= Flags::fuse_norm_relu;
    const auto hint = forwardDesc(desc, params, false);
    const dnnl::batch_normalization_backward::primitive_desc pd({dnnl::prop_kind::backward, m_data, m_data, params.epsilon, flags}, userScratchpad(), dnnlEngine(), hint);
    m_saved = hint.workspace_desc();
    m_primitive = Primitive(pd);
  }

  void run(const CpuOpContext& context) override {
    void* diffSrc = m_unwanted > Bytes{} ? static_cast<void*>(context.workspace.data()) : context.data(ArgRole::DiffSrc);
    std::unordered_map<int, memory> args{{DNNL_ARG_SRC, at(m_data, context.data(ArgRole::Src))},
                                         {DNNL_ARG_MEAN, at(m_channel, context.data(ArgRole::Mean))},
                                         {DNNL_ARG_VARIANCE, at(m_channel, context.data(ArgRole::Variance))},
                                         {DNNL_ARG_SCALE, at(m_channel, context.data(ArgRole::Weights))},
                                         {DNNL_ARG_SHIFT, at(m_channel, context.data(ArgRole::Bias))},
                                         {DNNL_ARG_DIFF_DST, at(m_data, context.data(ArgRole::DiffDst))},
                                         {DNNL_ARG_DIFF_SRC, at(m_data, diffSrc)},
                                         {DNNL_ARG_DIFF_SCALE, at(m_channel, context.data(ArgRole::DiffWeights))},
                                         {DNNL_ARG_DIFF_SHIFT, at(m_channel, context.data(ArgRole::DiffBias))}};
    if (sizeOf(m_saved) > Bytes{}) args.insert({DNNL_ARG_WORKSPACE, at(m_saved, context.data<std::byte>(ArgRole::Saved))});
    m_primitive.run(std::move(args), context.workspace.data() + m_unwanted.count());
  }

  [[nodiscard]] Bytes workspace() const override { return m_unwanted + m_primitive.scratchpad(); }

 private:
  memory::desc m_data, m_channel, m_saved;
  Primitive m_primitive;
  Bytes m_unwanted;
};

}  // namespace

OpPointer makeBatchNorm(const OpDesc& desc, const BatchNormParams& params) {
  if (params.isPerActivation) return makeBatchNormPerActivation(desc, params);
  return describing("this batch norm", [&]() -> OpPointer {
    if (desc.phase == Phase::Backward) return std::make_unique<Backward>(desc, params);
    return std::make_unique<Forward>(desc, params);
  });
}

Bytes savedByBatchNorm(const OpDesc& desc, const BatchNormParams& params) {
  if (!desc.isTraining || !desc.hasFusedRelu) return {};
  return describing("this batch norm", [&] { return sizeOf(forwardDesc(desc, params, false).workspace_desc()); });
}

}  // namespace peakscope::engine::cpu
