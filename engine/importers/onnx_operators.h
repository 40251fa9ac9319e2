// SPDX-License-Identifier: Apache-2.0
//
// The rules of the operators: from a node to layers, or why not. One small file per family; the table is in
// onnx_operators.cpp, and an operator that is not in it cannot be planned.
#pragma once

#include "engine/importers/onnx_translation.h"

namespace peakscope::engine {

using OnnxRule = Translated (*)(OnnxTranslation& t, const OnnxNode& node);
/// The rule of an operator; null if there is none.
[[nodiscard]] OnnxRule ruleOf(const std::string& op);

Translated translateConv(OnnxTranslation& t, const OnnxNode& node);  // onnx_dense.cpp
Translated translateGemm(OnnxTranslation& t, const OnnxNode& node);
Translated translateMatMul(OnnxTranslation& t, const OnnxNode& node);
Translated translatePool(OnnxTranslation& t, const OnnxNode& node);  // onnx_window.cpp
Translated translateGlobalPool(OnnxTranslation& t, const OnnxNode& node);
Translated translateReduceMean(OnnxTranslation& t, const OnnxNode& node);
Translated translatePad(OnnxTranslation& t, const OnnxNode& node);
Translated translateBatchNorm(OnnxTranslation& t, const OnnxNode& node);  // onnx_normalize.cpp
Translated translateLrn(OnnxTranslation& t, const OnnxNode& node);
Translated translateDropout(OnnxTranslation& t, const OnnxNode& node);
Translated translateSoftmax(OnnxTranslation& t, const OnnxNode& node);
Translated translateActivation(OnnxTranslation& t, const OnnxNode& node);  // onnx_arithmetic.cpp
Translated translateAdd(OnnxTranslation& t, const OnnxNode& node);
Translated translateArithmetic(OnnxTranslation& t, const OnnxNode& node);
Translated translateAlias(OnnxTranslation& t, const OnnxNode& node);  // onnx_reshape.cpp
Translated translateFlatten(OnnxTranslation& t, const OnnxNode& node);
Translated translateReshape(OnnxTranslation& t, const OnnxNode& node);
Translated translateTranspose(OnnxTranslation& t, const OnnxNode& node);
Translated translateConcat(OnnxTranslation& t, const OnnxNode& node);
Translated translateSlice(OnnxTranslation& t, const OnnxNode& node);
Translated translateSplit(OnnxTranslation& t, const OnnxNode& node);

/// The numbers of input `k`; null if it is not a constant with known integers.
[[nodiscard]] const std::vector<std::int64_t>* integersOf(const OnnxTranslation& t, const OnnxNode& node, std::size_t k);
/// Integers that older operator sets have as an attribute, newer ones as an input.
[[nodiscard]] std::optional<std::vector<std::int64_t>> listOf(const OnnxTranslation& t, const OnnxNode& node, const char* attribute, std::size_t input);

/// Sizes of a window on two sides, from the node's attributes.
struct OnnxWindow {
  std::int64_t kernelH = 1, kernelW = 1, strideH = 1, strideW = 1, dilationH = 1, dilationW = 1;
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
};
/// All numbers are in the range that inferShape takes, or the refusal says which are not.
[[nodiscard]] Result<OnnxWindow, OnnxRefusal> windowOf(const OnnxNode& node, const Shape& image, std::int64_t kernelH, std::int64_t kernelW);
/// Padding that differs between opposite sides becomes a layer in front; it is 0 in the window afterwards.
[[nodiscard]] Result<OnnxValue, OnnxRefusal> padInFront(OnnxTranslation& t, const OnnxValue& x, OnnxWindow& window);

}  // namespace peakscope::engine
