// SPDX-License-Identifier: Apache-2.0
//
// WaitingBlocks: the blocks that have no place yet, asked for the heaviest that lives within some moments.
//
//   WaitingBlocks waiting(timed, weights);
//   if (const auto block = waiting.heaviestWithin(begin, end)) waiting.remove(*block);
#pragma once

#include <optional>
#include <span>

#include "memory/placement/timed_blocks.h"

namespace peakscope {

/// A tree over the blocks by birth; each node knows its heaviest block and its earliest end, so that a search leaves out
/// what is too light and what dies too late.
class WaitingBlocks {
 public:
  WaitingBlocks(const TimedBlocks& blocks, std::span<const double> weights);

  /// Of blocks that weigh the same, the one born first.
  [[nodiscard]] std::optional<std::size_t> heaviestWithin(std::int32_t begin, std::int32_t end) const;
  void remove(std::size_t block);

 private:
  struct Node {
    std::int32_t rank;       ///< of its heaviest block: 0 is the heaviest of all
    std::int32_t earliestEnd;
  };
  struct Search {
    std::size_t first, last;   ///< blocks born within the moments
    std::int32_t end;
    std::int32_t found;        ///< the best rank so far
  };
  void search(std::size_t node, std::size_t first, std::size_t last, Search& search) const;

  const TimedBlocks& m_blocks;
  std::vector<std::size_t> m_byRank;
  std::vector<std::size_t> m_firstBorn;   ///< per moment: the first block that is born then or later
  std::size_t m_leaves = 1;
  std::vector<Node> m_nodes;              ///< children of i: 2i and 2i + 1; leaves last
};

}  // namespace peakscope
