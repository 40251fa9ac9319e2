// SPDX-License-Identifier: Apache-2.0
//
// CpuBackend: oneDNN on this machine. The "device" is one arena with the plan's addresses, the "host" a second region of the
// plan's size; compute runs on the calling thread, copies out and in on a thread each.
//
//   CpuBackend backend({.threads = 2, .linkBytesPerSecond = 2e9});
//   backend.commit(lowering, plan); backend.activate(lowering, plan);
//   executor.iterate(...);
//
// With checkMemory every byte that the plan does not own is NaN: slots and workspaces when they are given, slots when they
// are freed, host bytes once they have come back for the last time.
#pragma once

#include <memory>
#include <vector>

#include "engine/backend.h"
#include "engine/backends/cpu/arena.h"
#include "engine/backends/cpu/copy_lane.h"
#include "engine/backends/cpu/cpu_library.h"
#include "engine/backends/cpu/op_cache.h"
#include "engine/described_sizes.h"

namespace peakscope::engine::cpu {

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const BackendOptions& options);
  ~CpuBackend() override;

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] std::int32_t threads() const override { return m_threads; }
  [[nodiscard]] std::string detail() const override;
  [[nodiscard]] std::string timeSource() const override { return "measured"; }
  [[nodiscard]] OpLibrary& library() override { return m_library; }
  [[nodiscard]] DeviceSpec device() const override;
  [[nodiscard]] CostTable costs(const Lowering& lowering) const override;
  [[nodiscard]] bool computes() const override { return true; }
  [[nodiscard]] std::int64_t nowNs() const override { return m_clock.now(); }

  [[nodiscard]] Result<void> commit(const Lowering& lowering, const Plan& plan) override;
  void activate(const Lowering& lowering, const Plan& plan) override;
  void writePersistent(TensorId tensor, std::span<const float> values) override;
  [[nodiscard]] std::vector<float> readPersistent(TensorId tensor) const override;

  void beginIteration(const IterationInput& input) override;
  Bytes alloc(PlanStepId step, const AllocStep& action) override;
  void free(PlanStepId step, const FreeStep& action) override;
  Bytes run(PlanStepId step, const RunStep& action) override;
  void copyOut(PlanStepId step, const CopyOutStep& action) override;
  void copyIn(PlanStepId step, const CopyInStep& action) override;
  void wait(PlanStepId step, const WaitStep& action) override;
  IterationOutput endIteration() override;
  [[nodiscard]] std::span<const StepTime> stepTimes() const override;

 private:
  struct Loaded;                             ///< a lowering with its plan and what was built for them

  /// The address of a tensor that the plan has put on the device; throws if it is not there.
  [[nodiscard]] std::byte* addressOf(TensorId tensor);
  /// Where a tensor is between iterations.
  [[nodiscard]] std::byte* homeOf(TensorId tensor) const;
  [[nodiscard]] std::byte* hostAddress(TensorId tensor, Bytes offset) const;
  [[nodiscard]] std::vector<BoundArg> bind(OpId op);
  [[nodiscard]] Result<void> resize(Bytes arena, Bytes host);
  [[nodiscard]] Loaded* find(const Lowering& lowering) const;
  void execute(CpuOp& op, std::span<const BoundArg> args, std::span<std::byte> workspace);
  void poison(std::byte* begin, Bytes bytes) const;
  void touch(Bytes end) { m_extent = std::max(m_extent, end); }

  BackendOptions m_options;
  std::int32_t m_threads;
  SessionClock m_clock;
  CpuLibrary m_library;
  OpCache m_ops;
  Arena m_arena, m_host;
  std::vector<std::unique_ptr<Loaded>> m_loaded;   ///< training and evaluation
  Loaded* m_active = nullptr;
  IdVector<TensorId, Bytes> m_offsets;       ///< of the active workload; negative: not on the device
  IterationInput m_input;
  Bytes m_extent;
  std::int64_t m_computeEnd = 0;             ///< of the last step that compute ran or waited for
  Bytes m_libraryBytes;
  mutable std::vector<StepTime> m_times;     ///< what stepTimes() showed last
  StepBoard m_board;
  CopyLane m_copyOut, m_copyIn;              ///< last: their threads end before anything above goes away
};

}  // namespace peakscope::engine::cpu
