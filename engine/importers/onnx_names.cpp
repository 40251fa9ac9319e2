// SPDX-License-Identifier: Apache-2.0
#include "engine/importers/onnx_names.h"

#include <algorithm>
#include <cctype>

namespace peakscope::engine {
namespace {

constexpr std::size_t longestName = 64;

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Letters, digits, dot, dash and underscore; anything else becomes an underscore.
std::string cleaned(std::string text) {
  for (char& c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  return text.size() <= longestName ? text : text.substr(text.size() - longestName);
}

std::vector<std::string> partsOf(const std::string& name) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('/', begin), name.size());
    if (end > begin) parts.push_back(name.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// "Conv" or "Conv_12" of a node with operator Conv.
bool isOperator(const std::string& part, const std::string& op) {
  if (!part.starts_with(op)) return false;
  const std::string rest = part.substr(op.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '_' && std::all_of(rest.begin() + 1, rest.end(), [](unsigned char c) { return std::isdigit(c) != 0; }));
}

/// Module paths as joined with dots; a part that begins with the one before it replaces it.
std::string joined(const std::vector<std::string>& parts) {
  std::string path, previous;
  for (const std::string& part : parts) {
    if (!previous.empty() && part.starts_with(previous + "."))
      path.resize(path.size() - previous.size());
    else if (!path.empty())
      path += '.';
    path += part;
    previous = part;
  }
  return path;
}

struct Split {
  std::vector<std::string> module;
  std::string last;   ///< the part that names the operator, or nothing
};

Split split(const OnnxNode& node) {
  Split result{.module = partsOf(node.name), .last = {}};
  if (!result.module.empty() && isOperator(result.module.back(), node.op)) {
    result.last = result.module.back();
    result.module.pop_back();
  }
  return result;
}

}  // namespace

OnnxNames::OnnxNames(const std::vector<OnnxNode>& nodes) {
  for (const OnnxNode& node : nodes) {
    auto module = split(node).module;
    // Deep names of a hostile file would make this quadratic.
    for (int level = 0; level < 32 && !module.empty(); ++level) {
      module.pop_back();
      if (!m_holders.insert(joined(module)).second) break;
    }
  }
}

std::string OnnxNames::nameFor(const OnnxNode& node) const {
  const Split parts = split(node);
  const std::string module = joined(parts.module);
  const std::string op = lowered(parts.last.empty() ? node.op : parts.last);
  if (module.empty()) return op;
  const bool namesItself = !m_holders.contains(module);
  return namesItself ? module : module + "." + op;
}

std::string OnnxNames::unique(const std::string& name) {
  const std::string wanted = cleaned(name.empty() ? "layer" : name);
  std::string made = wanted;
  while (m_taken.contains(made)) made = wanted + "_" + std::to_string(m_taken[wanted]++);
  m_taken.emplace(made, 2);
  return made;
}

}  // namespace peakscope::engine
