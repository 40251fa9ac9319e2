// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/op_cache.h"

#include "engine/data/random.h"

namespace peakscope::engine::cpu {
namespace {

std::uint64_t hashOf(const OpDesc& desc) {
  std::uint64_t hash = mix(desc.params.index(), static_cast<std::uint64_t>(desc.phase));
  const auto add = [&](const TensorDesc& tensor) {
    for (const std::int64_t side : tensor.shape.dims()) hash = mix(hash, static_cast<std::uint64_t>(side));
  };
  for (const TensorDesc& src : desc.src) add(src);
  add(desc.dst);
  return hash;
}

}  // namespace

CpuOp& OpCache::op(const OpDesc& desc, std::int32_t candidate) {
  OpDesc key = desc;
  if (!std::holds_alternative<DropoutParams>(key.params)) key.layer.clear();   // the name keys dropout's counters, nothing else
  auto& bucket = m_entries[hashOf(key)];
  for (Entry& entry : bucket)
    if (entry.candidate == candidate && entry.desc == key) return *entry.op;
  bucket.push_back({key, candidate, makeCpuOp(key, candidate, m_threads)});
  ++m_size;
  return *bucket.back().op;
}

}  // namespace peakscope::engine::cpu
