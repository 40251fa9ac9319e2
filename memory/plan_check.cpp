// SPDX-License-Identifier: Apache-2.0
//
// Note [Clocks of the lanes]
// Every step has a clock: for each lane, the last of its steps that has surely finished when this step starts. A Wait
// merges the clock of the step it waits for into its lane. Step a happens before step b exactly if b's clock counts a.
// Alloc and Free belong to one lane, so it is enough that every access to a tensor happens after its Alloc and before its
// Free: then two tensors that share bytes, one after the other in the list, never meet.
//
// Note [Versions]
// Content is a number: how often the route has written the tensor. An op must find the version that it finds without any
// technique, a rebuild the one that its forward op found. Garbage, a copy that was taken too early, a dropped rebuild or a
// weight that has been updated meanwhile all are the wrong version.
#include "memory/plan_check.h"

#include <algorithm>
#include <array>
#include <map>

namespace peakscope {
namespace {

constexpr std::int32_t none = -1;
constexpr std::int32_t garbage = -1;
using LaneSteps = std::array<std::int32_t, laneCount>;   ///< a step index per lane; none: no such step
constexpr LaneSteps noSteps{none, none, none};

std::size_t indexOf(Lane lane) { return static_cast<std::size_t>(lane); }

/// The version that an op must find in each of its args, and the one that it leaves.
struct Versions {
  std::vector<std::int32_t> found, left;
};

/// By op; `version` ends as what each tensor holds after the iteration.
IdVector<OpId, Versions> versionsOnRoute(const Workload& workload, IdVector<TensorId, std::int32_t>& version) {
  IdVector<OpId, Versions> result(workload.ops.size());
  version = IdVector<TensorId, std::int32_t>(workload.tensors.size(), 0);
  for (const OpId id : workload.route) {
    const Op& op = workload.ops[id];
    const auto writes = [&](TensorId tensor) {
      return std::ranges::any_of(op.args, [&](const OpArg& arg) { return arg.tensor == tensor && writesTensor(arg.access); });
    };
    const auto note = [&](OpId of, bool isRebuild) {
      for (const OpArg& arg : workload.ops[of].args) {
        const std::int32_t before = version[arg.tensor], after = before + (writes(arg.tensor) ? 1 : 0);
        // A rebuild may read what its forward op saved.
        result[of].found.push_back(isRebuild && arg.access == Access::Read ? after : before);
        result[of].left.push_back(after);
      }
    };
    note(id, false);
    if (op.rebuild.isValid()) note(op.rebuild, true);
    for (std::size_t i = 0; i < op.args.size(); ++i) version[op.args[i].tensor] = result[id].left[i];
  }
  return result;
}

class Checker {
 public:
  Checker(const Plan& plan, const Workload& workload)
      : m_plan(plan), m_workload(workload), m_versions(versionsOnRoute(workload, m_finalVersion)), m_algorithmOf(workload.ops.size(), none),
        m_device(workload.tensors.size()), m_host(workload.tensors.size()) {
    m_lanes.fill(noSteps);
  }

  std::vector<PlanProblem> run() {
    if (!isWellFormed()) return std::move(m_problems);
    checkPersistent();
    for (m_step = 0; m_step < stepCount(); ++m_step) {
      const PlanAction& action = m_plan.steps[static_cast<std::size_t>(m_step)].action;
      m_lane = laneOf(action, m_workload);
      m_now = m_lanes[indexOf(m_lane)];
      std::visit([&](const auto& step) { check(step); }, action);
      m_lanes[indexOf(m_lane)] = m_now;
      m_lanes[indexOf(m_lane)][indexOf(m_lane)] = m_step;
      m_finished.push_back(m_lanes[indexOf(m_lane)]);
    }
    m_step = stepCount() - 1;
    checkEnd();
    return std::move(m_problems);
  }

 private:
  struct Content {
    bool isThere = false;
    Bytes offset;
    std::int32_t version = garbage;
    LaneSteps lastAccess = noSteps, lastWrite = noSteps;
  };
  using Extents = std::map<std::int64_t, std::pair<std::int64_t, TensorId>>;   ///< begin -> end, whose

