// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/virtual/virtual_backend.h"

#include <algorithm>
#include <cassert>
#include <limits>

namespace peakscope::engine {
namespace {

std::size_t indexOf(Lane lane) { return static_cast<std::size_t>(lane); }
static_assert(static_cast<int>(Lane::Compute) == 0);

}  // namespace

VirtualBackend::VirtualBackend(DeviceSpec device, Costs costs) : m_device(std::move(device)), m_costs(std::move(costs)) {
  m_loaded.reserve(2);   // m_active points into it
}

Result<void> VirtualBackend::commit(const Lowering& lowering, const Plan& plan) {
  if (plan.arenaBytes > m_device.memory)
    return cannotBeMet("the plan needs " + formatBytes(plan.arenaBytes) + ", " + m_device.name + " has " + formatBytes(m_device.memory) +
                       "; take a smaller batch or more techniques");
  const auto old = std::ranges::find(m_loaded, &lowering, &Loaded::lowering);
  if (old != m_loaded.end()) {
    assert(old->plan->persistentOffsets == plan.persistentOffsets && old->plan->hostHomes == plan.hostHomes);
    old->plan = &plan;
    return {};
  }
  if (m_loaded.size() == m_loaded.capacity()) return deviceFailed("a modelled run has room for training and evaluation only; take another backend for another network");
  m_loaded.push_back({&lowering, &plan, m_costs(lowering), describeSizes(lowering, m_library)});
  return {};
}

void VirtualBackend::activate(const Lowering& lowering, [[maybe_unused]] const Plan& plan) {
  const auto loaded = std::ranges::find(m_loaded, &lowering, &Loaded::lowering);
  assert(loaded != m_loaded.end() && loaded->plan == &plan);
  m_active = &*loaded;
}

void VirtualBackend::beginIteration(const IterationInput& input) {
  m_images = static_cast<std::int32_t>(m_active->lowering->workload.batch);
  if (!input.labels.empty()) m_images = static_cast<std::int32_t>(std::ranges::count_if(input.labels, [](auto label) { return label >= 0; }));
  m_clock.fill(*std::ranges::max_element(m_clock));   // an iteration starts when every lane has finished the last one
  m_extent = {};
  m_times.assign(m_active->plan->steps.size(), {-1, -1});
}

void VirtualBackend::advance(PlanStepId step, Lane lane, std::int64_t durationNs) {
  std::int64_t& clock = m_clock[indexOf(lane)];
  m_times[static_cast<std::size_t>(step.index)] = {clock, clock + durationNs};
  clock += durationNs;
}

std::int64_t VirtualBackend::nativeAllocNs() const {
  return m_active->plan->options.placement == PlacementRule::Native ? m_active->costs.nativeAllocTime.count() : 0;
}

Bytes VirtualBackend::alloc(PlanStepId step, const AllocStep& action) {
  advance(step, Lane::Compute, nativeAllocNs());
  const Bytes bytes = m_active->sizes.tensors[action.tensor];
  touch(action.offset + bytes);
  return bytes;
}

void VirtualBackend::free(PlanStepId step, const FreeStep&) { advance(step, Lane::Compute, nativeAllocNs()); }

Bytes VirtualBackend::run(PlanStepId step, const RunStep& action) {
  const auto& workload = m_active->lowering->workload;
  advance(step, laneOf(action, workload), m_active->costs.opTime(action.op, action.candidate).count());
  const Bytes workspace = m_active->sizes.workspaces[action.op][static_cast<std::size_t>(action.candidate)];
  if (workspace > Bytes{}) touch(action.workspaceOffset + workspace);
  for (const OpArg& arg : workload.ops[action.op].args)
    if (workload.tensors[arg.tensor].isPersistent) touch(m_active->plan->persistentOffsets[arg.tensor] + m_active->sizes.tensors[arg.tensor]);
  return workspace;
}

void VirtualBackend::copyOut(PlanStepId step, const CopyOutStep& action) {
  advance(step, Lane::CopyOut, m_active->costs.copyTime(m_active->sizes.tensors[action.tensor]).count());
}

void VirtualBackend::copyIn(PlanStepId step, const CopyInStep& action) {
  advance(step, Lane::CopyIn, m_active->costs.copyTime(m_active->sizes.tensors[action.tensor]).count());
}

void VirtualBackend::wait(PlanStepId step, const WaitStep& action) {
  const std::int64_t ready = m_times[static_cast<std::size_t>(action.on.index)].endNs;
  advance(step, action.lane, std::max<std::int64_t>(0, ready - m_clock[indexOf(action.lane)]));
}

IterationOutput VirtualBackend::endIteration() {
  return {.loss = std::numeric_limits<float>::quiet_NaN(), .hits = 0, .images = m_images, .extent = m_extent, .libraryBytes = {}};
}

}  // namespace peakscope::engine
