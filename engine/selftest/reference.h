// SPDX-License-Identifier: Apache-2.0
//
// The reference: every op as loops in double over plain tensors, as its formula is written in a book. Slow, and never
// changed to agree with a backend.
//
//   runReference({.desc = desc, .args = args, .tensors = tensors, .input = input});
#pragma once

#include <utility>

#include "engine/selftest/op_runner.h"

namespace peakscope::engine {

void runReference(const OpCall& call);

namespace reference {

/// The tensors of a call by role. Results are written whole, after all inputs were read, so ops may work in place.
class Operands {
 public:
  explicit Operands(const OpCall& call) : m_call(call) {}
  [[nodiscard]] const OpDesc& desc() const { return m_call.desc; }
  [[nodiscard]] const OpCall& call() const { return m_call; }
  [[nodiscard]] bool has(ArgRole role, std::int32_t index = 0) const { return find(role, index) != nullptr; }
  [[nodiscard]] const Values& in(ArgRole role, std::int32_t index = 0) const { return find(role, index)->values; }
  /// Nothing happens if the op has no such arg.
  void out(ArgRole role, std::int32_t index, Values values) const {
    if (HostTensor* tensor = find(role, index)) tensor->values = std::move(values);
  }
  void out(ArgRole role, Values values) const { out(role, 0, std::move(values)); }

 private:
  [[nodiscard]] HostTensor* find(ArgRole role, std::int32_t index) const {
    for (const OpArg& arg : m_call.args)
      if (arg.role == role && arg.index == index) return &m_call.tensors[arg.tensor];
    return nullptr;
  }
  const OpCall& m_call;
};

[[nodiscard]] constexpr std::size_t at(const Shape& s, std::int64_t n, std::int64_t c, std::int64_t h, std::int64_t w) {
  return static_cast<std::size_t>(((n * s.c + c) * s.h + h) * s.w + w);
}
[[nodiscard]] inline Values zeros(std::int64_t elements) { return Values(static_cast<std::size_t>(elements), 0.0); }

/// Calls use(n, c, h, w) for every element of a shape.
template <class Use>
void forEach(const Shape& s, Use use) {
  for (std::int64_t n = 0; n < s.n; ++n)
    for (std::int64_t c = 0; c < s.c; ++c)
      for (std::int64_t h = 0; h < s.h; ++h)
        for (std::int64_t w = 0; w < s.w; ++w) use(n, c, h, w);
}

void load(const Operands& o);
void convolution(const Operands& o, const ConvParams& p);
void fullyConnected(const Operands& o, const FcParams& p);
void pool(const Operands& o, PoolParams p);
void relu(const Operands& o);
void lrn(const Operands& o, const LrnParams& p);
void batchNorm(const Operands& o, const BatchNormParams& p);
void dropout(const Operands& o, const DropoutParams& p);
void softmaxLoss(const Operands& o);
void add(const Operands& o);
void concat(const Operands& o);
void fork(const Operands& o);
void channelPad(const Operands& o, const ChannelPadParams& p);
void update(const Operands& o);

}  // namespace reference
}  // namespace peakscope::engine
