// SPDX-License-Identifier: Apache-2.0
#include "app/cli/output.h"

#include <iostream>
#include <nlohmann/json.hpp>

#include "memory/report/text.h"

namespace peakscope::cli {

void tell(std::string_view text) { std::cerr << "peakscope: " + report::cleanText(text) + '\n'; }

std::string jsonText(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace peakscope::cli
