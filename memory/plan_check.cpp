// SPDX-License-Identifier: Apache-2.0
//
// Note [Clocks of the lanes]
// Every step gets a clock: for each lane, how many of its steps have finished when this step starts. A Wait merges the
// clock of the step it waits for into its lane. Step a happens before step b exactly if b's clock counts a. Accesses to
// bytes are then compared by their clocks, never by their place in the list.
#include "memory/plan_check.h"

#include <algorithm>
#include <array>
#include <map>

namespace peakscope {
namespace {

using Clock = std::array<std::int32_t, laneCount>;

std::size_t indexOf(Lane lane) { return static_cast<std::size_t>(lane); }

/// One stretch of bytes in use: from the allocation to the last access, which may be on another lane.
struct Residence {
  TensorId tensor;
  Bytes offset, bytes;
  std::int32_t begin = -1;                ///< its Alloc (host: its CopyOut)
  std::int32_t end = -1;                  ///< its Free; -1: never freed
  std::vector<std::int32_t> accesses;     ///< steps that read or write the bytes
};

class Checker {
 public:
  Checker(const Plan& plan, const Workload& workload)
      : m_plan(plan), m_workload(workload), m_lane(plan.steps.size()), m_number(plan.steps.size()), m_clock(plan.steps.size()),
        m_current(workload.tensors.size(), -1), m_isWritten(workload.tensors.size(), -1), m_host(workload.tensors.size(), -1) {}

  std::vector<PlanProblem> run() {
    if (!idsAreValid()) return std::move(m_problems);
    runClocks();
    checkPersistent();
    for (std::int32_t i = 0; i < stepCount(); ++i) checkStep(i);
    checkEnd();
    checkSharing(m_residences, "device");
    checkSharing(m_hostResidences, "host");
    checkExtents();
    return std::move(m_problems);
  }

 private:
  std::int32_t stepCount() const { return static_cast<std::int32_t>(m_plan.steps.size()); }
  const PlanStep& step(std::int32_t i) const { return m_plan.steps[static_cast<std::size_t>(i)]; }
  void problem(std::int32_t i, std::string text) { m_problems.push_back({PlanStepId{i}, std::move(text)}); }
  const std::string& name(TensorId tensor) const { return m_workload.tensors[tensor].name; }
  Bytes bytesOf(TensorId tensor) const { return m_workload.tensors[tensor].bytes; }

  bool idsAreValid() {
    const auto isTensor = [&](TensorId id) { return m_workload.tensors.contains(id); };
    for (std::int32_t i = 0; i < stepCount(); ++i) {
      const bool isValid = std::visit(Overloaded{
                                          [&](const RunStep& run) {
                                            return m_workload.ops.contains(run.op) && run.candidate >= 0 &&
                                                   run.candidate < static_cast<std::int32_t>(m_workload.ops[run.op].candidates.size());
                                          },
                                          [&](const WaitStep& wait) { return wait.on.index >= 0 && wait.on.index < i; },
                                          [&](const auto& other) { return isTensor(other.tensor); },
                                      },
                                      step(i).action);
      if (!isValid) problem(i, "names a tensor, op, candidate or step that does not exist before it");
    }
    if (m_plan.persistentOffsets.size() != m_workload.tensors.size()) problem(-1, "persistent offsets do not belong to this workload");
    return m_problems.empty();
  }

  void runClocks() {
    std::array<Clock, laneCount> now{};
    for (std::int32_t i = 0; i < stepCount(); ++i) {
      const Lane lane = laneOf(step(i).action, m_workload);
      Clock& clock = now[indexOf(lane)];
      if (const auto* wait = std::get_if<WaitStep>(&step(i).action)) {
        const auto on = static_cast<std::size_t>(wait->on.index);
        for (std::size_t l = 0; l < laneCount; ++l) clock[l] = std::max(clock[l], m_clock[on][l]);
        clock[indexOf(m_lane[on])] = std::max(clock[indexOf(m_lane[on])], m_number[on] + 1);
      }
      m_lane[static_cast<std::size_t>(i)] = lane;
      m_clock[static_cast<std::size_t>(i)] = clock;
      m_number[static_cast<std::size_t>(i)] = clock[indexOf(lane)];
      ++clock[indexOf(lane)];
    }
  }

  /// Step a has finished before step b starts.
  bool isBefore(std::int32_t a, std::int32_t b) const {
    const auto ai = static_cast<std::size_t>(a), bi = static_cast<std::size_t>(b);
    return m_clock[bi][indexOf(m_lane[ai])] > m_number[ai];
  }

  void checkPersistent() {
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      if (!m_workload.tensors[tensor].isPersistent) continue;
      const Bytes offset = m_plan.persistentOffsets[tensor];
      if (offset < Bytes{} || offset + bytesOf(tensor) > m_plan.persistentBytes) problem(-1, name(tensor) + " lies outside the persistent region");
      m_persistent.emplace_back(offset, tensor);
    }
    std::sort(m_persistent.begin(), m_persistent.end());
    for (std::size_t i = 1; i < m_persistent.size(); ++i)
      if (m_persistent[i - 1].first + bytesOf(m_persistent[i - 1].second) > m_persistent[i].first)
        problem(-1, name(m_persistent[i].second) + " overlaps " + name(m_persistent[i - 1].second) + " in the persistent region");
  }

