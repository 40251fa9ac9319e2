// SPDX-License-Identifier: Apache-2.0
//
// Lists of dimensions, as ONNX's shape operators change them. Every number comes from a file: none is trusted.
//
//   reshaped({2, 64, 7, 7}, {0, -1}, false);      // {2, 3136}
//   unsqueezed({64}, std::vector<std::int64_t>{0, -1});   // {1, 64, 1}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace peakscope::engine {

using OnnxDims = std::vector<std::int64_t>;

/// Negative axes count from the end; none if out of range.
[[nodiscard]] std::optional<std::int64_t> axisOf(std::int64_t axis, std::size_t rank);
/// Product of dimensions, none if it overflows or one is negative.
[[nodiscard]] std::optional<std::int64_t> elementsOf(const OnnxDims& dims);
/// Reshape's rule: 0 copies a dimension (unless `allowsZero`), one -1 takes what is left. None if the elements differ.
[[nodiscard]] std::optional<OnnxDims> reshaped(const OnnxDims& dims, const OnnxDims& target, bool allowsZero);
/// Without the axes of size 1; without any of that size if no axes are given.
[[nodiscard]] std::optional<OnnxDims> squeezed(const OnnxDims& dims, const std::optional<OnnxDims>& axes);
[[nodiscard]] std::optional<OnnxDims> unsqueezed(const OnnxDims& dims, const std::optional<OnnxDims>& axes);
/// "[1, 64, 56, 56]"
[[nodiscard]] std::string dimsText(const OnnxDims& dims);

}  // namespace peakscope::engine
