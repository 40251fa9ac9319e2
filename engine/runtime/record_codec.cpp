// SPDX-License-Identifier: Apache-2.0
//
// Records cross a pipe in the form that memory/trace defines; the interface of a session is complete in one namespace.
#include "engine/runtime/session_messages.h"
#include "memory/trace/serialize.h"

namespace peakscope::engine {

std::vector<std::uint8_t> encode(const LogRecord& record) { return encodeRecord(record); }
Result<LogRecord> decodeRecord(std::span<const std::uint8_t> bytes) { return decodeRecordBytes(bytes); }

}  // namespace peakscope::engine
