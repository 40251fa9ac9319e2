// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_integers.h"

#include "engine/importers/onnx_operators.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace peakscope::engine {
namespace {

using Integers = std::vector<std::int64_t>;
constexpr std::int64_t longest = 4096;   ///< numbers in a folded tensor

std::vector<OnnxValue> one(OnnxValue value) { return {std::move(value)}; }

Translated foldConstant(const OnnxNode& node) {
  if (const OnnxAttribute* value = node.find("value"); value && value->tensor) {
    OnnxValue constant = constantOf(*value->tensor);
    constant.parameter = node.outputs[0];
    return one(std::move(constant));
  }
  if (const OnnxAttribute* value = node.find("value_int")) return one(integerConstant({}, {value->integer}));
  if (const OnnxAttribute* value = node.find("value_ints"))
    return one(integerConstant({static_cast<std::int64_t>(value->integers.size())}, value->integers));
  OnnxValue constant;
  constant.kind = OnnxValue::Kind::Constant;
  if (const OnnxAttribute* value = node.find("value_float")) {
    constant.numbers = std::vector{value->number};
  } else if (const OnnxAttribute* values = node.find("value_floats")) {
    constant.dims = {static_cast<std::int64_t>(values->numbers.size())};
    constant.numbers = values->numbers;
  } else {
    return unplanned("of a kind that is not a tensor or number");
  }
  return one(std::move(constant));
}

Translated foldShape(const OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue* x = node.hasInput(0) ? t.find(node.inputs[0]) : nullptr;
  if (x == nullptr || x->kind == OnnxValue::Kind::Unknown) return unplanned();
  const auto rank = static_cast<std::int64_t>(x->dims.size());
  const auto bound = [&](const char* name, std::int64_t otherwise) {
    const std::int64_t given = node.integer(name, otherwise);
    return std::clamp<std::int64_t>(given < 0 ? given + rank : given, 0, rank);
  };
  const std::int64_t begin = bound("start", 0), end = std::max(begin, bound("end", rank));
  return one(integerConstant({end - begin}, Integers(x->dims.begin() + begin, x->dims.begin() + end)));
}

/// A tensor of one value: shape numbers if small and integer, else a parameter (as weight-less files have them).
Translated foldConstantOfShape(const OnnxTranslation& t, const OnnxNode& node) {
  const Integers* dims = integersOf(t, node, 0);
  if (dims == nullptr) return unplanned("of a shape that is not known");
  const auto elements = elementsOf(*dims);
  if (!elements) return wrong("its shape " + dimsText(*dims) + " has a negative side or too many elements");
  OnnxValue constant;
  constant.kind = OnnxValue::Kind::Constant;
  constant.dims = *dims;
  constant.parameter = node.outputs[0];
  const OnnxAttribute* value = node.find("value");
  if (value && value->tensor && value->tensor->integers && value->tensor->integers->size() == 1 && *elements <= longest)
    constant.integers = Integers(static_cast<std::size_t>(*elements), value->tensor->integers->front());
  return one(std::move(constant));
}

Translated foldCast(const OnnxValue& x, const OnnxNode& node) {
  const auto to = static_cast<OnnxType>(node.integer("to", 0));
  const bool isInteger = to == OnnxType::Int32 || to == OnnxType::Int64 || to == OnnxType::Bool;
  OnnxValue cast = x;
  cast.integers.reset();
  cast.numbers.reset();
  if (x.integers) {
    if (isInteger) cast.integers = x.integers;
    else cast.numbers = std::vector<double>(x.integers->begin(), x.integers->end());
  } else if (x.numbers) {
    if (!isInteger) cast.numbers = x.numbers;
    else if (std::all_of(x.numbers->begin(), x.numbers->end(), [](double v) { return std::abs(v) < 9e18; }))
      cast.integers = Integers(x.numbers->begin(), x.numbers->end());
  }
  return one(std::move(cast));
}

Translated foldGather(const OnnxTranslation& t, const OnnxNode& node, const OnnxValue& x) {
  const OnnxValue* indices = t.constant(node, 1);
  if (!x.integers || x.dims.size() != 1 || indices == nullptr || !indices->integers || indices->dims.size() > 1)
    return unplanned("of a constant table");
  Integers picked;
  const auto size = static_cast<std::int64_t>(x.integers->size());
  for (const std::int64_t index : *indices->integers) {
    const std::int64_t at = index < 0 ? index + size : index;
    if (at < 0 || at >= size) return wrong("index " + std::to_string(index) + " is outside of its input " + dimsText(x.dims));
    picked.push_back((*x.integers)[static_cast<std::size_t>(at)]);
  }
  return one(integerConstant(indices->dims, std::move(picked)));
}

/// Unsqueeze, Squeeze, Reshape: the same numbers with other dimensions.
Translated foldReshape(const OnnxTranslation& t, const OnnxNode& node, const OnnxValue& x) {
  OnnxValue same = x;
  if (node.op == "Reshape") {
    const Integers* target = integersOf(t, node, 1);
    const auto dims = target ? reshaped(x.dims, *target, node.integer("allowzero", 0) != 0) : std::nullopt;
    if (!dims) return unplanned("of a constant");
    same.dims = *dims;
    return one(std::move(same));
  }
  const auto dims = node.op == "Squeeze" ? squeezed(x.dims, listOf(t, node, "axes", 1)) : unsqueezed(x.dims, listOf(t, node, "axes", 1));
  if (!dims) return wrong("its axes do not fit its input " + dimsText(x.dims));
  same.dims = *dims;
  return one(std::move(same));
}

Translated foldConcat(const OnnxTranslation& t, const OnnxNode& node) {
  Integers all;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    const Integers* part = integersOf(t, node, k);
    if (part == nullptr || static_cast<std::int64_t>(all.size() + part->size()) > longest) return unplanned("of constants");
    all.insert(all.end(), part->begin(), part->end());
  }
  const auto size = static_cast<std::int64_t>(all.size());
  return one(integerConstant({size}, std::move(all)));
}

