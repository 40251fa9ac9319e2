// SPDX-License-Identifier: Apache-2.0
//
// Log records as bytes (MessagePack), for pipes. What comes back has the right types and ranges; whether it fits the
// records before it is RecordCheck's question.
//
//   std::vector<std::uint8_t> bytes = encodeRecord(record);
//   Result<LogRecord> back = decodeRecordBytes(bytes);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "memory/log_record.h"
#include "memory/result.h"

namespace peakscope {

[[nodiscard]] std::vector<std::uint8_t> encodeRecord(const LogRecord& record);
[[nodiscard]] Result<LogRecord> decodeRecordBytes(std::span<const std::uint8_t> bytes);

}  // namespace peakscope
