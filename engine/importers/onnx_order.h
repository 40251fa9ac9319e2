// SPDX-License-Identifier: Apache-2.0
//
// Which nodes an output needs, and in which order they can run.
//
//   const auto order = orderFor(model, "logits");     // indices into model.nodes; or "nodes form a cycle ..."
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/importers/onnx_model.h"

namespace peakscope::engine {

/// In the file's order where that is possible. The error has no file name.
[[nodiscard]] Result<std::vector<std::size_t>, std::string> orderFor(const OnnxModel& model, const std::string& output);

}  // namespace peakscope::engine