Translated foldSlice(const OnnxTranslation& t, const OnnxNode& node, const OnnxValue& x) {
  const auto starts = listOf(t, node, "starts", 1), ends = listOf(t, node, "ends", 2);
  const Integers* steps = integersOf(t, node, 4);
  if (!x.integers || x.dims.size() != 1 || !starts || !ends || starts->size() != 1 || ends->size() != 1 || (steps && (steps->size() != 1 || (*steps)[0] < 1)))
    return unplanned("of a constant");
  const auto size = static_cast<std::int64_t>(x.integers->size());
  const auto bound = [&](std::int64_t given) { return std::clamp<std::int64_t>(given < 0 ? std::max(given, -size) + size : given, 0, size); };
  Integers picked;
  const std::int64_t step = steps ? (*steps)[0] : 1, end = bound((*ends)[0]);
  for (std::int64_t at = bound((*starts)[0]); at < end; at += std::min(step, size)) picked.push_back((*x.integers)[static_cast<std::size_t>(at)]);
  const auto count = static_cast<std::int64_t>(picked.size());
  return one(integerConstant({count}, std::move(picked)));
}

/// None where the result has no 64-bit value.
std::optional<std::int64_t> compute(const std::string& op, std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (op == "Add") return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "Sub") return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (op == "Mul") return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
  if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return std::nullopt;
  if (op == "Div") return a / b;
  result = a % b;   // Mod takes the sign of the divisor
  return result != 0 && (result < 0) != (b < 0) ? result + b : result;
}

Translated foldArithmetic(const OnnxTranslation& t, const OnnxNode& node) {
  const OnnxValue *a = t.constant(node, 0), *b = t.constant(node, 1);
  if (a == nullptr || b == nullptr || !a->integers || !b->integers) return unplanned("of constants");
  const std::size_t size = std::max(a->integers->size(), b->integers->size());
  const auto isFitting = [&](const Integers& list) { return list.size() == size || list.size() == 1; };
  if (!isFitting(*a->integers) || !isFitting(*b->integers))
    return wrong("its inputs " + dimsText(a->dims) + " and " + dimsText(b->dims) + " do not go together");
  Integers results;
  for (std::size_t i = 0; i < size; ++i) {
    const auto at = [i](const Integers& list) { return list.size() == 1 ? list[0] : list[i]; };
    const auto result = compute(node.op, at(*a->integers), at(*b->integers));
    if (!result) return wrong("overflows, or divides by zero");
    results.push_back(*result);
  }
  return one(integerConstant(a->dims.size() >= b->dims.size() ? a->dims : b->dims, std::move(results)));
}

/// Weights turned round for MatMul.
Translated foldTranspose(const OnnxValue& x) {
  if (x.dims.size() != 2) return unplanned("of a constant");
  OnnxValue turned = x;
  std::swap(turned.dims[0], turned.dims[1]);
  if (x.dims[0] != 1 && x.dims[1] != 1) {
    turned.integers.reset();
    turned.numbers.reset();
  }
  return one(std::move(turned));
}

bool isOneOf(const std::string& op, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return op == name; });
}

}  // namespace

std::optional<Translated> foldIntegers(OnnxTranslation& t, const OnnxNode& node) {
  if (node.op == "Constant") return foldConstant(node);
  if (node.op == "Shape") return foldShape(t, node);
  if (node.op == "ConstantOfShape") return foldConstantOfShape(t, node);
  for (std::size_t k = 0; k < node.inputs.size(); ++k)
    if (node.hasInput(k) && t.constant(node, k) == nullptr) return std::nullopt;
  const OnnxValue* x = t.constant(node, 0);
  if (x == nullptr) return std::nullopt;
  if (node.op == "Identity") return one(*x);
  if (node.op == "Cast") return foldCast(*x, node);
  if (node.op == "Gather") return foldGather(t, node, *x);
  if (isOneOf(node.op, {"Unsqueeze", "Squeeze", "Reshape"})) return foldReshape(t, node, *x);
  if (node.op == "Concat") return foldConcat(t, node);
  if (node.op == "Slice") return foldSlice(t, node, *x);
  if (node.op == "Transpose") return foldTranspose(*x);
  if (isOneOf(node.op, {"Add", "Sub", "Mul", "Div", "Mod"})) return foldArithmetic(t, node);
  return std::nullopt;
}

}  // namespace peakscope::engine
