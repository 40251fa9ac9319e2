// SPDX-License-Identifier: Apache-2.0
//
// JsonTree: a parsed JSON document in which every value knows its line, so that a message can point at it.
//
//   Result<JsonNode> root = parseJson(text, "lenet.json");   // "lenet.json:3:17: not JSON: ..."
//   if (const JsonNode* batch = root->find("batch")) use(batch->line);
//
// Input is untrusted: depth is limited, and a key that occurs twice is an error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "memory/result.h"

namespace peakscope::engine {

struct JsonNode {
  using Array = std::vector<JsonNode>;
  using Member = std::pair<std::string, JsonNode>;
  using Object = std::vector<Member>;  ///< in the order of the document

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, Array, Object> value = nullptr;
  std::int32_t line = 0;

  [[nodiscard]] const JsonNode* find(std::string_view key) const;  ///< null if absent or not an object
  [[nodiscard]] const char* kind() const;                          ///< "a number", "an object", ... for messages
};

inline constexpr int maxJsonDepth = 32;

/// `fileName` is for messages only.
[[nodiscard]] Result<JsonNode> parseJson(std::string_view text, const std::string& fileName);

/// The content of a regular file of at most `limit` bytes.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& path,
                                               std::int64_t limit = std::int64_t{32} << 20);

}  // namespace peakscope::engine
