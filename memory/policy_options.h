// SPDX-License-Identifier: Apache-2.0
//
// PolicyOptions: everything a user can ask of a policy. The command line and the technique panel both fill this value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "memory/bytes.h"

namespace peakscope {

/// Which techniques are on. Every other technique implies liveness; with liveness off the curve is flat.
struct Techniques {
  bool liveness = true;
  bool offload = true;    ///< offload and prefetch
  bool recompute = true;

  friend bool operator==(const Techniques&, const Techniques&) = default;
};
/// What --techniques takes: "liveness,offload,recompute", or "none".
[[nodiscard]] std::string techniquesText(const Techniques& techniques);

enum class OffloadSet : std::uint8_t { Convolutions, Checkpoints };
enum class Prefetch : std::uint8_t { PreviousConvolution, OnDemand };
enum class RecomputeMode : std::uint8_t { Speed, Memory, CostAware };
/// When the device bytes of an offloaded tensor become free: at the end of its last forward reader, or at the first step
/// by which the cost table says the copy has ended (earlier only if the budget demands it).
enum class OffloadFree : std::uint8_t { LastReader, Hidden };

struct PolicyOptions {
  std::string policy = "superneurons";
  Techniques techniques;
  OffloadSet offload = OffloadSet::Convolutions;
  Prefetch prefetch = Prefetch::PreviousConvolution;
  RecomputeMode recompute = RecomputeMode::CostAware;
  OffloadFree offloadFree = OffloadFree::LastReader;
  std::optional<Bytes> budget;      ///< cap on the arena; none: the device's memory
  std::optional<Bytes> hostBudget;  ///< cap on host bytes; none: the device's host memory

  friend bool operator==(const PolicyOptions&, const PolicyOptions&) = default;
};

}  // namespace peakscope
