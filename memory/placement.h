// SPDX-License-Identifier: Apache-2.0
//
// Placement: gives blocks with lifetimes their offsets, so that blocks that live at the same time do not overlap.
// Pure arithmetic over offsets: no memory is touched.
//
//   std::vector<Block> blocks{{.begin = 0, .end = 3, .bytes = Bytes{512}}, ...};
//   Bytes extent = placeBlocks(blocks);               // fills Block::offset
#pragma once

#include <cstdint>
#include <vector>

#include "memory/bytes.h"

namespace peakscope {

/// Alive from `begin` up to, not including, `end`; bytes are already rounded to slots.
struct Block {
  std::int32_t begin = 0;
  std::int32_t end = 0;
  Bytes bytes;
  Bytes offset;
};

/// Returns the extent: the bound, or little more. The same on every machine. See Note [Placement].
[[nodiscard]] Bytes placeBlocks(std::vector<Block>& blocks);
/// The most bytes alive at once: no placement can do with less.
[[nodiscard]] Bytes largestLiveSum(const std::vector<Block>& blocks);

}  // namespace peakscope
