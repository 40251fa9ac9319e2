// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_checks.h"

#include <charconv>
#include <fmt/format.h>

namespace peakscope::cli {

CLI::Validator wholeNumber(std::int64_t least, std::int64_t most) {
  const auto check = [least, most](const std::string& text) -> std::string {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc{} && at == end && value >= least && value <= most) return {};
    return fmt::format("'{}' is not a whole number from {} to {}", text, least, most);
  };
  return {check, ""};
}

void refuseEmptyValues(CLI::App& command) {
  for (CLI::Option* option : command.get_options())
    if (option->get_expected_max() > 0)
      option->check([](const std::string& text) { return text.empty() ? std::string("the value is empty; give one or leave the option out") : std::string(); });
}

}  // namespace peakscope::cli
