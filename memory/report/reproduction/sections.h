// SPDX-License-Identifier: Apache-2.0
//
// The sections of the reproduction page, each a piece of markup. Internal to memory/report/reproduction.
#pragma once

#include <string>

#include "memory/report/reproduction/reproduction.h"

namespace peakscope::report::html {

[[nodiscard]] std::string stepPeaks(const Reproduction& found);
[[nodiscard]] std::string recomputeModes(const Reproduction& found);
[[nodiscard]] std::string largestBatches(const Reproduction& found);
[[nodiscard]] std::string deepest(const Reproduction& found);
[[nodiscard]] std::string traffic(const Reproduction& found);
[[nodiscard]] std::string workspaces(const Reproduction& found);
[[nodiscard]] std::string poolSpeeds(const Reproduction& found);

/// "1,132.155": the printed digits with separators, to stand under ours.
[[nodiscard]] std::string printed(const Published& published);
/// "equal ✓" where every printed digit is met, else the difference with its sign.
[[nodiscard]] std::string difference(double ours, const Published& published);
/// The network as people write it: "ResNet-50".
[[nodiscard]] std::string title(const std::string& net);

}  // namespace peakscope::report::html
