// SPDX-License-Identifier: Apache-2.0
//
// What planning needs of an ONNX file, as plain values: nodes, names, shapes, and the few small numbers that decide
// shapes. Weights stay where they are; a file whose weights lie elsewhere, or are lost, is as good. onnx_file.cpp alone
// knows protobuf.
//
//   const Result<OnnxModel> model = readOnnxModel("net.onnx");
//   for (const OnnxNode& node : model->nodes) use(node.op, node.integers("strides"));
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "memory/result.h"

namespace peakscope::engine {

/// Numbers of data types, as onnx.proto has them.
enum class OnnxType : std::int32_t { Float = 1, Int32 = 6, Int64 = 7, Bool = 9, Half = 10, Double = 11, BFloat = 16 };

struct OnnxTensor {
  std::string name;
  std::int32_t type = 0;
  std::vector<std::int64_t> dims;
  // Of small tensors that lie inside the file; the other list is empty.
  std::optional<std::vector<std::int64_t>> integers;  ///< int32, int64, bool
  std::optional<std::vector<double>> numbers;         ///< float, double
};

struct OnnxAttribute {
  std::string name;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;
  std::vector<std::int64_t> integers;
  std::vector<double> numbers;
  std::optional<OnnxTensor> tensor;
};

struct OnnxNode {
  std::string name, op, domain;
  std::vector<std::string> inputs, outputs;  ///< an empty name: not given
  std::vector<OnnxAttribute> attributes;

  [[nodiscard]] const OnnxAttribute* find(std::string_view attribute) const;
  [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  [[nodiscard]] double number(std::string_view attribute, double otherwise) const;
  [[nodiscard]] std::string text(std::string_view attribute, const std::string& otherwise) const;
  [[nodiscard]] bool hasInput(std::size_t k) const { return k < inputs.size() && !inputs[k].empty(); }
};

/// A graph's input or output. A dimension is -1 where the file leaves it open.
struct OnnxPort {
  std::string name;
  std::int32_t type = 0;
  bool isTensorWithShape = false;
  std::vector<std::int64_t> dims;
};

struct OnnxModel {
  std::int64_t opset = 0;
  std::vector<OnnxNode> nodes;
  std::vector<OnnxTensor> initializers;
  std::vector<OnnxPort> inputs, outputs;
};

/// Any bytes give a model or one line that says why not.
[[nodiscard]] Result<OnnxModel> parseOnnxModel(std::string_view bytes, const std::string& fileName);
[[nodiscard]] Result<OnnxModel> readOnnxModel(const std::filesystem::path& path);

/// A name from a file as messages and tables show it: printable, and not longer than a line bears.
[[nodiscard]] std::string shownName(const std::string& name);

}  // namespace peakscope::engine
