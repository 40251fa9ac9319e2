// SPDX-License-Identifier: Apache-2.0
//
// Fully connected layers on oneDNN's matmul, which takes no hidden buffers (the inner product primitive does).
//   dst = src W' + b       diffSrc = diffDst W       diffW = diffDst' src       diffB = column sums of diffDst
// An image with more than one pixel is brought into plain order in the workspace, so that weights are O x CHW everywhere:
//   workspace = [ src, plain | diffSrc, plain | scratchpad ]
#include <algorithm>

#include "engine/backends/cpu/ops/matrix_product.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;

struct Sides {
  std::int64_t n, in, out;
  explicit Sides(const OpDesc& desc) : n(desc.src[0].shape.n), in(desc.src[0].shape.elements() / desc.src[0].shape.n), out(desc.dst.shape.c) {}
};

TensorDesc plainOf(const TensorDesc& desc) { return {desc.shape, Layout::Plain}; }
bool isFlat(const TensorDesc& desc) { return desc.layout == Layout::Plain || desc.shape.h * desc.shape.w == 1; }

class Forward final : public CpuOp {
 public:
  Forward(const OpDesc& desc, const FcParams& params) {
    const Sides s(desc);
    m_product = Product(matrix(s.n, s.in, Tag::ab), matrix(s.in, s.out, Tag::ba), matrix(s.n, s.out, Tag::ab),
                        params.hasBias ? matrix(1, s.out, Tag::ab) : memory::desc());
    if (isFlat(desc.src[0])) return;
    m_srcBytes = padded(desc.src[0].shape.bytes());
    m_flatten = Reorder(memoryDesc(desc.src[0]), memoryDesc(plainOf(desc.src[0])));
  }
  void run(const CpuOpContext& context) override {
    std::byte* scratch = context.workspace.data() + m_srcBytes.count();
    void* src = context.data(ArgRole::Src);
    if (m_flatten.isNeeded()) {
      m_flatten.run(src, context.workspace.data(), scratch);
      src = context.workspace.data();
    }
    m_product.run(src, context.data(ArgRole::Weights), context.data(ArgRole::Dst), context.data(ArgRole::Bias), scratch);
  }
  [[nodiscard]] Bytes workspace() const override { return m_srcBytes + std::max(m_product.scratchpad(), m_flatten.scratchpad()); }

 private:
  Product m_product;
  Reorder m_flatten;
  Bytes m_srcBytes;
};

class Backward final : public CpuOp {
 public:
  explicit Backward(const OpDesc& desc) : m_sides(desc), m_needsDiffSrc(desc.needsDiffSrc) {
    const Sides& s = m_sides;
    m_weightsProduct = Product(matrix(s.out, s.n, Tag::ba), matrix(s.n, s.in, Tag::ab), matrix(s.out, s.in, Tag::ab));
    if (m_needsDiffSrc) m_dataProduct = Product(matrix(s.n, s.out, Tag::ab), matrix(s.out, s.in, Tag::ab), matrix(s.n, s.in, Tag::ab));
    if (isFlat(desc.src[0])) return;
    m_plainBytes = padded(desc.src[0].shape.bytes());
    m_flatten = Reorder(memoryDesc(desc.src[0]), memoryDesc(plainOf(desc.src[0])));
    m_unflatten = Reorder(memoryDesc(plainOf(desc.src[0])), memoryDesc(desc.src[0]));
  }

  void run(const CpuOpContext& context) override {
    // src and diffSrc are plain one after the other: the same bytes serve both.
    std::byte* plain = context.workspace.data();
    std::byte* scratch = plain + m_plainBytes.count();
    float* diffDst = context.data(ArgRole::DiffDst);
    void* src = context.data(ArgRole::Src);
    if (m_flatten.isNeeded()) {
      m_flatten.run(src, plain, scratch);
      src = plain;
    }
    m_weightsProduct.run(diffDst, src, context.data(ArgRole::DiffWeights), nullptr, scratch);
    if (float* diffBias = context.data(ArgRole::DiffBias)) sumRows(diffDst, m_sides.n, m_sides.out, diffBias);
    if (!m_needsDiffSrc) return;
    void* diffSrc = context.data(ArgRole::DiffSrc);
    m_dataProduct.run(diffDst, context.data(ArgRole::Weights), m_unflatten.isNeeded() ? plain : diffSrc, nullptr, scratch);
    m_unflatten.run(plain, diffSrc, scratch);
  }

  [[nodiscard]] Bytes workspace() const override {
    Bytes scratch = std::max({m_weightsProduct.scratchpad(), m_flatten.scratchpad(), m_unflatten.scratchpad()});
    if (m_needsDiffSrc) scratch = std::max(scratch, m_dataProduct.scratchpad());
    return m_plainBytes + scratch;
  }

 private:
  Sides m_sides;
  bool m_needsDiffSrc;
  Product m_dataProduct, m_weightsProduct;
  Reorder m_flatten, m_unflatten;
  Bytes m_plainBytes;
};

}  // namespace

OpPointer makeFullyConnected(const OpDesc& desc, const FcParams& params) {
  return describing("this fully connected layer", [&]() -> OpPointer {
    if (desc.phase == Phase::Backward) return std::make_unique<Backward>(desc);
    return std::make_unique<Forward>(desc, params);
  });
}

}  // namespace peakscope::engine::cpu
