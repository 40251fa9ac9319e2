// SPDX-License-Identifier: Apache-2.0
//
// OpCache: executable ops by description, so that thousands of layers of a few dozen shapes share a few dozen primitives.
//
//   CpuOp& op = cache.op(desc, candidate);      // built on the first call
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "engine/backends/cpu/cpu_op.h"

namespace peakscope::engine::cpu {

class OpCache {
 public:
  explicit OpCache(std::int32_t threads) : m_threads(threads) {}

  /// Throws BackendFailure if the library refuses. The op stays where it is for the life of the cache.
  [[nodiscard]] CpuOp& op(const OpDesc& desc, std::int32_t candidate);
  [[nodiscard]] std::int32_t size() const { return m_size; }

 private:
  struct Entry {
    OpDesc desc;
    std::int32_t candidate;
    std::unique_ptr<CpuOp> op;
  };
  std::int32_t m_threads;
  std::int32_t m_size = 0;
  std::unordered_map<std::uint64_t, std::vector<Entry>> m_entries;   ///< by a hash of what differs most
};

}  // namespace peakscope::engine::cpu
