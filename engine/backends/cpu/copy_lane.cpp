// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/copy_lane.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace peakscope::engine::cpu {

CopyLane::Link::Link(double bytesPerSecond, std::stop_token stop) : m_bytesPerSecond(bytesPerSecond), m_stop(std::move(stop)) {}

void CopyLane::Link::copy(std::byte* to, const std::byte* from, Bytes bytes) {
  if (m_bytesPerSecond <= 0) {
    std::memcpy(to, from, static_cast<std::size_t>(bytes.count()));
    return;
  }
  // About a millisecond of the link at a time: fine enough to look like a steady stream, coarse enough to cost nothing.
  const auto chunk = std::max<std::int64_t>(4096, static_cast<std::int64_t>(m_bytesPerSecond / 1000));
  for (std::int64_t at = 0; at < bytes.count(); at += chunk) {
    const std::int64_t size = std::min(chunk, bytes.count() - at);
    std::memcpy(to + at, from + at, static_cast<std::size_t>(size));
    account(Bytes{size});
  }
}

void CopyLane::Link::account(Bytes bytes) {
  m_moved += bytes.count();
  if (m_bytesPerSecond > 0) waitForClock();
}

void CopyLane::Link::waitForClock() {
  const auto due = m_begin + std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(m_moved) / m_bytesPerSecond * 1e9));
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_until(lock, m_stop, due, [] { return false; });
}

CopyLane::CopyLane(StepBoard& board, const SessionClock& clock, double bytesPerSecond)
    : m_board(board), m_clock(clock), m_bytesPerSecond(bytesPerSecond), m_thread([this](const std::stop_token& stop) { main(stop); }) {}

void CopyLane::post(PlanStepId step, Work work) {
  {
    const std::lock_guard lock(m_mutex);
    m_tasks.push_back({step, std::move(work)});
  }
  m_changed.notify_all();
}

void CopyLane::postWait(PlanStepId step, PlanStepId on) {
  post(step, [this, on](Link&) { m_board.waitFor(on); });
}

void CopyLane::drain() {
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, [this] { return m_tasks.empty(); });
}

void CopyLane::main(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  while (m_changed.wait(lock, stop, [this] { return !m_tasks.empty(); })) {
    const Task& task = m_tasks.front();   // a deque keeps it in place while others are added behind
    lock.unlock();
    perform(task, stop);
    lock.lock();
    m_tasks.pop_front();
    m_changed.notify_all();
  }
}

void CopyLane::perform(const Task& task, const std::stop_token& stop) {
  if (m_board.hasFailed()) return;
  const std::int64_t begin = m_clock.now();
  try {
    Link link(m_bytesPerSecond, stop);
    task.work(link);
    m_board.finish(task.step, {begin, m_clock.now()});
  } catch (...) {
    m_board.fail(std::current_exception());
  }
}

}  // namespace peakscope::engine::cpu
