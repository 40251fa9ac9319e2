// SPDX-License-Identifier: Apache-2.0
//
// What was published, number by number, each with its mark. These are the only numbers of the reproduction that are not
// planned. "MB" of the paper are MiB.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "memory/policy_options.h"
#include "memory/report/reproduction/reproduction.h"

namespace peakscope::engine::reproduction {

using report::Mark;
using report::Published;

/// Fig. 10: AlexNet, batch 200.
struct PublishedStepPeak {
  const char* name;
  Techniques techniques;
  Published peakMiB;
  std::optional<Published> savedPercent;
};
inline constexpr std::int64_t stepBatch = 200;
inline const std::array<PublishedStepPeak, 4> stepPeaks{{
    {"nothing freed", noTechniques, {2189.437, 3, Mark::RecollectedEqual}, std::nullopt},
    {"liveness", {.liveness = true}, {1489.355, 3, Mark::RecollectedEqual}, Published{31.98, 2, Mark::Recollected}},
    {"with offload and prefetch", {.liveness = true, .offload = true}, {1132.155, 3, Mark::Recollected}, Published{48.29, 2, Mark::Recollected}},
    {"with recomputation", {.liveness = true, .offload = true, .recompute = true}, {886.385, 3, Mark::Recollected}, Published{59.52, 2, Mark::Recollected}},
}};

/// Table 1: extra forwards and peak of the three modes: speed-centric, memory-centric, cost-aware.
struct PublishedRecompute {
  const char* net;
  std::int64_t batch;
  OffloadSet offload;
  Prefetch prefetch;
  std::array<Published, 3> extraForwards, peakMiB;
};
inline constexpr Published counted(double value) { return {value, 0, Mark::RecollectedEqual}; }
inline const std::array<PublishedRecompute, 3> recomputeModesPublished{{
    {"alexnet", 200, OffloadSet::Convolutions, Prefetch::PreviousConvolution, {counted(14), counted(23), counted(17)},
     {Published{993.018, 3, Mark::RecollectedEqual}, Published{886.23, 2, Mark::RecollectedEqual}, Published{886.23, 2, Mark::RecollectedEqual}}},
    {"resnet50", 32, OffloadSet::Checkpoints, Prefetch::OnDemand, {counted(84), counted(118), counted(85)},
     {Published{455.125, 3, Mark::RecollectedEqual}, Published{401, 0, Mark::Recollected}, Published{401, 0, Mark::Recollected}}},
    {"resnet101", 32, OffloadSet::Checkpoints, Prefetch::OnDemand, {counted(169), counted(237), counted(170)},
     {Published{455.125, 3, Mark::RecollectedEqual}, Published{401, 0, Mark::Recollected}, Published{401, 0, Mark::Recollected}}},
}};

/// Largest batches and depths on a 12 GB K40c, in the order Caffe, MXNet, Torch, TensorFlow, SuperNeurons; 0: not published.
struct PublishedLimits {
  const char* net;
  std::array<std::int64_t, 5> sizes;
};
inline constexpr std::array<PublishedLimits, 6> largestBatchesPublished{{
    {"alexnet", {768, 768, 1024, 1408, 1792}},
    {"vgg16", {48, 64, 48, 80, 224}},
    {"inception4", {16, 0, 0, 64, 240}},
    {"resnet50", {24, 80, 32, 128, 384}},
    {"resnet101", {16, 48, 16, 80, 256}},
    {"resnet152", {16, 32, 16, 48, 176}},
}};
inline constexpr std::int64_t depthBatch = 16;
inline constexpr PublishedLimits deepestPublished{"resnet", {148, 480, 152, 592, 1920}};
inline constexpr Published depthRatioPublished{3.2432, 4, Mark::Paper};

/// AlexNet: bytes of all convolution outputs, out and back, an image.
inline constexpr Published trafficPerImagePublished{4.96, 2, Mark::Computed};

/// images/s on a K40c, native allocation and pool; 0: only the ratio is known.
struct PublishedSpeed {
  const char* net;
  std::int64_t batch;          ///< ours: the published ones are not known
  double nativeRate, poolRate;
  int nativeDecimals, poolDecimals;
  double ratio;                ///< 0: poolRate / nativeRate
};
inline constexpr std::array<PublishedSpeed, 6> speedsPublished{{
    {"alexnet", 200, 359.4, 401.6, 1, 1, 0},
    {"vgg16", 32, 12.1, 14.4, 1, 1, 0},
    {"inception4", 32, 6.77, 10.0, 2, 1, 0},
    {"resnet50", 32, 21.5, 36.1, 1, 1, 0},
    {"resnet101", 32, 0, 0, 0, 0, 1.7},
    {"resnet152", 32, 0, 0, 0, 0, 1.77},
}};

}  // namespace peakscope::engine::reproduction
