// SPDX-License-Identifier: Apache-2.0
//
// A session at the other end of two pipes: commands go in, records come out, as length-prefixed messages.
//
//   worker:   return runOverPipe({.commands = 0, .records = 1}, makeBackend);
//   window:   PipeSession session({.commands = toWorker, .records = fromWorker});
//             session.post(Start{config}); session.log().waitForMore(cursor);
//
// Note [Frames]
//   "peakscope-session 1\n" from the worker, once; then in both directions: u32 length, little-endian, and that many bytes.
// A length above the cap ends the connection before anything is allocated.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/runtime/session.h"

namespace peakscope::engine {

inline constexpr std::int64_t largestMessage = std::int64_t{256} << 20;

/// File descriptors; not closed by those who use them, except where said.
struct PipeEnds {
  int commands = -1;
  int records = -1;
};

[[nodiscard]] Result<void> writeMessage(int fd, std::span<const std::uint8_t> bytes);
/// Nothing at the orderly end of the stream.
[[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> readMessage(int fd);

/// Runs one session for whoever is at the other end; returns when it has ended or the other end has gone. 0, or the exit
/// code of an ErrorKind. A reader that is gone must show as an error: the program ignores SIGPIPE.
[[nodiscard]] int runOverPipe(PipeEnds ends, BackendFactory makeBackend);

/// The same interface as Session. Takes the two ends and closes them; closing makes the worker stop at the next boundary.
class PipeSession {
 public:
  explicit PipeSession(PipeEnds ends);
  ~PipeSession();
  PipeSession(const PipeSession&) = delete;
  PipeSession& operator=(const PipeSession&) = delete;

  void post(const Command& command);
  /// Ends when the worker does; a connection that breaks is a Notice and RunState::Failed.
  [[nodiscard]] const EventLog& log() const;

 private:
  struct Connection;
  std::unique_ptr<Connection> m_connection;
};

}  // namespace peakscope::engine
