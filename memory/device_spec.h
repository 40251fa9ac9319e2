// SPDX-License-Identifier: Apache-2.0
//
// DeviceSpec: what a device can do, as a value read from resources/devices/*.json. The planner takes its capacity and
// alignment, the cost model its speeds.
#pragma once

#include <string>

#include "memory/bytes.h"

namespace peakscope {

struct DeviceSpec {
  std::string name;                       ///< "NVIDIA Tesla K40c"
  std::string source;                     ///< where the figures come from
  Bytes memory;                           ///< device memory
  Bytes hostMemory;                       ///< what offloading may use on the host
  Bytes alignment{256};                   ///< of every slot in the arena
  double flopsPerSecond = 0;              ///< fp32
  double memoryBytesPerSecond = 0;
  double linkBytesPerSecond = 0;          ///< host link, each direction
  double launchNanoseconds = 0;           ///< cost of starting one op
  double nativeAllocNanoseconds = 0;      ///< of one cudaMalloc or cudaFree, both of which stop the device (PlacementRule::Native)

  friend bool operator==(const DeviceSpec&, const DeviceSpec&) = default;
};

}  // namespace peakscope
