// SPDX-License-Identifier: Apache-2.0
//
// Reads a session's log to an end that a test names, and keeps what tests ask for.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/backends/virtual/virtual_backend.h"
#include "engine/cost_model.h"
#include "engine/runtime/session.h"
#include "memory/event_log.h"

namespace peakscope::test {

struct SessionRecords {
  std::vector<LogRecord> all;

  template <class T>
  [[nodiscard]] std::vector<T> of() const {
    std::vector<T> found;
    for (const LogRecord& record : all)
      if (const T* one = std::get_if<T>(&record)) found.push_back(*one);
    return found;
  }
  [[nodiscard]] std::vector<RunState> states() const {
    std::vector<RunState> found;
    for (const StateChanged& changed : of<StateChanged>()) found.push_back(changed.state);
    return found;
  }
  [[nodiscard]] std::string notices() const {
    std::string text;
    for (const Notice& notice : of<Notice>()) text += notice.text + "\n";
    return text;
  }
};

/// Blocks until the log ends or `isEnough` says so of a new record.
inline void readLog(const EventLog& log, EventLog::Cursor& cursor, SessionRecords& records,
                    const std::function<bool(const LogRecord&)>& isEnough = [](const LogRecord&) { return false; }) {
  for (bool hasEnough = false; !hasEnough && log.waitForMore(cursor);)
    for (const auto& record : log.readSince(cursor)) {
      records.all.push_back(*record);
      hasEnough = isEnough(*record) || hasEnough;
    }
}
inline SessionRecords readToEnd(const EventLog& log) {
  EventLog::Cursor cursor;
  SessionRecords records;
  readLog(log, cursor, records);
  return records;
}

inline DeviceSpec modelledDevice(Bytes memory = Bytes{std::int64_t{12} << 30}) {
  return {.name = "modelled device", .source = "test", .memory = memory, .hostMemory = Bytes{std::int64_t{64} << 30}, .alignment = Bytes{256},
          .flopsPerSecond = 4e12, .memoryBytesPerSecond = 3e11, .linkBytesPerSecond = 8e9, .launchNanoseconds = 8000};
}
inline engine::BackendFactory virtualBackends(DeviceSpec device = modelledDevice()) {
  return [device](const engine::SessionConfig& config) -> Result<std::unique_ptr<engine::Backend>> {
    return std::make_unique<engine::VirtualBackend>(
        device, [device, link = config.linkBytesPerSecond](const engine::Lowering& lowering) { return engine::modelCosts(lowering, device, link); });
  };
}
inline engine::SessionConfig sampleConfig(const char* net) {
  engine::SessionConfig config;
  config.net = net;
  config.samplesDir = std::string(PEAKSCOPE_SOURCE_DIR) + "/samples";
  return config;
}

}  // namespace peakscope::test
