// SPDX-License-Identifier: Apache-2.0
//
// OpDesc: what one op of a workload computes, complete enough for a backend to describe and execute it without the graph.
// Lowering writes one per op of Workload::ops; the tensors it works on are the op's args (roles in memory/workload.h).
#pragma once

#include <string>
#include <vector>

#include "engine/graph.h"
#include "engine/shape.h"
#include "memory/workload.h"

namespace peakscope::engine {

/// How an update op changes a layer's parameters; the learning rate comes with each iteration.
struct UpdateRule {
  Solver::Kind kind = Solver::Kind::Momentum;
  float momentum = 0.9F;
  float weightDecay = 0.0F;
  friend bool operator==(const UpdateRule&, const UpdateRule&) = default;
};

struct OpDesc {
  std::string layer;                   ///< name; keys dropout's counters together with seed, iteration and element
  LayerParams params;                  ///< DataParams: load
  Phase phase = Phase::Forward;        ///< Backward computes data and parameter gradients in one op, as the paper's step does
  std::vector<TensorDesc> src;         ///< one per input
  TensorDesc dst;                      ///< of each output
  bool isTraining = true;              ///< false: running statistics, no dropout, loss and hits masked by valid images
  bool isInPlace = false;              ///< dst is src (ReLU forward), diffSrc is diffDst (ReLU, LRN backward)
  bool hasFusedRelu = false;           ///< batch norm followed by ReLU in one op
  bool needsDiffSrc = true;            ///< false: the first layer in lean
  bool savesForBackward = true;        ///< lean: max pooling saves its argmax so that backward needs neither src nor dst
  bool accumulatesIntoInputZero = false;  ///< paper's join: sums into src 0, then copies to dst
  UpdateRule update;                   ///< Phase::Update only

  friend bool operator==(const OpDesc&, const OpDesc&) = default;
};

}  // namespace peakscope::engine