  std::int32_t stepCount() const { return static_cast<std::int32_t>(m_plan.steps.size()); }
  void problem(std::string text) { m_problems.push_back({PlanStepId{m_step}, std::move(text)}); }
  const std::string& name(TensorId tensor) const { return m_workload.tensors[tensor].name; }
  Bytes bytesOf(TensorId tensor) const { return m_workload.tensors[tensor].bytes; }
  Bytes slotOf(Bytes bytes) const { return roundUp(bytes, m_plan.alignment); }
  bool haveFinished(const LaneSteps& steps) const {
    return steps[0] <= m_now[0] && steps[1] <= m_now[1] && steps[2] <= m_now[2];
  }

  bool isWellFormed() {
    const auto hasTensor = [&](TensorId id) { return m_workload.tensors.contains(id); };
    const auto isTransient = [&](TensorId id) { return hasTensor(id) && !m_workload.tensors[id].isPersistent; };
    const auto isKnown = Overloaded{
        [&](const RunStep& run) {
          if (!m_workload.ops.contains(run.op) || run.candidate < 0) return false;
          // Neither in the route nor the rebuild of an op that is: nothing says what it should find.
          const Op& op = m_workload.ops[run.op];
          return run.candidate < static_cast<std::int32_t>(op.candidates.size()) && m_versions[run.op].found.size() == op.args.size();
        },
        [&](const WaitStep& wait) { return wait.on.index >= 0 && wait.on.index < m_step; },
        [&](const AllocStep& alloc) { return isTransient(alloc.tensor); },
        [&](const FreeStep& free) { return isTransient(free.tensor); },
        [&](const auto& copy) { return hasTensor(copy.tensor); },
    };
    for (m_step = 0; m_step < stepCount(); ++m_step)
      if (!std::visit(isKnown, m_plan.steps[static_cast<std::size_t>(m_step)].action))
        problem("names a tensor, op, candidate or step that does not exist or does not fit");
    m_step = none;
    if (m_plan.persistentOffsets.size() != m_workload.tensors.size()) problem("persistent offsets do not belong to this workload");
    if (m_plan.alignment <= Bytes{}) problem("the alignment is not positive");
    return m_problems.empty();
  }

  void checkPersistent() {
    Extents extents;
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      if (!m_workload.tensors[tensor].isPersistent) continue;
      const Bytes offset = m_plan.persistentOffsets[tensor];
      m_device[tensor] = {.isThere = true, .offset = offset, .version = 0};
      if (offset < Bytes{} || offset + slotOf(bytesOf(tensor)) > m_plan.persistentBytes) problem(name(tensor) + " is not inside the persistent region");
      occupy(extents, offset, slotOf(bytesOf(tensor)), tensor);
    }
    m_extent = m_plan.persistentBytes;
    for (const TensorId tensor : idsOf(m_workload.tensors))
      if (m_workload.tensors[tensor].livesOnHost) checkHome(tensor);
    m_hostExtent = m_plan.hostHomeBytes;
  }

  /// What lives on the host is there when the iteration begins.
  void checkHome(TensorId tensor) {
    if (!m_plan.hostHomes.contains(tensor)) return problem(name(tensor) + " lives on the host but has no place there");
    const std::int64_t begin = m_plan.hostHomes[tensor].count(), end = begin + bytesOf(tensor).count();
    if (begin < 0 || end > m_plan.hostHomeBytes.count()) problem(name(tensor) + " does not lie within the homes of the host region");
    const auto next = m_hostLive.lower_bound(begin);
    const bool overlaps = (next != m_hostLive.end() && next->first < end) || (next != m_hostLive.begin() && std::prev(next)->second.first > begin);
    if (overlaps && end > begin) problem(name(tensor) + " shares its place on the host with another tensor");
    if (end > begin) m_hostLive.insert_or_assign(begin, std::pair{end, tensor});
    m_host[tensor] = {.isThere = true, .offset = Bytes{begin}, .version = 0};
  }

  /// Enters [offset, offset + bytes) and reports what is there already.
  void occupy(Extents& extents, Bytes offset, Bytes bytes, TensorId tensor) {
    if (offset.count() % m_plan.alignment.count() != 0) problem(label(tensor) + " is not aligned");
    if (bytes == Bytes{}) return;
    const std::int64_t begin = offset.count(), end = (offset + bytes).count();
    auto next = extents.lower_bound(begin);
    if (next != extents.end() && next->first < end) problem(label(tensor) + " gets bytes that belong to " + label(next->second.second));
    if (next != extents.begin() && std::prev(next)->second.first > begin)
      problem(label(tensor) + " gets bytes that belong to " + label(std::prev(next)->second.second));
    extents.insert_or_assign(begin, std::pair{end, tensor});
  }
  std::string label(TensorId tensor) const { return tensor.isValid() ? name(tensor) : std::string("a workspace"); }
  void reach(Bytes offset, Bytes bytes, TensorId tensor) {
    if (offset < m_plan.persistentBytes) problem(label(tensor) + " lies in the persistent region");
    m_extent = std::max(m_extent, offset + bytes);
  }

