// SPDX-License-Identifier: Apache-2.0
//
// Log records as bytes (MessagePack), for pipes. Decoding trusts nothing: what comes back is valid or an error.
//
//   std::vector<std::uint8_t> bytes = encodeRecord(record);
//   Result<LogRecord> back = decodeRecordBytes(bytes);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "memory/log_record.h"
#include "memory/result.h"

namespace peakscope {

[[nodiscard]] std::vector<std::uint8_t> encodeRecord(const LogRecord& record);
[[nodiscard]] Result<LogRecord> decodeRecordBytes(std::span<const std::uint8_t> bytes);

/// What makes a workload or a plan from outside unusable: an id that names nothing, an op without candidates, negative
/// bytes. None if it can be folded safely.
[[nodiscard]] std::optional<std::string> problemOf(const Workload& workload);
[[nodiscard]] std::optional<std::string> problemOf(const Plan& plan, const Workload& workload);

}  // namespace peakscope
