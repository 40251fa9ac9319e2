// SPDX-License-Identifier: Apache-2.0
//
// CostTable: how long each op of one workload takes with each of its candidates, and how fast copies go.
// It always says whether the times are modelled or measured. engine/cost_model.h writes modelled ones.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "memory/bytes.h"
#include "memory/ids.h"

namespace peakscope {

enum class CostSource { Modelled, Measured };

struct CostTable {
  CostSource source = CostSource::Modelled;
  std::string description;                                        ///< "modelled for NVIDIA Tesla K40c (roofline)"
  IdVector<OpId, std::vector<std::chrono::nanoseconds>> opTimes;  ///< per candidate, same order as Op::candidates
  double linkBytesPerSecond = 0;
  std::chrono::nanoseconds nativeAllocTime{0};                    ///< of each Alloc and each Free under PlacementRule::Native

  [[nodiscard]] std::chrono::nanoseconds opTime(OpId op, std::int32_t candidate) const {
    return opTimes[op][static_cast<std::size_t>(candidate)];
  }
  [[nodiscard]] std::chrono::nanoseconds copyTime(Bytes bytes) const {
    return std::chrono::nanoseconds{static_cast<std::int64_t>(static_cast<double>(bytes.count()) / linkBytesPerSecond * 1e9)};
  }
};

}  // namespace peakscope