  void checkStep(std::int32_t i) {
    std::visit(Overloaded{
                   [&](const AllocStep& alloc) { checkAlloc(i, alloc); },
                   [&](const FreeStep& free) { checkFree(i, free.tensor); },
                   [&](const RunStep& run) { checkRun(i, run); },
                   [&](const CopyOutStep& out) { checkCopyOut(i, out); },
                   [&](const CopyInStep& in) { checkCopyIn(i, in); },
                   [](const WaitStep&) {},
               },
               step(i).action);
  }

  void checkAlloc(std::int32_t i, const AllocStep& alloc) {
    if (m_workload.tensors[alloc.tensor].isPersistent) return problem(i, name(alloc.tensor) + " is persistent and is not allocated by a plan");
    if (m_current[alloc.tensor] >= 0) return problem(i, name(alloc.tensor) + " is allocated twice");
    m_current[alloc.tensor] = static_cast<std::int32_t>(m_residences.size());
    m_isWritten[alloc.tensor] = -1;
    m_residences.push_back({.tensor = alloc.tensor, .offset = alloc.offset, .bytes = bytesOf(alloc.tensor), .begin = i, .accesses = {i}});
  }

  void checkFree(std::int32_t i, TensorId tensor) {
    Residence* residence = current(tensor);
    if (residence == nullptr) return problem(i, name(tensor) + " is freed but not allocated");
    for (const std::int32_t access : residence->accesses)
      if (access != i && !isBefore(access, i)) problem(i, name(tensor) + " is freed while step " + std::to_string(access) + " may still use it");
    residence->end = i;
    residence->accesses.push_back(i);
    m_current[tensor] = -1;
    m_isWritten[tensor] = -1;
  }

  void checkRun(std::int32_t i, const RunStep& run) {
    const Op& op = m_workload.ops[run.op];
    const Bytes workspace = op.candidates[static_cast<std::size_t>(run.candidate)].workspace;
    if (workspace > Bytes{}) m_residences.push_back({.offset = run.workspaceOffset, .bytes = workspace, .begin = i, .end = i, .accesses = {i}});
    for (const OpArg& arg : op.args) {
      const bool isPersistent = m_workload.tensors[arg.tensor].isPersistent;
      Residence* residence = current(arg.tensor);
      if (residence == nullptr && !isPersistent) {
        problem(i, opName(m_workload, run.op) + " touches " + name(arg.tensor) + ", which is not on the device");
        continue;
      }
      if (residence != nullptr && !isBefore(residence->begin, i)) problem(i, name(arg.tensor) + " is used before its bytes are allocated");
      const std::int32_t writer = m_isWritten[arg.tensor];
      if (readsTensor(arg.access)) {
        if (writer >= 0 && !isBefore(writer, i)) problem(i, opName(m_workload, run.op) + " reads " + name(arg.tensor) + " before it is written or has arrived");
        if (writer < 0 && !isPersistent) problem(i, opName(m_workload, run.op) + " reads " + name(arg.tensor) + ", which nothing has written");
      } else if (residence != nullptr) {
        for (const std::int32_t access : residence->accesses)
          if (!isBefore(access, i)) problem(i, opName(m_workload, run.op) + " writes " + name(arg.tensor) + " while step " + std::to_string(access) + " may use it");
      }
      if (residence != nullptr) residence->accesses.push_back(i);
    }
    for (const OpArg& arg : op.args)
      if (writesTensor(arg.access)) m_isWritten[arg.tensor] = i;
    if (op.phase != Phase::Rebuild) m_ran.push_back(run.op);
  }

  void checkCopyOut(std::int32_t i, const CopyOutStep& out) {
    Residence* residence = current(out.tensor);
    if (residence == nullptr) return problem(i, name(out.tensor) + " is copied out but not on the device");
    if (m_isWritten[out.tensor] < 0 || !isBefore(m_isWritten[out.tensor], i)) problem(i, name(out.tensor) + " is copied out before it is written");
    residence->accesses.push_back(i);
    m_host[out.tensor] = static_cast<std::int32_t>(m_hostResidences.size());
    m_hostResidences.push_back({.tensor = out.tensor, .offset = out.hostOffset, .bytes = bytesOf(out.tensor), .begin = i, .end = -1, .accesses = {i}});
  }

  void checkCopyIn(std::int32_t i, const CopyInStep& in) {
    Residence* residence = current(in.tensor);
    if (residence == nullptr) return problem(i, name(in.tensor) + " is copied in but has no bytes on the device");
    if (!isBefore(residence->begin, i)) problem(i, name(in.tensor) + " is copied in before its bytes are allocated");
    if (m_host[in.tensor] < 0) return problem(i, name(in.tensor) + " is copied in but was never copied out");
    Residence& host = m_hostResidences[static_cast<std::size_t>(m_host[in.tensor])];
    if (host.offset != in.hostOffset) problem(i, name(in.tensor) + " is copied in from another place than it was copied to");
    if (!isBefore(host.begin, i)) problem(i, name(in.tensor) + " is copied in before its copy out has ended");
    host.accesses.push_back(i);
    residence->accesses.push_back(i);
    m_isWritten[in.tensor] = i;
  }

