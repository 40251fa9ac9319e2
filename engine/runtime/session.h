// SPDX-License-Identifier: Apache-2.0
//
// Session: one training run on its own thread. It takes commands, writes records to its log, and shares nothing else.
//
//   Session session(makeBackend);                   // app/ wires the backends that were built
//   session.post(Start{config});
//   session.post(Run{});
//   EventLog::Cursor cursor;
//   while (session.log().waitForMore(cursor))
//     for (const auto& record : session.log().readSince(cursor)) fold(*record);
#pragma once

#include <functional>
#include <memory>

#include "engine/backend.h"
#include "engine/runtime/session_messages.h"
#include "memory/event_log.h"

namespace peakscope::engine {

/// Makes the backend that a config names, or says why there is none.
using BackendFactory = std::function<Result<std::unique_ptr<Backend>>(const SessionConfig&)>;

class Session {
 public:
  explicit Session(BackendFactory makeBackend);
  ~Session();                                   ///< stops at the next iteration boundary and joins
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void post(Command command);                   ///< never blocks
  [[nodiscard]] const EventLog& log() const;

 private:
  struct Worker;
  std::unique_ptr<Worker> m_worker;
};

}  // namespace peakscope::engine
