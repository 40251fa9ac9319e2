// SPDX-License-Identifier: Apache-2.0
#include "memory/event_log.h"

#include <utility>

namespace peakscope {

void EventLog::append(LogRecord record) {
  auto shared = std::make_shared<const LogRecord>(std::move(record));
  {
    const std::lock_guard lock(m_mutex);
    m_records.push_back(std::move(shared));
  }
  m_more.notify_all();
}

std::vector<std::shared_ptr<const LogRecord>> EventLog::readSince(Cursor& cursor) const {
  const std::lock_guard lock(m_mutex);
  std::vector<std::shared_ptr<const LogRecord>> fresh(m_records.begin() + static_cast<std::ptrdiff_t>(cursor.next),
                                                      m_records.end());
  cursor.next = m_records.size();
  return fresh;
}

bool EventLog::waitForMore(const Cursor& cursor) const {
  std::unique_lock lock(m_mutex);
  m_more.wait(lock, [&] { return m_isClosed || m_records.size() > cursor.next; });
  return m_records.size() > cursor.next;
}

void EventLog::close() {
  {
    const std::lock_guard lock(m_mutex);
    m_isClosed = true;
  }
  m_more.notify_all();
}

}  // namespace peakscope
