// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/message_pipe.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <string_view>
#include <thread>

#include "memory/trace/record_check.h"

namespace peakscope::engine {
namespace {

constexpr std::string_view greeting = "peakscope-session 1\n";

Result<void> writeAll(int fd, const std::uint8_t* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(fd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return deviceFailed(fmt::format("session: the other end cannot be written to ({})", std::strerror(errno)));
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return {};
}

/// Bytes read; fewer than asked for only at the end of the stream.
Result<std::size_t> readAll(int fd, std::uint8_t* data, std::size_t size) {
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(fd, data + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return deviceFailed(fmt::format("session: the other end cannot be read from ({})", std::strerror(errno)));
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return done;
}

auto cutShort() { return deviceFailed("session: the connection ended inside a message; the other program may have crashed"); }

}  // namespace

Result<void> writeMessage(int fd, std::span<const std::uint8_t> bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  std::array<std::uint8_t, 4> header;
  for (std::size_t i = 0; i < header.size(); ++i) header[i] = static_cast<std::uint8_t>(size >> (8 * i));
  if (auto written = writeAll(fd, header.data(), header.size()); !written) return written;
  return writeAll(fd, bytes.data(), bytes.size());
}

Result<std::optional<std::vector<std::uint8_t>>> readMessage(int fd) {
  std::array<std::uint8_t, 4> header;
  const auto got = readAll(fd, header.data(), header.size());
  if (!got) return fail(got.error());
  if (*got == 0) return std::nullopt;
  if (*got < header.size()) return cutShort();
  std::int64_t size = 0;
  for (std::size_t i = 0; i < header.size(); ++i) size |= std::int64_t{header[i]} << (8 * i);
  if (size > largestMessage)
    return badInput(fmt::format("session: a message of {} bytes, at most {} are taken; the other end does not speak this protocol", size, largestMessage));
  std::vector<std::uint8_t> bytes;
  constexpr std::size_t piece = 1 << 20;   // a false length costs one piece, not its own size
  while (static_cast<std::int64_t>(bytes.size()) < size) {
    const std::size_t have = bytes.size(), more = std::min(piece, static_cast<std::size_t>(size) - have);
    bytes.resize(have + more);
    const auto read = readAll(fd, bytes.data() + have, more);
    if (!read) return fail(read.error());
    if (*read < more) return cutShort();
  }
  return bytes;
}

int runOverPipe(PipeEnds ends, BackendFactory makeBackend) {
  if (!writeAll(ends.records, reinterpret_cast<const std::uint8_t*>(greeting.data()), greeting.size())) return static_cast<int>(ErrorKind::DeviceFailed);
  Session session(std::move(makeBackend));
  int exitCode = 0;
  // This thread writes; one more reads, and stops the session when the other end closes. It is never waited for: a read
  // from a pipe cannot be interrupted, and the program ends when this function returns.
  struct Inbox {
    std::mutex mutex;
    Session* session;                      ///< null once the session has ended; guarded by mutex
  };
  auto inbox = std::make_shared<Inbox>();
  inbox->session = &session;
  std::thread([inbox, fd = ends.commands] {
    const auto post = [&](Command command) {
      const std::lock_guard lock(inbox->mutex);
      if (inbox->session != nullptr) inbox->session->post(std::move(command));
      return inbox->session != nullptr;
    };
    for (bool isOpen = true; isOpen;) {
      const auto message = readMessage(fd);
      if (!message || !*message) break;
      const auto command = decodeCommand(**message);
      isOpen = command && post(*command);
      // Said on this end, which has a person's terminal; the other end sees that the run stopped.
      if (!command) fmt::print(stderr, "peakscope: {}\n", command.error().message);
    }
    (void)post(Stop{});
  }).detach();

  EventLog::Cursor cursor;
  bool isReachable = true;
  while (isReachable && session.log().waitForMore(cursor))
    for (const auto& record : session.log().readSince(cursor)) {
      if (const auto* notice = std::get_if<Notice>(record.get()); notice && notice->severity == Notice::Severity::Error)
        exitCode = static_cast<int>(notice->kind);
      if (isReachable) isReachable = writeMessage(ends.records, encode(*record)).has_value();
    }
  const std::lock_guard lock(inbox->mutex);
  inbox->session = nullptr;
  return isReachable ? exitCode : static_cast<int>(ErrorKind::DeviceFailed);
}

struct PipeSession::Connection {
  explicit Connection(PipeEnds pipeEnds) : ends(pipeEnds), reader([this] { read(); }) {}
  ~Connection() {
    ::close(ends.commands);                // the worker stops, its records end, and so does the reader
    reader.join();
    ::close(ends.records);
  }

  void read() {
    if (const auto ended = readRecords(); !ended) {
      log.append(Notice{.severity = Notice::Severity::Error, .text = ended.error().message, .timeNs = 0, .kind = ended.error().kind});
      log.append(StateChanged{.state = RunState::Failed});
    }
    log.close();
  }

  Result<void> readRecords() {
    std::array<std::uint8_t, greeting.size()> hello;
    const auto got = readAll(ends.records, hello.data(), hello.size());
    if (!got) return fail(got.error());
    if (*got != hello.size() || !std::equal(hello.begin(), hello.end(), greeting.begin(), [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }))
      return badInput("session: the other end is no worker of this version; start it with 'peakscope-cli serve --stdio'");
    bool hasEnded = false;
    RecordCheck check;
    while (true) {
      const auto message = readMessage(ends.records);
      if (!message) return fail(message.error());
      if (!*message) break;
      auto record = decodeRecord(**message);
      if (!record) return fail(record.error());
      if (const auto problem = check.add(*record)) return badInput("session: the worker sends what cannot be (" + *problem + "); start it again with the same version");
      if (const auto* changed = std::get_if<StateChanged>(&*record))
        hasEnded = changed->state == RunState::Stopped || changed->state == RunState::Finished || changed->state == RunState::Failed;
      log.append(std::move(*record));
    }
    if (!hasEnded) return deviceFailed("session: the worker has gone before the run ended; its messages may say why");
    return {};
  }

  PipeEnds ends;
  EventLog log;
  std::thread reader;                      ///< last: everything else is there when it begins
};

PipeSession::PipeSession(PipeEnds ends) : m_connection(std::make_unique<Connection>(ends)) {}
PipeSession::~PipeSession() = default;
void PipeSession::post(const Command& command) {
  // A broken pipe shows in the log, where the reader reports it.
  (void)writeMessage(m_connection->ends.commands, encode(command));
}
const EventLog& PipeSession::log() const { return m_connection->log; }

}  // namespace peakscope::engine
