// SPDX-License-Identifier: Apache-2.0
//
// TimedBlocks: what placement works on. The blocks that take bytes for a while, in the order of their birth, with the
// moments at which something begins or ends numbered 0, 1, 2, ...: arrays by moment are then as short as the list of blocks.
//
//   const TimedBlocks timed = timedBlocks(blocks);
//   for (std::size_t i = 0; i < timed.size(); ++i) use(timed.begin[i], timed.end[i], timed.bytes[i]);
#pragma once

#include <cstdint>
#include <vector>

#include "memory/placement.h"

namespace peakscope {

struct TimedBlocks {
  std::vector<std::size_t> index;      ///< position in the list of blocks
  std::vector<std::int32_t> begin, end;
  std::vector<std::int64_t> bytes;
  std::vector<std::int64_t> live;      ///< per moment: bytes alive from it to the next one

  [[nodiscard]] std::size_t size() const { return index.size(); }
  [[nodiscard]] std::int32_t momentCount() const { return static_cast<std::int32_t>(live.size()); }
};

[[nodiscard]] TimedBlocks timedBlocks(const std::vector<Block>& blocks);

/// An offset for each of the timed blocks, and the bytes that they reach.
struct Placement {
  std::vector<std::int64_t> offsets;
  std::int64_t extent = 0;
};

}  // namespace peakscope
