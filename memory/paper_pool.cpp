// SPDX-License-Identifier: Apache-2.0
#include "memory/paper_pool.h"

#include <algorithm>
#include <cassert>

namespace peakscope {

Bytes PaperPool::allocate(std::int64_t id, Bytes bytes) {
  assert(!m_nodes.contains(id));
  const std::int64_t blocks = roundUp(bytes, m_block).count() / m_block.count();
  Node node{.first = 0, .blocks = blocks};
  const auto fits = std::ranges::find_if(m_empty, [&](const auto& entry) { return entry.second >= blocks; });
  if (fits != m_empty.end()) {
    node.first = fits->first;
    const std::int64_t left = fits->second - blocks;
    m_empty.erase(fits);
    if (left > 0) m_empty.emplace(node.first + blocks, left);
  } else {
    // The region grows; an empty node at its end becomes part of the new one.
    node.first = m_extent;
    if (!m_empty.empty())
      if (const auto last = std::prev(m_empty.end()); last->first + last->second == m_extent) {
        node.first = last->first;
        m_empty.erase(last);
      }
    m_extent = node.first + blocks;
  }
  m_nodes.emplace(id, node);
  m_allocated += blocks;
  return m_block * node.first;
}

void PaperPool::free(std::int64_t id) {
  const auto entry = m_nodes.find(id);
  assert(entry != m_nodes.end());
  auto [first, blocks] = entry->second;
  m_nodes.erase(entry);
  m_allocated -= blocks;
  if (blocks == 0) return;
  const auto next = m_empty.lower_bound(first);
  if (next != m_empty.begin())
    if (const auto previous = std::prev(next); previous->first + previous->second == first) {
      first = previous->first;
      blocks += previous->second;
      m_empty.erase(previous);
    }
  if (next != m_empty.end() && next->first == first + blocks) {
    blocks += next->second;
    m_empty.erase(next);
  }
  m_empty.emplace(first, blocks);
}

Bytes PaperPool::largestEmpty() const {
  std::int64_t largest = 0;
  for (const auto& [first, blocks] : m_empty) largest = std::max(largest, blocks);
  return m_block * largest;
}

}  // namespace peakscope