  void check(const AllocStep& alloc) {
    Content& content = m_device[alloc.tensor];
    if (content.isThere) problem(name(alloc.tensor) + " is allocated twice");
    const Bytes slot = slotOf(bytesOf(alloc.tensor));
    reach(alloc.offset, slot, alloc.tensor);
    occupy(m_live, alloc.offset, slot, alloc.tensor);
    const LaneSteps now{m_step, none, none};
    content = {.isThere = true, .offset = alloc.offset, .version = garbage, .lastAccess = now, .lastWrite = now};
  }

  void check(const FreeStep& free) {
    Content& content = m_device[free.tensor];
    if (!content.isThere) return problem(name(free.tensor) + " is freed but not allocated");
    if (!haveFinished(content.lastAccess)) problem(name(free.tensor) + " is freed while a copy may still use its bytes");
    if (const auto entry = m_live.find(content.offset.count()); entry != m_live.end() && entry->second.second == free.tensor) m_live.erase(entry);
    content = {};
  }

  void check(const RunStep& run) {
    const Op& op = m_workload.ops[run.op];
    const std::string what = opName(m_workload, run.op);
    if (op.phase != Phase::Rebuild) {
      if (m_ran >= m_workload.route.size() || m_workload.route[m_ran] != run.op) problem(what + " runs out of turn");
      ++m_ran;
    }
    // Another algorithm rounds differently, and a re-run must give the same to the bit. The forward run stands first.
    if (op.rebuild.isValid()) m_algorithmOf[op.rebuild] = run.candidate;
    if (op.phase == Phase::Rebuild && m_algorithmOf[run.op] != run.candidate) problem(what + " takes another algorithm than the forward run");
    const Versions& versions = m_versions[run.op];
    for (std::size_t i = 0; i < op.args.size(); ++i) {
      const OpArg& arg = op.args[i];
      const Content& content = m_device[arg.tensor];
      if (!content.isThere) {
        problem(what + " touches " + name(arg.tensor) + ", which is not on the device");
      } else if (writesTensor(arg.access) && !haveFinished(content.lastAccess)) {
        problem(what + " writes " + name(arg.tensor) + " while another lane may still use it");
      } else if (!haveFinished(content.lastWrite)) {
        problem(what + " reads " + name(arg.tensor) + " before it has arrived");
      }
      if (readsTensor(arg.access) && content.isThere && content.version != versions.found[i])
        problem(what + " reads " + name(arg.tensor) + (content.version == garbage ? ", which nothing has written" : ", which holds another content than it should"));
    }
    for (std::size_t i = 0; i < op.args.size(); ++i) access(m_device[op.args[i].tensor], op.args[i].access, versions.left[i]);
    checkWorkspace(op, run);
  }

  void checkWorkspace(const Op& op, const RunStep& run) {
    const Bytes bytes = slotOf(op.candidates[static_cast<std::size_t>(run.candidate)].workspace);
    if (bytes == Bytes{}) return;
    if (m_lane != Lane::Compute) problem("a load cannot take a workspace: its lane does not allocate");
    reach(run.workspaceOffset, bytes, {});
    Extents live;   // what is around it is enough
    const auto next = m_live.lower_bound(run.workspaceOffset.count());
    if (next != m_live.end()) live.insert(*next);
    if (next != m_live.begin()) live.insert(*std::prev(next));
    occupy(live, run.workspaceOffset, bytes, {});
  }

  void access(Content& content, Access access, std::int32_t version) const {
    content.lastAccess[indexOf(m_lane)] = m_step;
    if (!writesTensor(access)) return;
    content.lastWrite[indexOf(m_lane)] = m_step;
    content.version = version;
  }

  void check(const CopyOutStep& out) {
    Content& content = m_device[out.tensor];
    if (!content.isThere || content.version == garbage) return problem(name(out.tensor) + " is copied out but has no content on the device");
    if (!haveFinished(content.lastWrite)) problem(name(out.tensor) + " is copied out before it is written");
    if (out.hostOffset < Bytes{}) problem(name(out.tensor) + " is copied out to before the host region");
    m_hostExtent = std::max(m_hostExtent, out.hostOffset + bytesOf(out.tensor));
    takeHostBytes(out);
    m_host[out.tensor] = {.isThere = true, .offset = out.hostOffset, .version = content.version};
    access(m_host[out.tensor], Access::Write, content.version);
    access(content, Access::Read, content.version);
  }

