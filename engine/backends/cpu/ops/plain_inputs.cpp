// SPDX-License-Identifier: Apache-2.0
//
// The network's input is plain, activations are channels-last. Convolutions and fully connected layers take both; any
// other op that reads the input gets it reordered, and its gradient back:
//   workspace = [ src k, channels last | diffSrc k, channels last | ... | scratchpad or the op's own ]
#include <algorithm>
#include <vector>

#include "engine/backends/cpu/dnnl_support.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

bool takesEveryLayout(const LayerParams& params) {
  return std::holds_alternative<DataParams>(params) || std::holds_alternative<ConvParams>(params) || std::holds_alternative<FcParams>(params);
}
bool isPlainImage(const TensorDesc& desc) { return desc.layout == Layout::Plain && desc.shape.h * desc.shape.w > 1 && desc.shape.c > 1; }

struct PlainInput {
  std::int32_t index;
  Reorder in, out;
  Bytes bytes;
  Bytes src, diffSrc;        ///< where they are in the workspace
  bool isGradientPlain;      ///< a gradient in place of diffDst has that one's layout
};

class WithPlainInputs final : public CpuOp {
 public:
  WithPlainInputs(const OpDesc& desc, const std::function<OpPointer(const OpDesc&)>& make) {
    OpDesc inner = desc;
    for (std::size_t k = 0; k < desc.src.size(); ++k) {
      if (!isPlainImage(desc.src[k])) continue;
      inner.src[k].layout = Layout::ChannelsLast;
      const auto plain = memoryDesc(desc.src[k]), channelsLast = memoryDesc(inner.src[k]);
      const Bytes bytes = padded(desc.src[k].shape.bytes());
      m_inputs.push_back({static_cast<std::int32_t>(k), Reorder(plain, channelsLast), Reorder(channelsLast, plain), bytes, m_own, m_own + bytes, !(desc.isInPlace && k == 0)});
      m_own += bytes + bytes;
      m_scratch = std::max({m_scratch, m_inputs.back().in.scratchpad(), m_inputs.back().out.scratchpad()});
    }
    m_op = make(inner);
    m_scratch = std::max(m_scratch, m_op->workspace());
  }

  void run(const CpuOpContext& context) override {
    std::byte* own = context.workspace.data();
    std::byte* scratch = own + m_own.count();
    m_args.assign(context.args.begin(), context.args.end());
    for (PlainInput& input : m_inputs)
      for (BoundArg& arg : m_args) {
        if (arg.index != input.index) continue;
        if (arg.role == ArgRole::Src) {
          input.in.run(arg.data, own + input.src.count(), scratch);
          arg.data = own + input.src.count();
        }
        if (arg.role == ArgRole::DiffSrc && input.isGradientPlain) arg.data = own + input.diffSrc.count();
      }
    m_op->run({.args = m_args, .workspace = context.workspace.subspan(static_cast<std::size_t>(m_own.count())), .iteration = context.iteration, .seed = context.seed});
    for (PlainInput& input : m_inputs)
      if (std::byte* diffSrc = context.data<std::byte>(ArgRole::DiffSrc, input.index); diffSrc != nullptr && input.isGradientPlain)
        input.out.run(own + input.diffSrc.count(), diffSrc, scratch);
  }

  [[nodiscard]] Bytes workspace() const override { return m_own + m_scratch; }

 private:
  OpPointer m_op;
  std::vector<PlainInput> m_inputs;
  std::vector<BoundArg> m_args;   ///< kept, so that running takes nothing from the heap
  Bytes m_own, m_scratch;
};

}  // namespace

bool hasPlainInputs(const OpDesc& desc) {
  const bool isChannelsLast = desc.dst.layout == Layout::ChannelsLast || desc.dst.shape.h * desc.dst.shape.w == 1;
  return isChannelsLast && !takesEveryLayout(desc.params) && std::any_of(desc.src.begin(), desc.src.end(), isPlainImage);
}

OpPointer makeWithPlainInputs(const OpDesc& desc, const std::function<OpPointer(const OpDesc&)>& make) {
  return describing("the layout of the input", [&]() -> OpPointer { return std::make_unique<WithPlainInputs>(desc, make); });
}

}  // namespace peakscope::engine::cpu
