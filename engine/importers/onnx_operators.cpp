// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_operators.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace peakscope::engine {
namespace {

struct Entry {
  std::string_view op;
  OnnxRule rule;
};
constexpr Entry rules[] = {
    {"Add", translateAdd},
    {"AveragePool", translatePool},
    {"BatchNormalization", translateBatchNorm},
    {"Cast", translateAlias},
    {"Clip", translateActivation},
    {"Concat", translateConcat},
    {"Conv", translateConv},
    {"Div", translateArithmetic},
    {"Dropout", translateDropout},
    {"Elu", translateActivation},
    {"Flatten", translateFlatten},
    {"Gelu", translateActivation},
    {"Gemm", translateGemm},
    {"GlobalAveragePool", translateGlobalPool},
    {"GlobalMaxPool", translateGlobalPool},
    {"HardSigmoid", translateActivation},
    {"HardSwish", translateActivation},
    {"Identity", translateAlias},
    {"LRN", translateLrn},
    {"LeakyRelu", translateActivation},
    {"LogSoftmax", translateSoftmax},
    {"MatMul", translateMatMul},
    {"MaxPool", translatePool},
    {"Mish", translateActivation},
    {"Mul", translateArithmetic},
    {"Pad", translatePad},
    {"ReduceMean", translateReduceMean},
    {"Relu", translateActivation},
    {"Reshape", translateReshape},
    {"Sigmoid", translateActivation},
    {"Slice", translateSlice},
    {"Softmax", translateSoftmax},
    {"Softplus", translateActivation},
    {"Split", translateSplit},
    {"Squeeze", translateReshape},
    {"Sub", translateArithmetic},
    {"Sum", translateAdd},
    {"Tanh", translateActivation},
    {"Transpose", translateTranspose},
    {"Unsqueeze", translateReshape},
};

}  // namespace

OnnxRule ruleOf(const std::string& op) {
  const auto found = std::find_if(std::begin(rules), std::end(rules), [&](const Entry& entry) { return entry.op == op; });
  return found == std::end(rules) ? nullptr : found->rule;
}

const std::vector<std::int64_t>* integersOf(const OnnxTranslation& t, const OnnxNode& node, std::size_t k) {
  const OnnxValue* value = t.constant(node, k);
  return value != nullptr && value->integers ? &*value->integers : nullptr;
}

std::optional<std::vector<std::int64_t>> listOf(const OnnxTranslation& t, const OnnxNode& node, const char* attribute, std::size_t input) {
  if (const OnnxAttribute* found = node.find(attribute)) return found->integers;
  if (const auto* found = integersOf(t, node, input)) return *found;
  return std::nullopt;
}

}  // namespace peakscope::engine
