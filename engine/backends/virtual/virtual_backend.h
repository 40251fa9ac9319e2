// SPDX-License-Identifier: Apache-2.0
//
// VirtualBackend: a clock and three lanes instead of a device. Durations come from a cost table; no bytes are touched.
//
//   VirtualBackend backend(device, [&](const Lowering& l) { return modelCosts(l, device, link); });
//   backend.commit(lowering, plan); backend.activate(lowering, plan);
//   executor.iterate(...);                         // stepTimes() are modelled
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "engine/backend.h"
#include "engine/described_sizes.h"

namespace peakscope::engine {

class VirtualBackend final : public Backend {
 public:
  using Costs = std::function<CostTable(const Lowering&)>;
  VirtualBackend(DeviceSpec device, Costs costs);

  [[nodiscard]] std::string name() const override { return "virtual"; }
  [[nodiscard]] std::string detail() const override { return "modelled lanes of " + m_device.name; }
  [[nodiscard]] std::string timeSource() const override { return "modelled for " + m_device.name; }
  [[nodiscard]] OpLibrary& library() override { return m_library; }
  [[nodiscard]] DeviceSpec device() const override { return m_device; }
  [[nodiscard]] CostTable costs(const Lowering& lowering) const override { return m_costs(lowering); }
  [[nodiscard]] bool computes() const override { return false; }
  [[nodiscard]] std::int64_t nowNs() const override { return m_clock[0]; }

  [[nodiscard]] Result<void> commit(const Lowering& lowering, const Plan& plan) override;
  void activate(const Lowering& lowering, const Plan& plan) override;
  void writePersistent(TensorId, std::span<const float>) override {}
  [[nodiscard]] std::vector<float> readPersistent(TensorId) const override { return {}; }

  void beginIteration(const IterationInput& input) override;
  Bytes alloc(PlanStepId step, const AllocStep& action) override;
  void free(PlanStepId step, const FreeStep& action) override;
  Bytes run(PlanStepId step, const RunStep& action) override;
  void copyOut(PlanStepId step, const CopyOutStep& action) override;
  void copyIn(PlanStepId step, const CopyInStep& action) override;
  void wait(PlanStepId step, const WaitStep& action) override;
  IterationOutput endIteration() override;
  [[nodiscard]] std::span<const StepTime> stepTimes() const override { return m_times; }

 private:
  struct Loaded {
    const Lowering* lowering = nullptr;
    const Plan* plan = nullptr;
    CostTable costs;
    DescribedSizes sizes;
  };
  /// Puts a step of this length at the end of a lane.
  /// What a driver takes for each allocation and each free, where the plan leaves them to it.
  [[nodiscard]] std::int64_t nativeAllocNs() const;
  void advance(PlanStepId step, Lane lane, std::int64_t durationNs);
  void touch(Bytes end) { m_extent = std::max(m_extent, end); }

  DeviceSpec m_device;
  Costs m_costs;
  IdealLibrary m_library;
  std::vector<Loaded> m_loaded;               ///< training and evaluation
  const Loaded* m_active = nullptr;
  std::array<std::int64_t, laneCount> m_clock{};   ///< where each lane stands; index 0 is compute
  std::vector<StepTime> m_times;
  std::int32_t m_images = 0;
  Bytes m_extent;
};

}  // namespace peakscope::engine
