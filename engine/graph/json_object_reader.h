// SPDX-License-Identifier: Apache-2.0
//
// JsonObjectReader: takes typed values out of one JSON object, with ranges, and remembers the first thing that is
// wrong.
//
//   JsonObjectReader in(node, "lenet.json", "layer conv2");
//   ConvParams conv{.outChannels = in.integer("out", 1, maxExtent)};
//   in.pair("kernel", conv.kernelH, conv.kernelW, {1, maxWindow});   // 5 or [5, 3]
//   in.refuseOtherKeys();
//   if (in.problem()) return fail(*in.problem());
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/graph/json_tree.h"
#include "memory/result.h"

namespace peakscope::engine {

class JsonObjectReader {
 public:
  struct Range {
    std::int64_t least, most;
  };

  /// `subject` is what messages call the object: "layer conv2"; empty for the document itself.
  JsonObjectReader(const JsonNode& node, std::string fileName, std::string subject);

  // Required when no value stands for "absent"; the getters below leave `value` as it is if the key is absent.
  void requireInteger(std::string_view key, std::int64_t& value, Range range);
  void integer(std::string_view key, std::int64_t& value, Range range);
  void requireNumber(std::string_view key, double& value, double least, double most);
  void number(std::string_view key, float& value, double least, double most);
  void number(std::string_view key, double& value, double least, double most);
  void boolean(std::string_view key, bool& value);
  void requireText(std::string_view key, std::string& value);
  void text(std::string_view key, std::string& value);
  /// One number for both, or [vertical, horizontal].
  void pair(std::string_view key, std::int64_t& vertical, std::int64_t& horizontal, Range range);
  /// The index of the text among `words`; `value` stays as it is if the key is absent.
  void choice(std::string_view key, int& value, std::initializer_list<const char*> words);
  /// A node of any kind; null if absent.
  const JsonNode* any(std::string_view key);

  /// Complains about keys that nobody asked for, naming those that exist.
  void refuseOtherKeys();

  void complain(std::int32_t line, const std::string& text);
  [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }
  [[nodiscard]] std::int32_t line() const { return m_node.line; }
  [[nodiscard]] const std::string& fileName() const { return m_fileName; }

 private:
  const JsonNode* take(std::string_view key, bool isRequired);
  bool readInteger(const JsonNode& node, std::string_view key, std::int64_t& value, Range range);
  bool readNumber(const JsonNode& node, std::string_view key, double& value, double least, double most);

  const JsonNode& m_node;
  std::string m_fileName, m_subject;
  std::vector<std::string> m_known;
  std::optional<Error> m_problem;
};

}  // namespace peakscope::engine
