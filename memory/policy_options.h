// SPDX-License-Identifier: Apache-2.0
//
// PolicyOptions: everything a user can ask of a policy. The command line and the technique panel both fill this value.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/bytes.h"

namespace peakscope {

/// Which techniques are on. Every other technique implies liveness; with all off the curve is flat.
struct Techniques {
  bool liveness = false;
  bool offload = false;    ///< offload and prefetch
  bool cache = false;      ///< the tensor cache: what offload may move leaves only under the pressure of the budget
  bool recompute = false;
  bool workspace = false;  ///< the fastest algorithm whose workspace fits; off: the smallest workspace

  /// True if any technique is on, which brings liveness along.
  [[nodiscard]] constexpr bool any() const { return liveness || offload || cache || recompute || workspace; }
  /// True if tensors may leave the device: then the options of offload and prefetch mean something.
  [[nodiscard]] constexpr bool moves() const { return offload || cache; }
  friend bool operator==(const Techniques&, const Techniques&) = default;
};
inline constexpr Techniques noTechniques{};
inline constexpr Techniques allTechniques{.liveness = true, .offload = true, .cache = true, .recompute = true, .workspace = true};
/// What --techniques takes: "liveness,offload,cache,recompute,workspace", or "none".
[[nodiscard]] std::string techniquesText(const Techniques& techniques);

/// What may leave the device: outputs of convolutions (the paper), of all checkpoints, inputs of convolutions (vDNN), or every
/// layer output.
enum class OffloadSet : std::uint8_t { Convolutions, Checkpoints, ConvolutionInputs, All };
[[nodiscard]] const char* toString(OffloadSet set);
enum class Prefetch : std::uint8_t { PreviousConvolution, OnDemand };
enum class RecomputeMode : std::uint8_t { Speed, Memory, CostAware };
/// When the device bytes of an offloaded tensor become free: at the end of its last forward reader, or at the first step
/// by which the cost table says the copy has ended (earlier only if the budget demands it).
enum class OffloadFree : std::uint8_t { LastReader, Hidden };
/// Which tensor the cache gives up first: the one touched longest ago (the paper), or the one that is needed again last,
/// which the plan knows (Belady's rule).
enum class Eviction : std::uint8_t { LeastRecentlyUsed, Belady };
/// Who finds the addresses: our packing of the whole iteration; the paper's pool (first fit over 1 KiB blocks, one request
/// after the other); or the driver (cudaMalloc and cudaFree for each tensor, which cost time).
enum class PlacementRule : std::uint8_t { Packed, Pool, Native };
[[nodiscard]] const char* toString(PlacementRule rule);

/// Which layers are checkpoints: their outputs are kept or offloaded, never rebuilt. The paper's: convolutions, fully
/// connected layers, joins, forks and concatenations. Joins: the ends of residual blocks alone, so that convolutions are
/// rebuilt too. Convolutions: convolutions and fully connected layers alone, so that joins and concatenations are rebuilt
/// (memory-efficient DenseNet). SquareRoot: about sqrt(N) layers at equal distances (Chen et al. 2016). Listed: those named.
enum class CheckpointRule : std::uint8_t { Paper, Joins, Convolutions, SquareRoot, Listed };
[[nodiscard]] const char* toString(CheckpointRule rule);

struct PolicyOptions {
  std::string policy = "superneurons";
  Techniques techniques = allTechniques;
  OffloadSet offload = OffloadSet::Convolutions;
  Prefetch prefetch = Prefetch::PreviousConvolution;
  RecomputeMode recompute = RecomputeMode::CostAware;
  CheckpointRule checkpointRule = CheckpointRule::Paper;
  std::vector<std::string> checkpoints;   ///< layer names, for CheckpointRule::Listed
  OffloadFree offloadFree = OffloadFree::LastReader;
  Eviction eviction = Eviction::LeastRecentlyUsed;
  PlacementRule placement = PlacementRule::Packed;
  std::optional<Bytes> budget;      ///< cap on the arena; none: the device's memory
  std::optional<Bytes> hostBudget;  ///< cap on host bytes; none: the device's host memory

  friend bool operator==(const PolicyOptions&, const PolicyOptions&) = default;
};

}  // namespace peakscope
