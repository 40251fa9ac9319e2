// SPDX-License-Identifier: GPL-3.0-or-later
//
// LatestWorker: a thread that answers requests, of which only the latest matters: a new one replaces what waits and asks what
// is being worked on to stop.
//
//   LatestWorker<PlanRequest> worker([&](const PlanRequest& request, const std::stop_token& stop) { ... emit answered(...); });
//   worker.ask(request);
//   worker.cancel();
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace peakscope::ui {

template <class Request>
class LatestWorker {
 public:
  /// Runs on the worker's thread and must not throw.
  using Serve = std::function<void(const Request& request, const std::stop_token& stop)>;

  explicit LatestWorker(Serve serve) : m_serve(std::move(serve)), m_thread([this](const std::stop_token& stop) { work(stop); }) {}
  ~LatestWorker() { cancel(); }   // the thread is then asked to stop, and joined
  LatestWorker(const LatestWorker&) = delete;
  LatestWorker& operator=(const LatestWorker&) = delete;

  void ask(Request request) {
    {
      const std::lock_guard lock(m_mutex);
      m_waiting = std::move(request);
      m_current.request_stop();
    }
    m_asked.notify_one();
  }
  void cancel() {
    const std::lock_guard lock(m_mutex);
    m_waiting.reset();
    m_current.request_stop();
  }

 private:
  void work(const std::stop_token& stop) {
    for (;;) {
      std::optional<Request> request;
      std::stop_source current;
      {
        std::unique_lock lock(m_mutex);
        if (!m_asked.wait(lock, stop, [this] { return m_waiting.has_value(); })) return;
        request.swap(m_waiting);
        m_current = current;
      }
      m_serve(*request, current.get_token());
    }
  }

  Serve m_serve;
  std::mutex m_mutex;
  std::condition_variable_any m_asked;
  std::optional<Request> m_waiting;
  std::stop_source m_current;           ///< of the request being served
  std::jthread m_thread;                ///< last: ends before anything above goes away
};

}  // namespace peakscope::ui
