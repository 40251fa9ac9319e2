// SPDX-License-Identifier: Apache-2.0
#include "memory/placement/waiting_blocks.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace peakscope {
namespace {

constexpr std::int32_t nobody = std::numeric_limits<std::int32_t>::max();

}  // namespace

WaitingBlocks::WaitingBlocks(const TimedBlocks& blocks, std::span<const double> weights)
    : m_blocks(blocks), m_byRank(blocks.size()), m_firstBorn(blocks.live.size() + 1, blocks.size()) {
  std::iota(m_byRank.begin(), m_byRank.end(), std::size_t{0});
  std::ranges::stable_sort(m_byRank, std::greater{}, [&](std::size_t i) { return weights[i]; });
  for (std::size_t i = blocks.size(); i-- > 0;) m_firstBorn[static_cast<std::size_t>(blocks.begin[i])] = i;
  for (std::size_t moment = blocks.live.size(); moment-- > 0;) m_firstBorn[moment] = std::min(m_firstBorn[moment], m_firstBorn[moment + 1]);

  while (m_leaves < blocks.size()) m_leaves *= 2;
  m_nodes.assign(2 * m_leaves, {nobody, nobody});
  for (std::size_t rank = 0; rank < blocks.size(); ++rank)
    m_nodes[m_leaves + m_byRank[rank]] = {static_cast<std::int32_t>(rank), blocks.end[m_byRank[rank]]};
  const auto earlier = [](const Node& a, const Node& b) { return Node{std::min(a.rank, b.rank), std::min(a.earliestEnd, b.earliestEnd)}; };
  for (std::size_t node = m_leaves; node-- > 1;) m_nodes[node] = earlier(m_nodes[2 * node], m_nodes[2 * node + 1]);
}

std::optional<std::size_t> WaitingBlocks::heaviestWithin(std::int32_t begin, std::int32_t end) const {
  Search wanted{m_firstBorn[static_cast<std::size_t>(begin)], m_firstBorn[static_cast<std::size_t>(end)], end, nobody};
  search(1, 0, m_leaves, wanted);
  if (wanted.found == nobody) return std::nullopt;
  return m_byRank[static_cast<std::size_t>(wanted.found)];
}

void WaitingBlocks::search(std::size_t node, std::size_t first, std::size_t last, Search& wanted) const {
  const Node& here = m_nodes[node];
  if (last <= wanted.first || wanted.last <= first || here.earliestEnd > wanted.end || here.rank >= wanted.found) return;
  const std::size_t heaviest = m_byRank[static_cast<std::size_t>(here.rank)];
  if (heaviest >= wanted.first && heaviest < wanted.last && m_blocks.end[heaviest] <= wanted.end) {
    wanted.found = here.rank;
    return;
  }
  if (node >= m_leaves) return;
  const std::size_t middle = (first + last) / 2;
  const bool isLeftHeavier = m_nodes[2 * node].rank < m_nodes[2 * node + 1].rank;
  if (isLeftHeavier) search(2 * node, first, middle, wanted);
  search(2 * node + 1, middle, last, wanted);
  if (!isLeftHeavier) search(2 * node, first, middle, wanted);
}

void WaitingBlocks::remove(std::size_t block) {
  std::size_t node = m_leaves + block;
  m_nodes[node] = {nobody, nobody};
  for (node /= 2; node >= 1; node /= 2) {
    const Node &left = m_nodes[2 * node], &right = m_nodes[2 * node + 1];
    m_nodes[node] = {std::min(left.rank, right.rank), std::min(left.earliestEnd, right.earliestEnd)};
  }
}

}  // namespace peakscope
