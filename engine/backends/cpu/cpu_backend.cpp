// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/cpu_backend.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <fstream>
#include <limits>

#include "engine/backend_failure.h"
#include "engine/backends/cpu/allocation_counter.h"
#include "engine/backends/cpu/library_version.h"
#include "engine/cost_model.h"

namespace peakscope::engine::cpu {
namespace {

constexpr Bytes notOnDevice{-1};

Bytes physicalMemory() { return Bytes{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE); }

/// What the system can still give without swapping; all of it where it does not say.
Bytes availableMemory() {
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;)
    if (std::int64_t kib = 0; word == "MemAvailable:" && file >> kib) return Bytes{kib * 1024};
  return physicalMemory();
}

std::size_t sizeOf(Bytes bytes) { return static_cast<std::size_t>(bytes.count()); }

}  // namespace

struct CpuBackend::Loaded {
  const Lowering* lowering = nullptr;
  const Plan* plan = nullptr;
  DescribedSizes sizes;
  std::vector<CpuOp*> ops;                   ///< by plan step; null where none runs
  std::vector<bool> isLastCopyIn;            ///< by plan step: the host copy is not needed again
  Bytes lossOffset = notOnDevice;
};

CpuBackend::CpuBackend(const BackendOptions& options)
    : m_options(options),
      m_threads(effectiveThreads(options.threads)),
      m_library(m_threads),
      m_ops(m_threads),
      m_copyOut(m_board, m_clock, options.linkBytesPerSecond),
      m_copyIn(m_board, m_clock, options.linkBytesPerSecond) {}

CpuBackend::~CpuBackend() = default;

std::string CpuBackend::detail() const {
  return fmt::format("{}, {} threads{}", libraryVersion(), m_threads, countsAllocations() ? "" : ", library heap not counted");
}

DeviceSpec CpuBackend::device() const {
  // Speeds only order things while planning (when a copy is hidden); a run measures its own.
  return {.name = fmt::format("this machine, {} threads", m_threads),
          .source = "memory: the system; speeds: assumed",
          .memory = physicalMemory(),
          .hostMemory = physicalMemory(),
          .alignment = Bytes{64},
          .flopsPerSecond = 4e10 * m_threads,
          .memoryBytesPerSecond = 1e10,
          .linkBytesPerSecond = m_options.linkBytesPerSecond > 0 ? m_options.linkBytesPerSecond : 5e9,
          .launchNanoseconds = 2000};
}

CostTable CpuBackend::costs(const Lowering& lowering) const { return modelCosts(lowering, device(), m_options.linkBytesPerSecond); }

CpuBackend::Loaded* CpuBackend::find(const Lowering& lowering) const {
  for (const auto& loaded : m_loaded)
    if (loaded->lowering == &lowering) return loaded.get();
  return nullptr;
}

Result<void> CpuBackend::commit(const Lowering& lowering, const Plan& plan) {
  Loaded* old = find(lowering);
  Bytes arena = plan.arenaBytes, host = plan.hostBytes;
  for (const auto& loaded : m_loaded) {
    // Persistent tensors come first and are the same id by id in training and evaluation (engine/lowering.h).
    const Plan& other = *loaded->plan;
    for (const TensorId id : idsOf(lowering.workload.tensors)) {
      const Tensor& tensor = lowering.workload.tensors[id];
      if (!tensor.isPersistent && !tensor.livesOnHost) break;
      const auto& theirs = tensor.isPersistent ? other.persistentOffsets : other.hostHomes;
      if (!theirs.contains(id) || theirs[id] != (tensor.isPersistent ? plan.persistentOffsets : plan.hostHomes)[id])
        return deviceFailed(fmt::format("the new plan moves {}; a plan of the same network and batch must not", lowering.workload.tensors[id].name));
    }
    if (loaded.get() == old) continue;
    arena = std::max(arena, other.arenaBytes);
    host = std::max(host, other.hostBytes);
  }
  auto loaded = std::make_unique<Loaded>();
  loaded->lowering = &lowering;
  loaded->plan = &plan;
  loaded->sizes = old != nullptr ? old->sizes : describeSizes(lowering, m_library);
  loaded->ops.resize(plan.steps.size());
  loaded->isLastCopyIn.resize(plan.steps.size());
  IdVector<TensorId, std::int32_t> lastCopyIn(lowering.workload.tensors.size(), -1);
  try {
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
      if (const auto* run = std::get_if<RunStep>(&plan.steps[i].action)) loaded->ops[i] = &m_ops.op(lowering.ops[run->op], run->candidate);
      if (const auto* copy = std::get_if<CopyInStep>(&plan.steps[i].action)) lastCopyIn[copy->tensor] = static_cast<std::int32_t>(i);
    }
  } catch (const BackendFailure& failure) {
    return deviceFailed(failure.what());
  }
  for (const std::int32_t step : lastCopyIn)
    if (step >= 0) loaded->isLastCopyIn[static_cast<std::size_t>(step)] = true;
  for (std::size_t i = 0; i < plan.steps.size(); ++i)
    if (const auto* copy = std::get_if<CopyInStep>(&plan.steps[i].action); copy != nullptr && lowering.workload.tensors[copy->tensor].livesOnHost)
      loaded->isLastCopyIn[i] = false;   // it is needed in the next iteration
  for (const Op& op : lowering.workload.ops)
    for (const OpArg& arg : op.args)
      if (arg.role == ArgRole::Loss) loaded->lossOffset = plan.persistentOffsets[arg.tensor];

  // Last, so that whatever failed before has changed nothing.
  if (const auto resized = resize(arena, host); !resized) return fail(resized.error());
  m_active = nullptr;
  if (old != nullptr)
    std::ranges::find(m_loaded, old, [](const auto& p) { return p.get(); })->swap(loaded);
  else
    m_loaded.push_back(std::move(loaded));
  // Parameters may be written before the first iteration.
  activate(lowering, plan);
  return {};
}

