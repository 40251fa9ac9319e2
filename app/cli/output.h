// SPDX-License-Identifier: Apache-2.0
//
// What peakscope-cli says: one line on stderr for a person, JSON on stdout for a program. Names come from files and command
// lines and may hold any bytes; neither a line break nor invalid UTF-8 in one may break what is written.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace peakscope::cli {

/// "peakscope: text", always exactly one line of valid UTF-8.
void tell(std::string_view text);
/// The text of a JSON value; invalid UTF-8 becomes U+FFFD. indent -1: all on one line.
[[nodiscard]] std::string jsonText(const nlohmann::ordered_json& json, int indent = 2);

}  // namespace peakscope::cli
