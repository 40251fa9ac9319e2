// SPDX-License-Identifier: Apache-2.0
//
// PaperPool: the memory pool as the paper describes it (section 3.2.1): one region in blocks of 1 KiB, a list of empty
// nodes and a table from id to the allocated node. A request takes the first empty node with enough blocks; a free puts the
// node back into the empty list, where neighbours are joined. It hands out offsets and touches no memory.
//
//   PaperPool pool;
//   const Bytes offset = pool.allocate(7, Bytes{3000});   // 3 blocks
//   pool.free(7);
//   pool.extent();                                        // how large the region must be
//
// The paper's region has a fixed size; this one grows at its end, so that it can be asked how large it must be.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>

#include "memory/bytes.h"

namespace peakscope {

inline constexpr Bytes poolBlockBytes{1024};

class PaperPool {
 public:
  explicit PaperPool(Bytes block = poolBlockBytes) : m_block(block) {}

  /// `id` must not be allocated.
  [[nodiscard]] Bytes allocate(std::int64_t id, Bytes bytes);
  /// `id` must be allocated.
  void free(std::int64_t id);

  [[nodiscard]] Bytes extent() const { return m_block * m_extent; }      ///< the most that was ever in use, with its gaps
  [[nodiscard]] Bytes allocated() const { return m_block * m_allocated; }
  [[nodiscard]] Bytes freeBelowExtent() const { return extent() - allocated(); }
  [[nodiscard]] Bytes largestEmpty() const;

 private:
  struct Node { std::int64_t first = 0, blocks = 0; };
  Bytes m_block;
  std::map<std::int64_t, std::int64_t> m_empty;           ///< first block -> blocks, in the order of places
  std::unordered_map<std::int64_t, Node> m_nodes;         ///< allocated, by id
  std::int64_t m_extent = 0, m_allocated = 0;             ///< in blocks
};

}  // namespace peakscope
