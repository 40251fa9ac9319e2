// SPDX-License-Identifier: Apache-2.0
#include "tests/support/markup.h"

#include <set>
#include <vector>

namespace peakscope::test {

std::string markupProblem(const std::string& page) {
  static const std::set<std::string> alone{"meta", "br", "hr", "img", "link", "input"};
  std::vector<std::string> open;
  for (std::size_t i = 0; i < page.size();) {
    if (page[i] != '<') {
      ++i;
      continue;
    }
    if (page.compare(i, 2, "<!") == 0 || page.compare(i, 2, "<?") == 0) {
      i = page.find('>', i) + 1;
      continue;
    }
    std::size_t end = i + 1;
    bool inQuotes = false;
    for (; end < page.size() && (inQuotes || page[end] != '>'); ++end) {
      if (page[end] == '"') inQuotes = !inQuotes;
      if (page[end] == '<') return "a < inside of a tag: " + page.substr(i, 80);
    }
    if (end >= page.size()) return "a tag does not end: " + page.substr(i, 80);
    const std::string tag = page.substr(i + 1, end - i - 1);
    const bool isClose = tag.starts_with('/');
    const std::string name = tag.substr(isClose ? 1 : 0, tag.find_first_of(" /\n", 1) - (isClose ? 1 : 0));
    if (isClose) {
      if (open.empty() || "/" + open.back() != tag) return "</" + name + "> closes <" + (open.empty() ? "nothing" : open.back()) + ">";
      open.pop_back();
    } else if (!tag.ends_with('/') && !alone.contains(name)) {
      open.push_back(name);
      if (name == "style") {   // raw text
        i = page.find("</style>", end);
        continue;
      }
    }
    i = end + 1;
  }
  return open.empty() ? "" : "<" + open.back() + "> is not closed";
}

}  // namespace peakscope::test
