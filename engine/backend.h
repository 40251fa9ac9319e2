// SPDX-License-Identifier: Apache-2.0
//
// Backend: the executing half. It owns one arena and one host region and does what plan steps say, lane by lane. It
// decides nothing. engine/executor.h walks the plan and calls it.
//
//   backend.commit(lowering, plan);                  // primitives first, memory last: a failure changes nothing
//   backend.beginIteration(io);
//   backend.run(stepId, run); backend.copyOut(stepId, copy); backend.wait(stepId, wait); ...
//   backend.endIteration();                          // joins all lanes; times of all steps are known
//
// Note [Measured never comes from the plan]
// alloc() and run() return the bytes that the backend's own descriptors state for the buffer or the workspace; the executor
// compares them with the plan and records what differs. extent() is the highest offset really handed to a kernel or copy.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/lowering.h"
#include "engine/op_library.h"
#include "memory/cost_table.h"
#include "memory/device_spec.h"
#include "memory/log_record.h"
#include "memory/plan.h"
#include "memory/result.h"

namespace peakscope::engine {

struct BackendOptions {
  std::int32_t threads = 0;            ///< 0: one per core
  double linkBytesPerSecond = 0;       ///< cpu: throttle copies to this; 0: as fast as memory goes
  bool checkMemory = false;            ///< poison bytes (NaN) when the plan allocates and frees them, both sides
  std::uint64_t seed = 1;
};

/// What an iteration needs besides the plan. Images are NCHW fp32; labels one class index per image.
struct IterationInput {
  std::int64_t iteration = 0;
  std::span<const float> images;
  std::span<const std::int32_t> labels;   ///< -1: padding of a partial evaluation batch, counts for nothing
  float learningRate = 0;
  bool isTraining = true;
};
struct IterationOutput {
  float loss = 0;                      ///< mean over valid images; NaN where nothing is computed
  std::int32_t hits = 0;               ///< images whose largest score is their label
  std::int32_t images = 0;             ///< valid ones
  Bytes extent;                        ///< highest arena offset touched in this iteration
  Bytes libraryBytes;                  ///< heap bytes taken by libraries during the iteration
};

class Backend {
 public:
  virtual ~Backend() = default;
  [[nodiscard]] virtual std::string name() const = 0;          ///< "virtual", "cpu"
  [[nodiscard]] virtual std::int32_t threads() const { return 0; }   ///< that compute; 0: none does
  [[nodiscard]] virtual std::string detail() const = 0;        ///< library versions, instruction set, threads
  [[nodiscard]] virtual std::string timeSource() const = 0;    ///< "measured", "modelled for ..."
  [[nodiscard]] virtual OpLibrary& library() = 0;
  /// What plans are made for, and with which times.
  [[nodiscard]] virtual DeviceSpec device() const = 0;
  [[nodiscard]] virtual CostTable costs(const Lowering& lowering) const = 0;
  /// False: no bytes are touched, so images are not read and losses are NaN.
  [[nodiscard]] virtual bool computes() const = 0;
  /// The clock of stepTimes(): wall time for real devices, the compute lane's clock for the virtual one.
  [[nodiscard]] virtual std::int64_t nowNs() const = 0;

  /// Takes the memory for `plan` and builds what its ops need. The persistent region keeps its bytes when the workload's
  /// persistent tensors are unchanged (same offsets in every plan of a workload). On failure the old plan stays valid.
  /// The caller keeps both values where they are until it commits another plan for the same lowering.
  [[nodiscard]] virtual Result<void> commit(const Lowering& lowering, const Plan& plan) = 0;
  /// Switches execution between committed plans without taking memory: training and evaluation share the arena.
  /// `commit` of a second lowering with the same persistent tensors keeps both; the transient region is the larger one.
  virtual void activate(const Lowering& lowering, const Plan& plan) = 0;

  /// Parameters and other persistent tensors, plain layout.
  virtual void writePersistent(TensorId tensor, std::span<const float> values) = 0;
  [[nodiscard]] virtual std::vector<float> readPersistent(TensorId tensor) const = 0;

  virtual void beginIteration(const IterationInput& input) = 0;
  /// The bytes that the buffer takes by the backend's own descriptor.
  virtual Bytes alloc(PlanStepId step, const AllocStep& action) = 0;
  virtual void free(PlanStepId step, const FreeStep& action) = 0;
  /// The bytes of workspace that the implementation says it uses.
  virtual Bytes run(PlanStepId step, const RunStep& action) = 0;
  virtual void copyOut(PlanStepId step, const CopyOutStep& action) = 0;
  virtual void copyIn(PlanStepId step, const CopyInStep& action) = 0;
  virtual void wait(PlanStepId step, const WaitStep& action) = 0;
  /// Joins all lanes. Throws BackendFailure when a lane failed.
  virtual IterationOutput endIteration() = 0;
  /// Begin and end of each step of the current iteration, ns since the session's time 0; steps not finished yet are
  /// {-1, -1}. Valid until the next beginIteration.
  [[nodiscard]] virtual std::span<const StepTime> stepTimes() const = 0;
};

}  // namespace peakscope::engine
