// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/dnnl_support.h"

namespace peakscope::engine::cpu {
namespace {

dnnl::stream& dnnlStream() {
  // oneDNN's streams on the CPU hold no work; one per thread that executes keeps them apart.
  thread_local dnnl::stream stream(dnnlEngine());
  return stream;
}

}  // namespace

dnnl::engine& dnnlEngine() {
  // A handle to "the CPU", without state of ours.
  static dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

dnnl::memory::desc memoryDesc(const TensorDesc& desc) {
  using Tag = dnnl::memory::format_tag;
  const Shape& s = desc.shape;
  return {{s.n, s.c, s.h, s.w}, dnnl::memory::data_type::f32, desc.layout == Layout::ChannelsLast ? Tag::nhwc : Tag::nchw};
}

dnnl::primitive_attr userScratchpad() {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attributes;
}

void Primitive::run(std::unordered_map<int, dnnl::memory> args, std::byte* scratchpad) {
  if (sizeOf(m_scratchpad) > Bytes{}) args.insert({DNNL_ARG_SCRATCHPAD, at(m_scratchpad, scratchpad)});
  try {
    m_primitive.execute(dnnlStream(), args);
  } catch (const dnnl::error& error) {
    throw BackendFailure(std::string("oneDNN failed: ") + error.what());
  }
}

Reorder::Reorder(const dnnl::memory::desc& from, const dnnl::memory::desc& to) : m_from(from), m_to(to), m_isNeeded(from != to) {
  if (m_isNeeded) m_primitive = Primitive(dnnl::reorder::primitive_desc(dnnlEngine(), from, dnnlEngine(), to, userScratchpad()));
}

void Reorder::run(void* from, void* to, std::byte* scratchpad) {
  if (m_isNeeded) m_primitive.run({{DNNL_ARG_FROM, at(m_from, from)}, {DNNL_ARG_TO, at(m_to, to)}}, scratchpad);
}

}  // namespace peakscope::engine::cpu