  /// Whoever had these host bytes before must be done with them, and has lost its content.
  void takeHostBytes(const CopyOutStep& out) {
    const std::int64_t begin = out.hostOffset.count(), end = begin + bytesOf(out.tensor).count();
    auto entry = m_hostLive.lower_bound(begin);
    if (entry != m_hostLive.begin() && std::prev(entry)->second.first > begin) --entry;
    while (entry != m_hostLive.end() && entry->first < end) {
      Content& old = m_host[entry->second.second];
      if (!haveFinished(old.lastAccess)) problem(name(out.tensor) + " overwrites host bytes that " + name(entry->second.second) + " may still use");
      old = {};
      entry = m_hostLive.erase(entry);
    }
    if (end > begin) m_hostLive.emplace(begin, std::pair{end, out.tensor});
  }

  void check(const CopyInStep& in) {
    Content& content = m_device[in.tensor];
    Content& host = m_host[in.tensor];
    if (!content.isThere) return problem(name(in.tensor) + " is copied in but has no bytes on the device");
    if (!haveFinished(content.lastAccess)) problem(name(in.tensor) + " is copied in while its bytes may still be in use");
    if (!host.isThere || host.offset != in.hostOffset) return problem(name(in.tensor) + " is copied in from host bytes that do not hold it");
    if (!haveFinished(host.lastWrite)) problem(name(in.tensor) + " is copied in before its copy out has ended");
    access(host, Access::Read, host.version);
    access(content, Access::Write, host.version);
  }

  void check(const WaitStep& wait) {
    const auto on = static_cast<std::size_t>(wait.on.index);
    if (laneOf(m_plan.steps[on].action, m_workload) == m_lane) problem("a lane waits for itself");
    for (std::size_t lane = 0; lane < laneCount; ++lane) m_now[lane] = std::max(m_now[lane], m_finished[on][lane]);
  }

  void checkEnd() {
    for (const TensorId tensor : idsOf(m_workload.tensors))
      if (m_device[tensor].isThere && !m_workload.tensors[tensor].isPersistent) problem(name(tensor) + " is never freed");
    for (const TensorId tensor : idsOf(m_workload.tensors)) {
      if (!m_workload.tensors[tensor].livesOnHost) continue;
      if (!m_host[tensor].isThere || m_host[tensor].version != m_finalVersion[tensor] || m_host[tensor].offset != m_plan.hostHomes[tensor])
        problem(name(tensor) + " is not written back to its place on the host");
    }
    if (m_ran != m_workload.route.size()) problem("the iteration ends before its route");
    const auto compare = [&](const char* what, Bytes says, Bytes is, const std::optional<Bytes>& budget) {
      if (says != is) problem(std::string(what) + " bytes are " + std::to_string(says.count()) + ", but the steps reach " + std::to_string(is.count()));
      if (budget && says > *budget) problem(std::string(what) + " bytes exceed their budget of " + std::to_string(budget->count()));
    };
    compare("arena", m_plan.arenaBytes, m_extent, m_plan.options.budget);
    compare("host", m_plan.hostBytes, m_hostExtent, m_plan.options.hostBudget);
  }

  const Plan& m_plan;
  const Workload& m_workload;
  IdVector<TensorId, std::int32_t> m_finalVersion;
  const IdVector<OpId, Versions> m_versions;
  IdVector<OpId, std::int32_t> m_algorithmOf;    ///< of a rebuild op: the candidate that the forward run took
  std::vector<PlanProblem> m_problems;
  IdVector<TensorId, Content> m_device, m_host;
  Extents m_live, m_hostLive;
  Bytes m_extent, m_hostExtent;
  std::size_t m_ran = 0;                         ///< ops of the route so far
  std::array<LaneSteps, laneCount> m_lanes;      ///< the clock of each lane
  std::vector<LaneSteps> m_finished;             ///< per step: its lane's clock when it has finished
  std::int32_t m_step = none;
  Lane m_lane = Lane::Compute;
  LaneSteps m_now = noSteps;                     ///< the clock of the step being checked
};

}  // namespace

std::vector<PlanProblem> checkPlan(const Plan& plan, const Workload& workload) { return Checker(plan, workload).run(); }

}  // namespace peakscope
