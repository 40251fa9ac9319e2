// SPDX-License-Identifier: Apache-2.0
//
// The tensors on the device (and host) right after a plan step: the list beside the curve. Its sum equals the curve's
// value at that step, to the byte; a test over all samples says so.
#pragma once

#include <span>
#include <vector>

#include "memory/analysis/memory_curve.h"

namespace peakscope::analysis {

enum class TensorState : std::uint8_t { OnDevice, CopyingOut, CopyingIn, OnHost, Recomputed };
[[nodiscard]] const char* toString(TensorState state);

struct LiveTensor {
  TensorId tensor;          ///< invalid for a workspace: then `op` says whose
  OpId op;
  ChartKind kind = ChartKind::Activation;
  TensorState state = TensorState::OnDevice;
  Bytes bytes;              ///< on the device; 0 when only on the host
  Bytes shapeBytes;
  Bytes hostBytes;
  Bytes offset;             ///< arena offset
  PaperStep bornAt = 0;
  PaperStep nextUse = 0;    ///< 0: none in this iteration
  Cause cause;              ///< why it is here: first use, rebuilt for, prefetched at
};

/// Ordered by kind, then by bytes, largest first, then by name.
[[nodiscard]] std::vector<LiveTensor> liveAt(const Workload& workload, const Plan& plan, PlanStepId step,
                                             std::span<const Deviation> deviations = {});

}  // namespace peakscope::analysis
