// SPDX-License-Identifier: Apache-2.0
//
// Reproduction: the paper's memory results beside ours, as plain values. engine/planning/reproduction.h plans and fills it;
// the page, the tables and the summary beside this file only write it down.
//
//   Reproduction found = *engine::reproduce({.networksDir = dir, .device = k40c, .makeBackend = makeBackend});
//   writeReproduction("out", found);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "memory/bytes.h"
#include "memory/workload.h"

namespace peakscope::report {

/// How well a published number is known.
enum class Mark : std::uint8_t {
  Paper,              ///< stands in the part of the paper that was read
  Recollected,        ///< from memory or from summaries by others, not verified
  RecollectedEqual,   ///< recollected; an independent model of the counting gives every printed digit
  Computed,           ///< derived from the counting rules, not printed anywhere
};
/// "paper", "recollected", "recollected, computed equal", "computed"
[[nodiscard]] const char* toString(Mark mark);

/// A number as it was printed, with its digits behind the point.
struct Published {
  double value = 0;
  int decimals = 0;
  Mark mark = Mark::Recollected;
  friend bool operator==(const Published&, const Published&) = default;
};
/// "1132.155"
[[nodiscard]] std::string toText(const Published& published);
/// Whether `ours`, rounded to the printed digits, is the published number.
[[nodiscard]] bool isEqualAsPrinted(double ours, const Published& published);
[[nodiscard]] inline double inMiB(Bytes bytes) { return static_cast<double>(bytes.count()) / static_cast<double>(bytesPerMiB); }

/// One configuration of the step curves.
struct StepCurve {
  std::string name, techniques;            ///< "with recomputation", and what --techniques takes
  std::vector<Bytes> live, liveInStep;     ///< scheduled bytes: while the layer itself runs; with its rebuilds
  Bytes peak;
  std::int32_t peakStep = 0;
  Published peakPublished;                 ///< MiB
  std::optional<Published> savedPublished; ///< percent of the first curve's peak
};
struct StepCurves {
  std::string net;
  std::int64_t batch = 0;
  std::vector<std::string> layers;         ///< of steps 1, 2, ...
  std::vector<Phase> phases;
  std::vector<StepCurve> curves;           ///< the first is the baseline
};
/// 0.4829 of 1: what `curve` saves of the baseline.
[[nodiscard]] double savedShare(const StepCurves& curves, const StepCurve& curve);

/// One mode of recomputation on one network.
struct RecomputeRow {
  std::string net, mode;
  std::int64_t batch = 0;
  std::int32_t extraForwards = 0;
  Bytes peak;
  std::string peakAt;                      ///< "lrn1 backward"
  Published extraPublished, peakPublished; ///< the peak in MiB
};

/// The largest batch, or depth, of one network under one policy.
struct Limit {
  std::string policy;                      ///< of Reproduction::policies
  std::int64_t size = 0;                   ///< 0: not even the smallest fits
  Bytes arena;
  std::string limit;                       ///< what forbids one more
  std::optional<Published> published;
};
struct LimitRow {
  std::string net;
  std::vector<Limit> limits;               ///< beside Reproduction::policies
};
struct LimitPolicy {
  std::string name, system, options;       ///< "caffe-like", "Caffe", "" or "offload checkpoints, prefetch on-demand"
};

struct TrafficRow {
  std::int64_t batch = 0;
  std::optional<Bytes> eager, cached;      ///< copied an iteration, both ways; none: does not fit
  std::int32_t evictions = 0;
};

/// What one convolution runs with under one budget.
struct WorkspaceChoice {
  std::string algorithm;
  Bytes workspace;
  std::int64_t timeNs = 0;
};
struct WorkspaceRow {
  std::int32_t step = 0;
  std::string layer;
  Phase phase = Phase::Forward;
  std::vector<WorkspaceChoice> choices;    ///< beside WorkspaceTable::budgets
};
struct WorkspaceTable {
  std::string net;
  std::int64_t batch = 0;
  std::vector<Bytes> budgets;
  std::vector<Bytes> arenas;               ///< what the plan takes of each budget
  std::vector<WorkspaceRow> rows;
};

/// One network with its tensors in the paper's pool, and with one allocation of the driver for each.
struct PoolRow {
  std::string net;
  std::int64_t batch = 0;
  std::int64_t poolNs = 0, nativeNs = 0;   ///< modelled length of an iteration
  std::int64_t driverCalls = 0;            ///< of malloc and free, an iteration
  std::optional<Published> poolPublished, nativePublished;   ///< images/s
  Published ratioPublished;

  [[nodiscard]] double imagesPerSecond(std::int64_t ns) const { return ns > 0 ? static_cast<double>(batch) * 1e9 / static_cast<double>(ns) : 0; }
  [[nodiscard]] double ratio() const { return poolNs > 0 ? static_cast<double>(nativeNs) / static_cast<double>(poolNs) : 0; }
};

struct Reproduction {
  std::string device, costs;               ///< "NVIDIA Tesla K40c", "modelled for ..."
  Bytes budget;                            ///< of the limits and the traffic
  std::int64_t nativeAllocNs = 0;
  StepCurves steps;
  std::vector<RecomputeRow> recompute;
  std::vector<LimitPolicy> policies;
  std::vector<LimitRow> batches;
  LimitRow depth;
  std::int64_t depthBatch = 0;
  Published depthRatio;                    ///< the deepest over the best other system's
  std::string trafficNet;
  std::vector<TrafficRow> traffic;
  Published trafficPerImage;               ///< MiB
  WorkspaceTable workspaces;
  std::vector<PoolRow> pool;
};

/// How many of the published figures of Fig. 10 and Table 1 are met in every printed digit.
struct Agreement {
  int equal = 0, figures = 0;
};
[[nodiscard]] Agreement agreement(const Reproduction& found);
/// The deepest of ours over the best that a policy of another system reaches.
[[nodiscard]] double depthRatio(const Reproduction& found);

}  // namespace peakscope::report
