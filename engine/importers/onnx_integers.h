// SPDX-License-Identifier: Apache-2.0
//
// The integer interpreter: exporters compute the target of a Reshape from shapes, with a dozen nodes that run no kernel
// worth planning. Everything is known while importing, so they are folded.
//
//   if (auto folded = foldIntegers(t, node)) store(*folded);      // else the node computes on images
#pragma once

#include <optional>

#include "engine/importers/onnx_translation.h"

namespace peakscope::engine {

/// The outputs if the node computes on constants, or asks for a shape; none if it is not of that kind.
[[nodiscard]] std::optional<Translated> foldIntegers(OnnxTranslation& t, const OnnxNode& node);

}  // namespace peakscope::engine
