// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/json_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_set>

#include "memory/plan.h"

namespace peakscope::engine {
namespace {

/// An iterator that tells how far the lexer has read: that is how nodes learn their line.
struct CountingIterator {
  using difference_type = std::ptrdiff_t;
  using value_type = char;
  using pointer = const char*;
  using reference = const char&;
  using iterator_category = std::input_iterator_tag;

  const char* at = nullptr;
  const char** reached = nullptr;

  reference operator*() const { return *at; }
  CountingIterator& operator++() {
    ++at;
    *reached = at;
    return *this;
  }
  CountingIterator operator++(int) {
    CountingIterator old = *this;
    ++*this;
    return old;
  }
  friend bool operator==(const CountingIterator& a, const CountingIterator& b) { return a.at == b.at; }
  friend bool operator!=(const CountingIterator& a, const CountingIterator& b) { return a.at != b.at; }
};

/// Builds the tree. Open containers are moved into their parent when they end, so no pointer into a growing vector is
/// kept.
class TreeBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const char* begin, const char* const& reached)
      : m_counted(begin), m_lineBegin(begin), m_reached(reached) {}

  JsonNode root;
  std::int32_t problemLine = 0, problemColumn = 0;
  std::string problem;

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(std::int64_t value) override { return add(value); }
  bool number_unsigned(std::uint64_t value) override {
    // Beyond int64 only as a real number; every reader refuses it by its range.
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
      return add(static_cast<double>(value));
    return add(static_cast<std::int64_t>(value));
  }
  bool number_float(double value, const std::string&) override { return add(value); }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(nlohmann::json::binary_t&) override { return refuse("binary values are not part of JSON"); }
  bool start_object(std::size_t) override { return open(JsonNode::Object{}); }
  bool start_array(std::size_t) override { return open(JsonNode::Array{}); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    Open& parent = m_open.back();
    parent.keyLine = line();
    if (!parent.keys.insert(name).second) return refuse(fmt::format("key '{}' occurs twice in one object", name));
    parent.key = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while ..."
    std::string text = error.what();
    if (const auto colon = text.find(": "); colon != std::string::npos) text = text.substr(colon + 2);
    return refuse("not valid JSON: " + text);
  }

 private:
  struct Open {
    JsonNode node;
    std::string key;
    std::int32_t keyLine = 0;
    std::unordered_set<std::string> keys;
  };

  /// Lines are counted once over the text, up to the last character read. A number ends one character late; a newline
  /// there does not count yet.
  std::int32_t line() {
    const char* end = m_reached;
    while (m_counted + 1 < end) {
      if (*m_counted == '\n') {
        ++m_line;
        m_lineBegin = m_counted + 1;
      }
      ++m_counted;
    }
    return m_line;
  }
  bool refuse(std::string text) {
    problemLine = line();
    problemColumn = static_cast<std::int32_t>(std::max<std::ptrdiff_t>(1, m_reached - m_lineBegin));
    problem = std::move(text);
    return false;
  }
  template <class Value>
  bool add(Value value) {
    place({std::move(value), line()});
    return true;
  }
  template <class Container>
  bool open(Container container) {
    if (m_open.size() >= maxJsonDepth) return refuse(fmt::format("nested deeper than {} levels", maxJsonDepth));
    m_open.push_back({{std::move(container), line()}, {}, 0, {}});
    return true;
  }
  bool close() {
    JsonNode node = std::move(m_open.back().node);
    m_open.pop_back();
    place(std::move(node));
    return true;
  }
  void place(JsonNode node) {
    if (m_open.empty()) {
      root = std::move(node);
      return;
    }
    Open& parent = m_open.back();
    if (auto* array = std::get_if<JsonNode::Array>(&parent.node.value)) {
      array->push_back(std::move(node));
    } else {
      // A member stands where its key does, an object in a list where it begins.
      node.line = parent.keyLine;
      std::get<JsonNode::Object>(parent.node.value).emplace_back(std::move(parent.key), std::move(node));
    }
  }

  const char* m_counted;
  const char* m_lineBegin;
  const char* const& m_reached;
  std::int32_t m_line = 1;
  std::vector<Open> m_open;
};

}  // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
  const auto* object = std::get_if<Object>(&value);
  if (!object) return nullptr;
  const auto it = std::find_if(object->begin(), object->end(), [&](const Member& m) { return m.first == key; });
  return it == object->end() ? nullptr : &it->second;
}

const char* JsonNode::kind() const {
  static constexpr const char* names[] = {"null",   "true or false", "a whole number", "a number",
                                          "a text", "a list",        "an object"};
  return names[value.index()];
}

Result<JsonNode> parseJson(std::string_view text, const std::string& fileName) {
  const char* reached = text.data();
  TreeBuilder builder(text.data(), reached);
  const CountingIterator begin{text.data(), &reached}, end{text.data() + text.size(), &reached};
  if (!nlohmann::json::sax_parse(begin, end, &builder))
    return badInput(fmt::format("{}:{}:{}: {}", fileName, builder.problemLine, builder.problemColumn, builder.problem));
  return std::move(builder.root);
}

Result<std::string> readTextFile(const std::filesystem::path& path, std::int64_t limit) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return badInput(fmt::format("{}: no such file", path.string()));
  const auto size = std::filesystem::file_size(path, error);
  if (error) return badInput(fmt::format("{}: cannot be read: {}", path.string(), error.message()));
  if (size > static_cast<std::uintmax_t>(limit))
    return badInput(
        fmt::format("{}: {} bytes are more than the limit of {} for such a file", path.string(), size, limit));
  std::ifstream file(path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file.good() && !file.eof()) return badInput(fmt::format("{}: cannot be read", path.string()));
  if (text.empty() && size > 0)
    return badInput(fmt::format("{}: cannot be read; check its permissions", path.string()));
  return text;
}

}  // namespace peakscope::engine