  void checkEnd() {
    for (const TensorId tensor : idsOf(m_workload.tensors))
      if (m_current[tensor] >= 0) problem(stepCount() - 1, name(tensor) + " is never freed");
    if (m_ran != m_workload.route) problem(stepCount() - 1, "the ops that run are not the route");
    // Every copy is awaited by compute: the last compute step's clock must count all steps of the other lanes.
    Clock finished{};
    for (std::int32_t i = 0; i < stepCount(); ++i) {
      const auto s = static_cast<std::size_t>(i);
      if (m_lane[s] != Lane::Compute) continue;
      finished = m_clock[s];
      if (const auto* wait = std::get_if<WaitStep>(&step(i).action)) {
        const auto on = static_cast<std::size_t>(wait->on.index);
        finished[indexOf(m_lane[on])] = std::max(finished[indexOf(m_lane[on])], m_number[on] + 1);
      }
    }
    for (std::int32_t i = 0; i < stepCount(); ++i) {
      const auto s = static_cast<std::size_t>(i);
      const bool isCopy = std::holds_alternative<CopyOutStep>(step(i).action) || std::holds_alternative<CopyInStep>(step(i).action);
      if (isCopy && m_number[s] >= finished[indexOf(m_lane[s])]) problem(i, "this copy is never awaited");
    }
  }

  /// Residences that overlap in bytes must be ordered: all of one before all of the other. Sorted by list order of their
  /// begin; a later one must begin after everything that the earlier one did.
  void checkSharing(const std::vector<Residence>& residences, const char* where) {
    std::vector<std::size_t> order(residences.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return residences[a].offset < residences[b].offset; });
    std::map<std::int64_t, std::vector<std::size_t>> openByEnd;   // candidates that may still overlap, by their last byte
    for (const std::size_t i : order) {
      const Residence& r = residences[i];
      openByEnd.erase(openByEnd.begin(), openByEnd.upper_bound(r.offset.count()));
      for (const auto& [end, others] : openByEnd)
        for (const std::size_t j : others)
          if (!areOrdered(residences[j], r) && !areOrdered(r, residences[j]))
            problem(std::max(r.begin, residences[j].begin), label(r) + " and " + label(residences[j]) + " share " + where + " bytes at the same time");
      if (r.bytes > Bytes{}) openByEnd[(r.offset + r.bytes).count()].push_back(i);
    }
  }
  bool areOrdered(const Residence& first, const Residence& second) const {
    if (first.end < 0) return false;
    return std::all_of(first.accesses.begin(), first.accesses.end(), [&](std::int32_t access) { return isBefore(access, second.begin); });
  }
  std::string label(const Residence& r) const {
    return r.tensor.isValid() ? name(r.tensor) : "the workspace of step " + std::to_string(r.begin);
  }

  void checkExtents() {
    Bytes device = m_plan.persistentBytes, host;
    for (const Residence& r : m_residences) {
      if (r.offset < m_plan.persistentBytes) problem(r.begin, label(r) + " lies in the persistent region");
      if (r.offset.count() % m_plan.alignment.count() != 0) problem(r.begin, label(r) + " is not aligned");
      device = std::max(device, r.offset + roundUp(r.bytes, m_plan.alignment));
    }
    for (const Residence& r : m_hostResidences) host = std::max(host, r.offset + r.bytes);
    if (device != m_plan.arenaBytes) problem(-1, "arena bytes are " + std::to_string(m_plan.arenaBytes.count()) + " but steps reach " + std::to_string(device.count()));
    if (host != m_plan.hostBytes) problem(-1, "host bytes are " + std::to_string(m_plan.hostBytes.count()) + " but steps reach " + std::to_string(host.count()));
  }

  Residence* current(TensorId tensor) {
    const std::int32_t index = m_current[tensor];
    return index < 0 ? nullptr : &m_residences[static_cast<std::size_t>(index)];
  }

  const Plan& m_plan;
  const Workload& m_workload;
  std::vector<PlanProblem> m_problems;
  std::vector<Lane> m_lane;
  std::vector<std::int32_t> m_number;                   ///< of a step within its lane
  std::vector<Clock> m_clock;
  IdVector<TensorId, std::int32_t> m_current;           ///< residence on the device
  IdVector<TensorId, std::int32_t> m_isWritten;         ///< last step that gave it content; -1: garbage
  IdVector<TensorId, std::int32_t> m_host;              ///< residence on the host
  std::vector<Residence> m_residences, m_hostResidences;
  std::vector<std::pair<Bytes, TensorId>> m_persistent;
  std::vector<OpId> m_ran;
};

}  // namespace

std::vector<PlanProblem> checkPlan(const Plan& plan, const Workload& workload) { return Checker(plan, workload).run(); }

}  // namespace peakscope
