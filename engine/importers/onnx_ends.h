// SPDX-License-Identifier: Apache-2.0
//
// Both ends of an imported model: which input is the image and what the others are, and the loss on the scores; and what
// its user should know about the file.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/importers/onnx_translation.h"

namespace peakscope::engine {

/// Sets the values that are there before any node runs: parameters, and the data layer. `order` are the nodes needed.
/// Fills in the graph's batch and what there is to remark about the input.
[[nodiscard]] Result<void, std::string> beginWithInput(OnnxTranslation& t, const std::vector<std::size_t>& order, Graph& graph);
/// Puts the loss on the output.
[[nodiscard]] Result<void, std::string> endWithLoss(OnnxTranslation& t);
/// One line each, without the file's name.
[[nodiscard]] std::vector<std::string> remarksOn(const OnnxTranslation& t);

}  // namespace peakscope::engine
