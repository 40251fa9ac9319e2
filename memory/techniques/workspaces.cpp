// SPDX-License-Identifier: Apache-2.0
//
// A walk over the plan that keeps the gaps between the live tensors, by place and by size.
#include "memory/techniques/workspaces.h"

#include <algorithm>
#include <map>
#include <set>

namespace peakscope {
namespace {

/// The free bytes of [begin, end), as a coalescing list that finds the tightest gap for a request.
class Gaps {
 public:
  Gaps(std::int64_t begin, std::int64_t end) {
    if (begin < end) insert(begin, end);
  }
  void take(std::int64_t begin, std::int64_t end) {
    if (begin == end) return;
    const auto gap = std::prev(m_byPlace.upper_bound(begin));
    const auto [gapBegin, gapEnd] = *gap;
    erase(gap);
    if (gapBegin < begin) insert(gapBegin, begin);
    if (end < gapEnd) insert(end, gapEnd);
  }
  void release(std::int64_t begin, std::int64_t end) {
    if (begin == end) return;
    auto next = m_byPlace.lower_bound(begin);
    if (next != m_byPlace.end() && next->first == end) {
      end = next->second;
      next = erase(next);
    }
    if (next != m_byPlace.begin() && std::prev(next)->second == begin) {
      begin = std::prev(next)->first;
      erase(std::prev(next));
    }
    insert(begin, end);
  }
  [[nodiscard]] std::int64_t largest() const { return m_bySize.empty() ? 0 : m_bySize.rbegin()->first; }
  /// Where a request fits most tightly; it must not be larger than largest().
  [[nodiscard]] std::int64_t tightest(std::int64_t bytes) const { return m_bySize.lower_bound({bytes, 0})->second; }

 private:
  using Places = std::map<std::int64_t, std::int64_t>;   ///< begin -> end
  void insert(std::int64_t begin, std::int64_t end) {
    m_byPlace.emplace(begin, end);
    m_bySize.emplace(end - begin, begin);
  }
  Places::iterator erase(Places::iterator gap) {
    m_bySize.erase({gap->second - gap->first, gap->first});
    return m_byPlace.erase(gap);
  }
  Places m_byPlace;
  std::set<std::pair<std::int64_t, std::int64_t>> m_bySize;   ///< (bytes, begin)
};

/// The fastest candidate that fits; of equally fast ones the first, which has the smaller workspace.
std::int32_t fastestOf(const std::vector<char>& fits, const std::vector<std::chrono::nanoseconds>& times) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < fits.size(); ++i)
    if (fits[i] != 0 && times[i] < times[best]) best = i;
  return static_cast<std::int32_t>(best);
}

/// Calls visit(run, gaps) for every Run on the compute lane, with the gaps of that moment.
template <class Visit>
void forEachRun(Plan& plan, const Workload& workload, std::int64_t end, Visit visit) {
  Gaps gaps(plan.persistentBytes.count(), end);
  IdVector<TensorId, std::int64_t> offsets(workload.tensors.size());
  const auto endOf = [&](TensorId tensor) { return offsets[tensor] + roundUp(workload.tensors[tensor].bytes, plan.alignment).count(); };
  for (PlanStep& step : plan.steps) {
    if (const auto* alloc = std::get_if<AllocStep>(&step.action)) {
      offsets[alloc->tensor] = alloc->offset.count();
      gaps.take(offsets[alloc->tensor], endOf(alloc->tensor));
    } else if (const auto* free = std::get_if<FreeStep>(&step.action)) {
      gaps.release(offsets[free->tensor], endOf(free->tensor));
    } else if (auto* run = std::get_if<RunStep>(&step.action); run != nullptr && workload.ops[run->op].phase != Phase::Load) {
      visit(*run, gaps);
    }
  }
}

}  // namespace

void chooseWorkspaces(Plan& plan, const Workload& workload, const CostTable& costs, Bytes limit) {
  const std::int64_t end = std::max(limit, plan.arenaBytes).count();
  IdVector<OpId, OpId> forwardOf(workload.ops.size());
  for (const OpId id : idsOf(workload.ops))
    if (const OpId rebuild = workload.ops[id].rebuild; rebuild.isValid()) forwardOf[rebuild] = id;
  const auto leaderOf = [&](OpId op) { return forwardOf[op].isValid() ? forwardOf[op] : op; };

  const auto workspaceOf = [&](OpId op, std::size_t candidate) {
    return roundUp(workload.ops[op].candidates[candidate].workspace, plan.alignment).count();
  };
  // By the op of the first run: which candidates fit at that run and at all of its re-runs.
  IdVector<OpId, std::vector<char>> fits(workload.ops.size());
  forEachRun(plan, workload, end, [&](const RunStep& run, const Gaps& gaps) {
    std::vector<char>& possible = fits[leaderOf(run.op)];
    const std::size_t count = workload.ops[run.op].candidates.size();
    if (possible.empty()) possible.assign(workload.ops[leaderOf(run.op)].candidates.size(), 1);
    for (std::size_t i = 0; i < possible.size(); ++i)
      if (i >= count || workspaceOf(run.op, i) > gaps.largest()) possible[i] = 0;
  });
  forEachRun(plan, workload, end, [&](RunStep& run, const Gaps& gaps) {
    const OpId leader = leaderOf(run.op);
    const std::int32_t choice = fastestOf(fits[leader], costs.opTimes[leader]);
    if (choice == run.candidate) return;
    const std::int64_t bytes = workspaceOf(run.op, static_cast<std::size_t>(choice));
    run.candidate = choice;
    run.workspaceOffset = bytes > 0 ? Bytes{gaps.tightest(bytes)} : Bytes{};
  });

  // What reached highest may have been a workspace that now lies elsewhere.
  plan.arenaBytes = plan.persistentBytes;
  for (const PlanStep& step : plan.steps) {
    if (const auto* alloc = std::get_if<AllocStep>(&step.action))
      plan.arenaBytes = std::max(plan.arenaBytes, alloc->offset + roundUp(workload.tensors[alloc->tensor].bytes, plan.alignment));
    if (const auto* run = std::get_if<RunStep>(&step.action))
      if (const std::int64_t bytes = workspaceOf(run->op, static_cast<std::size_t>(run->candidate)); bytes > 0)
        plan.arenaBytes = std::max(plan.arenaBytes, run->workspaceOffset + Bytes{bytes});
  }
}

}  // namespace peakscope
