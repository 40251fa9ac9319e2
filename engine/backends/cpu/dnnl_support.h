// SPDX-License-Identifier: Apache-2.0
//
// The one file that knows how oneDNN 2.6 is called: descriptors from our TensorDesc, memories over our addresses,
// primitives with scratchpads that are ours, errors as BackendFailure.
//
//   Primitive forward(pd);                              // takes scratchpad_mode::user primitive descriptors
//   forward.run({{DNNL_ARG_SRC, at(srcDesc, src)}, ...}, scratchpad);
#pragma once

#include <cstddef>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>

#include "engine/backend_failure.h"
#include "engine/shape.h"
#include "memory/bytes.h"

namespace peakscope::engine::cpu {

[[nodiscard]] dnnl::engine& dnnlEngine();
[[nodiscard]] dnnl::memory::desc memoryDesc(const TensorDesc& desc);
[[nodiscard]] dnnl::primitive_attr userScratchpad();
[[nodiscard]] inline dnnl::memory at(const dnnl::memory::desc& desc, void* data) { return {desc, dnnlEngine(), data}; }
[[nodiscard]] inline Bytes sizeOf(const dnnl::memory::desc& desc) { return Bytes{static_cast<std::int64_t>(desc.get_size())}; }
/// Every part of a workspace starts on a cache line.
inline constexpr Bytes workspaceAlignment{64};
[[nodiscard]] constexpr Bytes padded(Bytes bytes) { return roundUp(bytes, workspaceAlignment); }

/// A primitive and the scratchpad that its descriptor asks for.
class Primitive {
 public:
  Primitive() = default;
  template <class Descriptor>
  explicit Primitive(const Descriptor& descriptor) : m_primitive(descriptor.get()), m_scratchpad(descriptor.scratchpad_desc()) {}

  [[nodiscard]] Bytes scratchpad() const { return padded(sizeOf(m_scratchpad)); }
  void run(std::unordered_map<int, dnnl::memory> args, std::byte* scratchpad);

 private:
  dnnl::primitive m_primitive;
  dnnl::memory::desc m_scratchpad;
};

/// Copies between layouts; nothing to do where they are equal.
class Reorder {
 public:
  Reorder() = default;
  Reorder(const dnnl::memory::desc& from, const dnnl::memory::desc& to);
  [[nodiscard]] bool isNeeded() const { return m_isNeeded; }
  [[nodiscard]] Bytes scratchpad() const { return m_isNeeded ? m_primitive.scratchpad() : Bytes{}; }
  void run(void* from, void* to, std::byte* scratchpad);

 private:
  dnnl::memory::desc m_from, m_to;
  Primitive m_primitive;
  bool m_isNeeded = false;
};

/// Runs `build` and turns what oneDNN throws into one line.
template <class Build>
auto describing(const char* what, Build build) {
  try {
    return build();
  } catch (const dnnl::error& error) {
    throw BackendFailure(std::string("oneDNN cannot do ") + what + ": " + error.what() + "; try another lowering or backend");
  }
}

}  // namespace peakscope::engine::cpu