Result<void> CpuBackend::resize(Bytes arena, Bytes host) {
  const Bytes more = arena + host - m_arena.extent() - m_host.extent();
  if (const Bytes available = availableMemory(); more > available)
    return cannotBeMet(fmt::format("the plan needs {} more memory (arena {}, host {}), {} are available; take a smaller batch or more techniques",
                                   formatBytes(more), formatBytes(arena), formatBytes(host), formatBytes(available)));
  if (auto resized = m_arena.resize(arena); !resized) return resized;
  return m_host.resize(host);
}

void CpuBackend::activate(const Lowering& lowering, [[maybe_unused]] const Plan& plan) {
  Loaded* loaded = find(lowering);
  assert(loaded != nullptr && loaded->plan == &plan);
  if (loaded == m_active) return;
  m_active = loaded;
  const auto& tensors = lowering.workload.tensors;
  m_offsets = IdVector<TensorId, Bytes>(tensors.size(), notOnDevice);
  for (const TensorId id : idsOf(tensors))
    if (tensors[id].isPersistent) m_offsets[id] = loaded->plan->persistentOffsets[id];
}

void CpuBackend::writePersistent(TensorId tensor, std::span<const float> values) {
  if (Bytes{static_cast<std::int64_t>(values.size_bytes())} > m_active->sizes.tensors[tensor])
    throw BackendFailure(fmt::format("{} values do not fit {}", values.size(), m_active->lowering->workload.tensors[tensor].name));
  std::memcpy(homeOf(tensor), values.data(), values.size_bytes());
}

std::vector<float> CpuBackend::readPersistent(TensorId tensor) const {
  std::vector<float> values(sizeOf(m_active->sizes.tensors[tensor]) / sizeof(float));
  std::memcpy(values.data(), homeOf(tensor), values.size() * sizeof(float));
  return values;
}

std::byte* CpuBackend::homeOf(TensorId tensor) const {
  return m_active->lowering->workload.tensors[tensor].livesOnHost ? hostAddress(tensor, m_active->plan->hostHomes[tensor]) : m_arena.at(m_offsets[tensor]);
}

std::byte* CpuBackend::addressOf(TensorId tensor) {
  const Bytes offset = m_offsets[tensor];
  if (offset < Bytes{})
    throw BackendFailure(fmt::format("the plan uses {} while it is not on the device", m_active->lowering->workload.tensors[tensor].name));
  touch(offset + m_active->sizes.tensors[tensor]);
  return m_arena.at(offset);
}

std::byte* CpuBackend::hostAddress(TensorId tensor, Bytes offset) const {
  if (offset < Bytes{} || offset + m_active->sizes.tensors[tensor] > m_host.extent())
    throw BackendFailure(fmt::format("{} lies outside the host region", m_active->lowering->workload.tensors[tensor].name));
  return m_host.at(offset);
}

std::vector<BoundArg> CpuBackend::bind(OpId op) {
  const auto& args = m_active->lowering->workload.ops[op].args;
  std::vector<BoundArg> bound;
  bound.reserve(args.size());
  for (const OpArg& arg : args) bound.push_back({arg.role, arg.index, addressOf(arg.tensor)});
  return bound;
}

void CpuBackend::poison(std::byte* begin, Bytes bytes) const {
  if (m_options.checkMemory) std::memset(begin, 0xFF, sizeOf(bytes));   // a NaN of every float size
}

void CpuBackend::beginIteration(const IterationInput& input) {
  m_input = input;
  m_libraryBytes = {};
  m_extent = {};
  m_board.reset(m_active->plan->steps.size());
  m_computeEnd = m_clock.now();
  const Bytes persistent = m_active->plan->persistentBytes;
  if (m_arena.extent() > persistent) poison(m_arena.at(persistent), m_arena.extent() - persistent);
  const Bytes homes = m_active->plan->hostHomeBytes;
  if (m_host.extent() > homes) poison(m_host.at(homes), m_host.extent() - homes);
}

Bytes CpuBackend::alloc(PlanStepId step, const AllocStep& action) {
  const std::int64_t now = m_clock.now();
  const Bytes bytes = m_active->sizes.tensors[action.tensor];
  if (action.offset < Bytes{} || action.offset + bytes > m_arena.extent())
    throw BackendFailure(fmt::format("{} lies outside of the arena", m_active->lowering->workload.tensors[action.tensor].name));
  m_offsets[action.tensor] = action.offset;
  poison(addressOf(action.tensor), bytes);
  m_board.finish(step, {now, now});
  return bytes;
}

