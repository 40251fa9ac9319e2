// SPDX-License-Identifier: Apache-2.0
//
// c = a b (+ bias), or c += a b, by oneDNN's matmul with its scratchpad in our workspace.
//
//   Product product(matrix(n, k, Tag::ab), matrix(k, m, Tag::ba), matrix(n, m, Tag::ab));   // b is stored transposed
//   product.run(a, b, c, nullptr, scratch);
#pragma once

#include "engine/backends/cpu/dnnl_support.h"

namespace peakscope::engine::cpu {

[[nodiscard]] inline dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns, dnnl::memory::format_tag tag) {
  return {{rows, columns}, dnnl::memory::data_type::f32, tag};
}

class Product {
 public:
  enum class Into { Overwrite, Add };

  Product() = default;
  Product(const dnnl::memory::desc& a, const dnnl::memory::desc& b, const dnnl::memory::desc& c, const dnnl::memory::desc& bias = {}, Into into = Into::Overwrite)
      : m_a(a), m_b(b), m_c(c), m_bias(bias) {
    dnnl::primitive_attr attributes = userScratchpad();
    if (into == Into::Add) {
      dnnl::post_ops sum;
      sum.append_sum();
      attributes.set_post_ops(sum);
    }
    const auto desc = bias.is_zero() ? dnnl::matmul::desc(a, b, c) : dnnl::matmul::desc(a, b, bias, c);
    m_primitive = Primitive(dnnl::matmul::primitive_desc(desc, attributes, dnnlEngine()));
  }

  [[nodiscard]] Bytes scratchpad() const { return m_primitive.scratchpad(); }
  void run(void* a, void* b, void* c, void* bias, std::byte* scratch) {
    std::unordered_map<int, dnnl::memory> args{{DNNL_ARG_SRC, at(m_a, a)}, {DNNL_ARG_WEIGHTS, at(m_b, b)}, {DNNL_ARG_DST, at(m_c, c)}};
    if (!m_bias.is_zero()) args.insert({DNNL_ARG_BIAS, at(m_bias, bias)});
    m_primitive.run(std::move(args), scratch);
  }

 private:
  dnnl::memory::desc m_a, m_b, m_c, m_bias;
  Primitive m_primitive;
};

/// sums[c] = sum over rows, in the order of the rows.
inline void sumRows(const float* matrix, std::int64_t rows, std::int64_t columns, float* sums) {
  for (std::int64_t c = 0; c < columns; ++c) sums[c] = 0;
  for (std::int64_t r = 0; r < rows; ++r) {
    const float* row = matrix + r * columns;
#pragma omp simd
    for (std::int64_t c = 0; c < columns; ++c) sums[c] += row[c];
  }
}

}  // namespace peakscope::engine::cpu
