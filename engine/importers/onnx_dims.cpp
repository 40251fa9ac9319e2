// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_dims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace peakscope::engine {
namespace {

constexpr std::size_t largestRank = 16;

/// The axes, counted from the front, ascending; none if one is out of range or occurs twice.
std::optional<OnnxDims> normalised(const OnnxDims& axes, std::size_t rank) {
  OnnxDims result;
  if (axes.size() > largestRank) return std::nullopt;
  for (const std::int64_t axis : axes) {
    const auto at = axisOf(axis, rank);
    if (!at) return std::nullopt;
    result.push_back(*at);
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end()) return std::nullopt;
  return result;
}

}  // namespace

std::optional<std::int64_t> axisOf(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) return std::nullopt;
  return axis < 0 ? axis + size : axis;
}

std::optional<std::int64_t> elementsOf(const OnnxDims& dims) {
  std::int64_t elements = 1;
  for (const std::int64_t dim : dims)
    if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements)) return std::nullopt;
  return elements;
}

std::optional<OnnxDims> reshaped(const OnnxDims& dims, const OnnxDims& target, bool allowsZero) {
  OnnxDims result = target;
  if (target.size() > largestRank) return std::nullopt;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i] == 0 && !allowsZero) {
      if (i >= dims.size()) return std::nullopt;
      result[i] = dims[i];
    } else if (result[i] == -1) {
      if (open) return std::nullopt;
      open = i;
      result[i] = 1;
    }
  }
  const auto had = elementsOf(dims), has = elementsOf(result);
  if (!had || !has) return std::nullopt;
  if (open) {
    if (*has == 0 || *had % *has != 0) return std::nullopt;
    result[*open] = *had / *has;
    return result;
  }
  return *had == *has ? std::optional(result) : std::nullopt;
}

std::optional<OnnxDims> squeezed(const OnnxDims& dims, const std::optional<OnnxDims>& axes) {
  OnnxDims result = dims;
  if (!axes) {
    std::erase(result, 1);
    return result;
  }
  const auto gone = normalised(*axes, dims.size());
  if (!gone) return std::nullopt;
  for (auto axis = gone->rbegin(); axis != gone->rend(); ++axis) {
    if (result[static_cast<std::size_t>(*axis)] != 1) return std::nullopt;
    result.erase(result.begin() + *axis);
  }
  return result;
}

std::optional<OnnxDims> unsqueezed(const OnnxDims& dims, const std::optional<OnnxDims>& axes) {
  if (!axes || axes->size() > largestRank) return std::nullopt;
  const auto added = normalised(*axes, dims.size() + axes->size());
  if (!added) return std::nullopt;
  OnnxDims result = dims;
  for (const std::int64_t axis : *added) result.insert(result.begin() + axis, 1);
  return result;
}

std::string dimsText(const OnnxDims& dims) {
  if (dims.size() > 8) return fmt::format("{} dimensions", dims.size());
  return fmt::format("[{}]", fmt::join(dims, ", "));
}

}  // namespace peakscope::engine