void CpuBackend::free(PlanStepId step, const FreeStep& action) {
  const std::int64_t now = m_clock.now();
  poison(addressOf(action.tensor), m_active->sizes.tensors[action.tensor]);
  m_offsets[action.tensor] = notOnDevice;
  m_board.finish(step, {now, now});
}

void CpuBackend::execute(CpuOp& op, std::span<const BoundArg> args, std::span<std::byte> workspace) {
  op.run({.args = args, .workspace = workspace, .iteration = m_input, .seed = m_options.seed});
}

Bytes CpuBackend::run(PlanStepId step, const RunStep& action) {
  const Workload& workload = m_active->lowering->workload;
  CpuOp& op = *m_active->ops[static_cast<std::size_t>(step.index)];
  const Bytes size = op.workspace();
  std::vector<BoundArg> args = bind(action.op);
  std::span<std::byte> workspace;
  if (size > Bytes{}) {
    if (action.workspaceOffset < Bytes{} || action.workspaceOffset + size > m_arena.extent())
      throw BackendFailure(fmt::format("the workspace of {} lies outside of the arena", opName(workload, action.op)));
    workspace = {m_arena.at(action.workspaceOffset), sizeOf(size)};
    touch(action.workspaceOffset + size);
    poison(workspace.data(), size);
  }
  if (laneOf(action, workload) == Lane::CopyIn) {   // a Load: the batch comes over the link
    Bytes bytes;
    for (const OpArg& arg : workload.ops[action.op].args)
      if (writesTensor(arg.access)) bytes += m_active->sizes.tensors[arg.tensor];
    m_copyIn.post(step, [this, &op, bytes, args = std::move(args), workspace](CopyLane::Link& link) {
      execute(op, args, workspace);
      link.account(bytes);
    });
    return size;
  }
  const std::int64_t begin = m_clock.now();
  const AllocationScope scope;
  execute(op, args, workspace);
  m_libraryBytes = std::max(m_libraryBytes, scope.peak());
  poison(workspace.data(), size);
  m_computeEnd = m_clock.now();
  m_board.finish(step, {begin, m_computeEnd});
  return size;
}

void CpuBackend::copyOut(PlanStepId step, const CopyOutStep& action) {
  const Bytes bytes = m_active->sizes.tensors[action.tensor];
  m_copyOut.post(step, [from = addressOf(action.tensor), to = hostAddress(action.tensor, action.hostOffset), bytes](CopyLane::Link& link) { link.copy(to, from, bytes); });
}

void CpuBackend::copyIn(PlanStepId step, const CopyInStep& action) {
  const Bytes bytes = m_active->sizes.tensors[action.tensor];
  const bool isLast = m_active->isLastCopyIn[static_cast<std::size_t>(step.index)];
  m_copyIn.post(step, [this, to = addressOf(action.tensor), from = hostAddress(action.tensor, action.hostOffset), bytes, isLast](CopyLane::Link& link) {
    link.copy(to, from, bytes);
    if (isLast) poison(from, bytes);
  });
}

void CpuBackend::wait(PlanStepId step, const WaitStep& action) {
  if (action.lane == Lane::CopyOut) return m_copyOut.postWait(step, action.on);
  if (action.lane == Lane::CopyIn) return m_copyIn.postWait(step, action.on);
  // Note [A stall begins when compute has nothing to do]
  // That is the end of its last step, not the moment at which this thread, which has handed work to the lanes in between and
  // may have lost its core to them, gets here. It is none if what is waited for had ended by then.
  const StepTime awaited = m_board.waitFor(action.on);
  m_board.rethrow();
  const std::int64_t now = m_clock.now();
  m_board.finish(step, {awaited.endNs > m_computeEnd ? m_computeEnd : now, now});
  m_computeEnd = now;
}

IterationOutput CpuBackend::endIteration() {
  m_copyOut.drain();
  m_copyIn.drain();
  m_board.rethrow();
  IterationOutput output{.extent = m_extent, .libraryBytes = m_libraryBytes};
  output.images = static_cast<std::int32_t>(std::ranges::count_if(m_input.labels, [](std::int32_t label) { return label >= 0; }));
  if (m_active->lossOffset == notOnDevice) {
    output.loss = std::numeric_limits<float>::quiet_NaN();
    return output;
  }
  float lossAndHits[2] = {0, 0};             // sum over valid images, and how many were right
  std::memcpy(lossAndHits, m_arena.at(m_active->lossOffset), sizeof lossAndHits);
  output.loss = output.images > 0 ? lossAndHits[0] / static_cast<float>(output.images) : 0;
  output.hits = static_cast<std::int32_t>(lossAndHits[1]);
  return output;
}

std::span<const StepTime> CpuBackend::stepTimes() const {
  m_times = m_board.times();
  return m_times;
}

}  // namespace peakscope::engine::cpu
