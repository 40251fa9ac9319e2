// SPDX-License-Identifier: Apache-2.0
#include "memory/event_log.h"

#include <utility>

namespace peakscope {

void EventLog::append(LogRecord record) {
  auto shared = std::make_shared<const LogRecord>(std::move(record));
  {
    const std::lock_guard lock(m_mutex);
    if (const auto* steps = std::get_if<StepsDone>(shared.get())) m_times += steps->times.size();
    m_records.push_back(std::move(shared));
    dropOldTimes();
  }
  m_more.notify_all();
}

void EventLog::dropOldTimes() {
  while (m_times > m_keptTimes) {
    // One whole iteration: its pieces, up to the first piece of the next one. The one being appended stays.
    std::int64_t iteration = -1;
    std::vector<std::size_t> pieces;
    std::size_t i = m_oldestTimed;
    for (; i < m_records.size(); ++i) {
      const auto* steps = m_records[i] ? std::get_if<StepsDone>(m_records[i].get()) : nullptr;
      if (steps == nullptr) continue;
      if (!pieces.empty() && steps->iteration != iteration) break;
      iteration = steps->iteration;
      pieces.push_back(i);
    }
    if (i == m_records.size()) return;
    for (const std::size_t piece : pieces) {
      m_times -= std::get<StepsDone>(*m_records[piece]).times.size();
      m_records[piece] = nullptr;
    }
    // Where the last piece was: a reader in the middle of the iteration learns of it too.
    m_records[pieces.back()] = std::make_shared<const LogRecord>(IterationsDropped{.first = iteration, .count = 1});
    m_oldestTimed = i;
  }
}

std::vector<std::shared_ptr<const LogRecord>> EventLog::readSince(Cursor& cursor) const {
  const std::lock_guard lock(m_mutex);
  std::vector<std::shared_ptr<const LogRecord>> fresh;
  fresh.reserve(m_records.size() - cursor.next);
  for (; cursor.next < m_records.size(); ++cursor.next)
    if (m_records[cursor.next]) fresh.push_back(m_records[cursor.next]);
  return fresh;
}

bool EventLog::waitForMore(const Cursor& cursor) const {
  std::unique_lock lock(m_mutex);
  m_more.wait(lock, [&] { return m_isClosed || m_records.size() > cursor.next; });
  return m_records.size() > cursor.next;
}

EventLog::News EventLog::waitForMore(const Cursor& cursor, std::chrono::milliseconds atMost) const {
  std::unique_lock lock(m_mutex);
  m_more.wait_for(lock, atMost, [&] { return m_isClosed || m_records.size() > cursor.next; });
  if (m_records.size() > cursor.next) return News::More;
  return m_isClosed ? News::Closed : News::None;
}

void EventLog::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_isClosed = true;
  }
  m_more.notify_all();
}

bool EventLog::isClosed() const {
  const std::lock_guard lock(m_mutex);
  return m_isClosed;
}

}  // namespace peakscope
