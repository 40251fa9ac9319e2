// SPDX-License-Identifier: Apache-2.0
//
// The text of lowering options: a preset, then what differs from it. One table row per option.
#include <fmt/format.h>

#include "engine/lowering.h"

namespace peakscope::engine {
namespace {

struct Switch {
  std::string_view word;
  bool LoweringOptions::*value;
};
constexpr Switch switches[] = {
    {"fork-copies", &LoweringOptions::hasForkCopies},
    {"join-copies", &LoweringOptions::joinCopies},
    {"relu-in-place", &LoweringOptions::reluInPlace},
    {"fused-batchnorm-relu", &LoweringOptions::fusesBatchNormRelu},
    {"input-gradient", &LoweringOptions::computesInputGradient},
    {"updates-in-backward", &LoweringOptions::updatesInBackward},
    {"saves-argmax", &LoweringOptions::savesArgmax},
    {"rebuilds-saved", &LoweringOptions::rebuildsSaved},
    {"parameters-on-host", &LoweringOptions::parametersOnHost},
    {"optimizer-on-host", &LoweringOptions::optimizerOnHost},
};

Result<void> applySwitch(std::string_view text, LoweringOptions& options) {
  const auto equals = text.find('=');
  const std::string_view word = text.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
  std::string known;
  for (const Switch& s : switches) {
    known += (known.empty() ? "" : ", ") + std::string(s.word);
    if (word != s.word) continue;
    if (value != "on" && value != "off")
      return badInput(fmt::format("lowering option '{}': write {}=on or {}=off", text, word, word));
    options.*s.value = value == "on";
    return {};
  }
  return badInput(
      fmt::format("lowering '{}' is not known; use paper, lean, or one of these with =on or =off: {}", text, known));
}

}  // namespace

LoweringOptions LoweringOptions::paper() {
  return {.preset = "paper",
          .hasForkCopies = true,
          .joinCopies = true,
          .reluInPlace = false,
          .fusesBatchNormRelu = false,
          .computesInputGradient = true,
          .updatesInBackward = false,
          .savesArgmax = false,
          .rebuildsSaved = false};
}

LoweringOptions LoweringOptions::lean() { return {}; }

Result<LoweringOptions> LoweringOptions::parse(std::string_view text) {
  LoweringOptions options = lean();
  for (std::size_t begin = 0, part = 0; begin <= text.size(); ++part) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (part == 0 && (word == "paper" || word == "lean")) {
      options = word == "paper" ? paper() : lean();
    } else if (const auto applied = applySwitch(word, options); !applied) {
      return fail(applied.error());
    }
    begin = end + 1;
  }
  return options;
}

std::string LoweringOptions::text() const {
  const LoweringOptions base = preset == "paper" ? paper() : lean();
  std::string result = preset;
  for (const Switch& s : switches)
    if (this->*s.value != base.*s.value) result += fmt::format(",{}={}", s.word, this->*s.value ? "on" : "off");
  return result;
}

}  // namespace peakscope::engine
