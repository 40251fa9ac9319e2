// SPDX-License-Identifier: Apache-2.0
//
// Liveness (paper section on liveness analysis): a tensor is allocated by the first op that touches it and freed after the
// last one. First and last use on the route decide, so it costs one pass over the uses.
#pragma once

#include "memory/techniques/schedule.h"

namespace peakscope {

/// GradientsOnly: layer outputs live for the whole iteration, as where layers own them.
enum class LivenessScope { Everything, GradientsOnly };

void applyLiveness(Schedule& schedule, LivenessScope scope = LivenessScope::Everything);

}  // namespace peakscope
