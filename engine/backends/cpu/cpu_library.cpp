// SPDX-License-Identifier: Apache-2.0
//
// Note [Channels last]
// Activations lie NHWC. It never pads, so bytes are what the shape says; pooling, LRN and fully connected layers are simple
// in it; oneDNN's convolutions take it directly.
#include "engine/backends/cpu/cpu_library.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/backends/cpu/cpu_op.h"
#include "engine/backends/cpu/ops/ops.h"

namespace peakscope::engine::cpu {

/// Descriptions that were asked before. A linear search by kind and shape is short: networks repeat a few dozen.
struct CpuLibrary::Cache {
  std::vector<std::pair<OpDesc, OpNeeds>> answers;
};

CpuLibrary::CpuLibrary(std::int32_t threads) : m_threads(threads), m_cache(std::make_unique<Cache>()) {}
CpuLibrary::~CpuLibrary() = default;

Layout CpuLibrary::activationLayout(const Shape& shape) const { return shape.h * shape.w > 1 ? Layout::ChannelsLast : Layout::Plain; }

Bytes CpuLibrary::bytes(const TensorDesc& desc) const { return desc.shape.bytes(); }

OpNeeds CpuLibrary::describe(const OpDesc& desc) {
  OpDesc key = desc;
  key.layer.clear();
  // A convolution is run again by what ran it first; asking for that twice would double the time that lowering takes.
  const bool isConvolution = std::holds_alternative<ConvParams>(desc.params);
  if (isConvolution && key.phase == Phase::Rebuild) key.phase = Phase::Forward;
  const auto known = std::find_if(m_cache->answers.begin(), m_cache->answers.end(), [&](const auto& answer) { return answer.first == key; });
  if (known != m_cache->answers.end()) return known->second;
  OpNeeds needs;
  needs.candidates.push_back({isConvolution ? "direct" : "only", makeCpuOp(desc, 0, m_threads)->workspace()});
  if (isConvolution)
    if (const auto winograd = findCpuOp(desc, 1, m_threads)) needs.candidates.push_back({"winograd", winograd->workspace()});
  if (desc.phase == Phase::Forward) {
    if (const auto* pool = std::get_if<PoolParams>(&desc.params)) needs.saved = savedByPool(desc, *pool);
    if (const auto* norm = std::get_if<BatchNormParams>(&desc.params)) needs.saved = savedByBatchNorm(desc, *norm);
  }
  m_cache->answers.emplace_back(std::move(key), needs);
  return needs;
}

}  // namespace peakscope::engine::cpu
