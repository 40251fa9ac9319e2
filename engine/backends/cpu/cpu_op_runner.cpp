// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/cpu_op_runner.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "engine/backend_failure.h"
#include "engine/backends/cpu/cpu_op.h"
#include "engine/backends/cpu/dnnl_support.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {
namespace {

constexpr std::byte poison{0xFF};   // as a float: NaN

/// Bytes as an arena would give them, with a guard on both sides.
class GuardedBytes {
 public:
  explicit GuardedBytes(Bytes bytes) : m_size(static_cast<std::size_t>(bytes.count())), m_storage(m_size + 3 * guard, poison) {
    const auto address = reinterpret_cast<std::uintptr_t>(m_storage.data());
    m_offset = guard + (guard - address % guard) % guard;
  }
  [[nodiscard]] std::byte* data() { return m_storage.data() + m_offset; }
  [[nodiscard]] std::span<std::byte> span() { return {data(), m_size}; }
  [[nodiscard]] bool areGuardsIntact() const {
    const auto isPoison = [](std::byte b) { return b == poison; };
    const auto begin = m_storage.begin() + static_cast<std::ptrdiff_t>(m_offset);
    return std::all_of(m_storage.begin(), begin, isPoison) && std::all_of(begin + static_cast<std::ptrdiff_t>(m_size), m_storage.end(), isPoison);
  }

 private:
  static constexpr std::size_t guard = 64;
  std::size_t m_size;
  std::vector<std::byte> m_storage;
  std::size_t m_offset = 0;
};

template <class Use>
void forEachElement(const TensorDesc& desc, Use use) {
  const Strides strides = stridesOf(desc);
  std::size_t plain = 0;
  for (std::int64_t n = 0; n < desc.shape.n; ++n)
    for (std::int64_t c = 0; c < desc.shape.c; ++c)
      for (std::int64_t h = 0; h < desc.shape.h; ++h)
        for (std::int64_t w = 0; w < desc.shape.w; ++w) use(plain++, n * strides.n + c * strides.c + h * strides.h + w * strides.w);
}

void write(const HostTensor& tensor, ArgRole role, std::byte* to) {
  if (role == ArgRole::Saved) {
    std::copy(tensor.opaque.begin(), tensor.opaque.end(), to);
  } else if (role == ArgRole::Labels) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) reinterpret_cast<std::int32_t*>(to)[i] = static_cast<std::int32_t>(tensor.values[i]);
  } else {
    forEachElement(tensor.desc, [&](std::size_t plain, std::int64_t at) { reinterpret_cast<float*>(to)[at] = static_cast<float>(tensor.values.at(plain)); });
  }
}

void read(HostTensor& tensor, ArgRole role, const std::byte* from) {
  if (role == ArgRole::Saved) {
    tensor.opaque.assign(from, from + tensor.bytes.count());
    return;
  }
  tensor.values.resize(static_cast<std::size_t>(tensor.desc.shape.elements()));
  if (role == ArgRole::Labels) {
    for (std::size_t i = 0; i < tensor.values.size(); ++i) tensor.values[i] = reinterpret_cast<const std::int32_t*>(from)[i];
  } else {
    forEachElement(tensor.desc, [&](std::size_t plain, std::int64_t at) { tensor.values[plain] = static_cast<double>(reinterpret_cast<const float*>(from)[at]); });
  }
}

struct Buffer {
  GuardedBytes bytes;
  std::vector<std::byte> before;   ///< what a tensor that is only read must still be
  bool isWritten = false;
};

}  // namespace

void CpuOpRunner::run(const OpCall& call) {
  std::map<TensorId, Buffer> buffers;
  std::vector<BoundArg> bound;
  for (const OpArg& arg : call.args) {
    const HostTensor& tensor = call.tensors[arg.tensor];
    Buffer& buffer = buffers.try_emplace(arg.tensor, Buffer{GuardedBytes(tensor.bytes), {}, false}).first->second;
    if (readsTensor(arg.access)) write(tensor, arg.role, buffer.bytes.data());
    buffer.isWritten = buffer.isWritten || writesTensor(arg.access);
  }
  for (const OpArg& arg : call.args) {
    Buffer& buffer = buffers.at(arg.tensor);
    buffer.before.assign(buffer.bytes.span().begin(), buffer.bytes.span().end());
    bound.push_back({.role = arg.role, .index = arg.index, .data = buffer.bytes.data()});
  }

  const auto op = makeCpuOp(call.desc, call.candidate, m_threads);
  GuardedBytes workspace(op->workspace());
  op->run({.args = bound, .workspace = workspace.span(), .iteration = call.input, .seed = call.seed});

  if (!workspace.areGuardsIntact()) throw BackendFailure("writes beyond its workspace");
  for (const OpArg& arg : call.args) {
    Buffer& buffer = buffers.at(arg.tensor);
    const std::string what = std::string(toString(arg.role)) + " " + std::to_string(arg.index);
    if (!buffer.bytes.areGuardsIntact()) throw BackendFailure("writes beyond " + what);
    if (!buffer.isWritten && !std::equal(buffer.before.begin(), buffer.before.end(), buffer.bytes.data())) throw BackendFailure("changes " + what + ", which it only reads");
    if (writesTensor(arg.access)) read(call.tensors[arg.tensor], arg.role, buffer.bytes.data());
  }
}

}  // namespace peakscope::engine::cpu
