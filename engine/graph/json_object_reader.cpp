// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/json_object_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace peakscope::engine {

JsonObjectReader::JsonObjectReader(const JsonNode& node, std::string fileName, std::string subject)
    : m_node(node), m_fileName(std::move(fileName)), m_subject(std::move(subject)) {
  if (!std::holds_alternative<JsonNode::Object>(node.value))
    complain(node.line, fmt::format("is {}; it must be an object {{...}}", node.kind()));
}

void JsonObjectReader::complain(std::int32_t line, const std::string& text) {
  if (m_problem) return;
  m_problem = Error{ErrorKind::BadInput,
                    fmt::format("{}:{}: {}{}{}", m_fileName, line, m_subject, m_subject.empty() ? "" : ": ", text)};
}

const JsonNode* JsonObjectReader::take(std::string_view key, bool isRequired) {
  m_known.emplace_back(key);
  const JsonNode* node = m_node.find(key);
  if (!node && isRequired) complain(m_node.line, fmt::format("'{}' is missing", key));
  return node;
}

const JsonNode* JsonObjectReader::any(std::string_view key) { return take(key, false); }

bool JsonObjectReader::readInteger(const JsonNode& node, std::string_view key, std::int64_t& value, Range range) {
  const auto* number = std::get_if<std::int64_t>(&node.value);
  if (!number && !std::holds_alternative<double>(node.value)) {
    complain(node.line, fmt::format("'{}' is {}; it must be a whole number", key, node.kind()));
    return false;
  }
  if (!number || *number < range.least || *number > range.most) {
    const std::string given = number ? std::to_string(*number) : fmt::format("{}", std::get<double>(node.value));
    complain(node.line, fmt::format("'{}' is {}; it must be a whole number between {} and {}", key, given, range.least,
                                    range.most));
    return false;
  }
  value = *number;
  return true;
}

bool JsonObjectReader::readNumber(const JsonNode& node, std::string_view key, double& value, double least,
                                  double most) {
  double number = 0;
  if (const auto* whole = std::get_if<std::int64_t>(&node.value)) {
    number = static_cast<double>(*whole);
  } else if (const auto* real = std::get_if<double>(&node.value)) {
    number = *real;
  } else {
    complain(node.line, fmt::format("'{}' is {}; it must be a number", key, node.kind()));
    return false;
  }
  if (!(number >= least && number <= most)) {
    complain(node.line, fmt::format("'{}' is {}; it must be between {} and {}", key, number, least, most));
    return false;
  }
  value = number;
  return true;
}

void JsonObjectReader::requireInteger(std::string_view key, std::int64_t& value, Range range) {
  if (const JsonNode* node = take(key, true)) readInteger(*node, key, value, range);
}

void JsonObjectReader::integer(std::string_view key, std::int64_t& value, Range range) {
  if (const JsonNode* node = take(key, false)) readInteger(*node, key, value, range);
}

void JsonObjectReader::requireNumber(std::string_view key, double& value, double least, double most) {
  if (const JsonNode* node = take(key, true)) readNumber(*node, key, value, least, most);
}

void JsonObjectReader::number(std::string_view key, float& value, double least, double most) {
  double number = 0;
  if (const JsonNode* node = take(key, false); node && readNumber(*node, key, number, least, most))
    value = static_cast<float>(number);
}

void JsonObjectReader::number(std::string_view key, double& value, double least, double most) {
  double number = 0;
  if (const JsonNode* node = take(key, false); node && readNumber(*node, key, number, least, most)) value = number;
}

void JsonObjectReader::boolean(std::string_view key, bool& value) {
  const JsonNode* node = take(key, false);
  if (!node) return;
  if (const auto* flag = std::get_if<bool>(&node->value)) {
    value = *flag;
  } else {
    complain(node->line, fmt::format("'{}' is {}; it must be true or false", key, node->kind()));
  }
}

void JsonObjectReader::requireText(std::string_view key, std::string& value) {
  if (take(key, true)) text(key, value);
}

void JsonObjectReader::text(std::string_view key, std::string& value) {
  const JsonNode* node = take(key, false);
  if (!node) return;
  if (const auto* found = std::get_if<std::string>(&node->value)) {
    value = *found;
  } else {
    complain(node->line, fmt::format("'{}' is {}; it must be a text", key, node->kind()));
  }
}

void JsonObjectReader::pair(std::string_view key, std::int64_t& vertical, std::int64_t& horizontal, Range range) {
  const JsonNode* node = take(key, false);
  if (!node) return;
  const auto* list = std::get_if<JsonNode::Array>(&node->value);
  if (!list) {
    if (readInteger(*node, key, vertical, range)) horizontal = vertical;
  } else if (list->size() != 2) {
    complain(node->line,
             fmt::format("'{}' has {} entries; write one number, or two: [vertical, horizontal]", key, list->size()));
  } else {
    readInteger((*list)[0], key, vertical, range);
    readInteger((*list)[1], key, horizontal, range);
  }
}

void JsonObjectReader::choice(std::string_view key, int& value, std::initializer_list<const char*> words) {
  std::string word;
  const JsonNode* node = m_node.find(key);
  text(key, word);
  if (!node || !std::holds_alternative<std::string>(node->value)) return;
  const auto it = std::find(words.begin(), words.end(), word);
  if (it == words.end()) {
    complain(node->line, fmt::format("'{}' is '{}'; known: {}", key, word, fmt::join(words, ", ")));
  } else {
    value = static_cast<int>(it - words.begin());
  }
}

void JsonObjectReader::refuseOtherKeys() {
  const auto* object = std::get_if<JsonNode::Object>(&m_node.value);
  if (!object || m_problem) return;
  for (const auto& [key, node] : *object) {
    if (std::find(m_known.begin(), m_known.end(), key) != m_known.end()) continue;
    std::vector<std::string> known = m_known;
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    complain(node.line, fmt::format("unknown key '{}'; known keys: {}", key, fmt::join(known, ", ")));
    return;
  }
}

}  // namespace peakscope::engine
