// SPDX-License-Identifier: Apache-2.0
//
// The message interface of a session: commands go in, log records come out, both as values that can cross a pipe.
//
//   std::vector<std::uint8_t> bytes = encode(Command{ChangeOptions{options}});
//   Result<Command> back = decodeCommand(bytes);
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "memory/log_record.h"
#include "memory/policy_options.h"
#include "memory/result.h"

namespace peakscope::engine {

/// Everything that starts a session. Paths and texts, not objects, so that a worker can do it elsewhere.
struct SessionConfig {
  std::string net = "minivgg";         ///< sample name or file
  std::int64_t batch = 0;              ///< 0: the network's own
  std::int64_t inputHeight = 0, inputWidth = 0;  ///< 0: the network's own
  std::string lowering = "lean";
  std::string backend = "cpu";         ///< "cpu", "virtual"
  std::string device;                  ///< virtual: device name or file
  std::string dataDir;                 ///< empty: where Debian installs it, else the bundled subset, else synthetic
  PolicyOptions options;
  std::int64_t iterations = 0;         ///< 0: by epochs
  std::int64_t epochs = 0;             ///< 0: until stopped
  std::int32_t threads = 0;
  std::uint64_t seed = 1;
  double linkBytesPerSecond = 0;
  bool deterministic = false;
  bool checkMemory = false;
  std::string samplesDir;              ///< holds networks/ and data/
  std::string devicesDir;
  std::string commandLine;             ///< for RunInfo
};

struct Start { SessionConfig config; };           ///< plan, commit, then wait paused
struct Run {};
struct Pause {};
struct SingleStep {};                             ///< one iteration, then pause
struct Stop {};                                   ///< finish the iteration, evaluate nothing, end
struct ChangeOptions { PolicyOptions options; };  ///< at the next iteration boundary; refused with a Notice if it has no plan

using Command = std::variant<Start, Run, Pause, SingleStep, Stop, ChangeOptions>;

[[nodiscard]] std::vector<std::uint8_t> encode(const Command& command);
[[nodiscard]] Result<Command> decodeCommand(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::vector<std::uint8_t> encode(const LogRecord& record);
[[nodiscard]] Result<LogRecord> decodeRecord(std::span<const std::uint8_t> bytes);

}  // namespace peakscope::engine
