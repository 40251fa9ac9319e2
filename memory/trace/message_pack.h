// SPDX-License-Identifier: Apache-2.0
//
// MessagePack from an untrusted sender, as a JSON tree of bounded depth: the library's parser calls itself once a level,
// so that a few megabytes of opening brackets would end the program.
//
//   const nlohmann::json command = trace::parseMessagePack(bytes);
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

namespace peakscope::trace {

/// Throws nlohmann::json::exception if the bytes are no MessagePack, FieldError if they nest deeper than any message does.
[[nodiscard]] nlohmann::json parseMessagePack(std::span<const std::uint8_t> bytes);

}  // namespace peakscope::trace
