// SPDX-License-Identifier: Apache-2.0
//
// The ops of the CPU backend, one file per layer family; cpu_op.cpp picks by the kind of layer.
#pragma once

#include <functional>
#include <memory>

#include "engine/backends/cpu/cpu_op.h"

namespace peakscope::engine::cpu {

using OpPointer = std::unique_ptr<CpuOp>;

[[nodiscard]] OpPointer makeConvolution(const OpDesc& desc, const ConvParams& params);
/// For few input channels, where oneDNN has only its reference implementation for channels-last.
[[nodiscard]] bool suitsColumns(const OpDesc& desc, const ConvParams& params);
[[nodiscard]] OpPointer makeConvolutionByColumns(const OpDesc& desc, const ConvParams& params);
/// Null if it does not suit, or if this machine has it not.
[[nodiscard]] OpPointer makeConvolutionByWinograd(const OpDesc& desc, const ConvParams& params);
[[nodiscard]] OpPointer makeFullyConnected(const OpDesc& desc, const FcParams& params);
[[nodiscard]] OpPointer makeBatchNorm(const OpDesc& desc, const BatchNormParams& params);
[[nodiscard]] OpPointer makeBatchNormPerActivation(const OpDesc& desc, const BatchNormParams& params);
[[nodiscard]] OpPointer makePool(const OpDesc& desc, const PoolParams& params);
[[nodiscard]] OpPointer makeRelu(const OpDesc& desc);
[[nodiscard]] OpPointer makeLrn(const OpDesc& desc, const LrnParams& params, std::int32_t threads);
[[nodiscard]] OpPointer makeDropout(const OpDesc& desc, const DropoutParams& params);
[[nodiscard]] OpPointer makeSoftmaxLoss(const OpDesc& desc);
[[nodiscard]] OpPointer makeAdd(const OpDesc& desc);
[[nodiscard]] OpPointer makeConcat(const OpDesc& desc);
[[nodiscard]] OpPointer makeFork(const OpDesc& desc);
[[nodiscard]] OpPointer makeChannelPad(const OpDesc& desc, const ChannelPadParams& params);
[[nodiscard]] OpPointer makeLoad(const OpDesc& desc);
[[nodiscard]] OpPointer makeUpdate(const OpDesc& desc);

/// Whether an op that works in one layout has an input in another: the network's input, which is plain.
[[nodiscard]] bool hasPlainInputs(const OpDesc& desc);
/// `make` is given the description with all inputs channels-last.
[[nodiscard]] OpPointer makeWithPlainInputs(const OpDesc& desc, const std::function<OpPointer(const OpDesc&)>& make);

/// Bytes of Saved that a forward op writes for backward.
[[nodiscard]] Bytes savedByBatchNorm(const OpDesc& desc, const BatchNormParams& params);
[[nodiscard]] Bytes savedByPool(const OpDesc& desc, const PoolParams& params);

/// An op without workspace whose work is a function: the own kernels.
template <class Work>
OpPointer makeKernel(Work work) {
  class Kernel final : public CpuOp {
   public:
    explicit Kernel(Work w) : m_work(std::move(w)) {}
    void run(const CpuOpContext& context) override { m_work(context); }
    [[nodiscard]] Bytes workspace() const override { return {}; }

   private:
    Work m_work;
  };
  return std::make_unique<Kernel>(std::move(work));
}

/// Position of an element in memory; channels are innermost in ChannelsLast.
struct Strides {
  std::int64_t n, c, h, w;
};
[[nodiscard]] constexpr Strides stridesOf(const TensorDesc& desc) {
  const Shape& s = desc.shape;
  if (desc.layout == Layout::ChannelsLast) return {s.c * s.h * s.w, 1, s.w * s.c, s.c};
  return {s.c * s.h * s.w, s.h * s.w, s.w, 1};
}

}  // namespace peakscope::engine::cpu
