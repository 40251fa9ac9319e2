// SPDX-License-Identifier: Apache-2.0
//
// How far each policy gets on one device: batches and depth.
#include <algorithm>
#include <fmt/format.h>

#include "memory/report/html_parts.h"
#include "memory/report/reproduction/sections.h"
#include "memory/report/text.h"

namespace peakscope::report::html {
namespace {

std::string size(const Limit& limit) { return limit.size > 0 ? grouped(limit.size) : "none"; }

std::string policyHead(const LimitPolicy& policy) {
  // What leaves the device is the first of the options, and what tells two rows of one policy apart.
  const std::string first = policy.options.substr(0, policy.options.find(','));
  return first.empty() ? name(policy.name) : fmt::format("{}<br><small>{}</small>", name(policy.name), name(first));
}

}  // namespace

std::string largestBatches(const Reproduction& found) {
  Table t{{"network", ""}, {}};
  for (const LimitPolicy& policy : found.policies) t.heads.push_back(">" + policyHead(policy));
  for (const LimitRow& row : found.batches) {
    std::vector<std::string> ours{title(row.net), "ours"}, published{"", "<small>recollected</small>"};
    for (const Limit& limit : row.limits) {
      ours.push_back(size(limit));
      published.push_back(limit.published ? fmt::format("<small>{}</small>", printed(*limit.published)) : "<small>–</small>");
    }
    t.rows.push_back(std::move(ours));
    t.rows.push_back(std::move(published));
  }
  return section(fmt::format("Largest batch in {}", formatBytes(found.budget)),
                 fmt::format("The most images that each policy plans on the {}: our plan for this batch fits, for one more it is refused. The other systems are our policies of their names: "
                             "they follow the documented memory rules, on the same network and counting, not the systems themselves, whose libraries, contexts and fragmentation take memory "
                             "that no plan knows. superneurons stands here twice: with convolution outputs offloaded, and with all checkpoints, which the published figures of the ResNets need. "
                             "The published batches are recollected with low confidence.",
                             name(found.device)),
                 table(t));
}

std::string deepest(const Reproduction& found) {
  Table t{{"policy", ">ours, layers", "", ">published", "", "mark"}, {}};
  std::int64_t longest = 1;
  for (const Limit& limit : found.depth.limits) longest = std::max({longest, limit.size, limit.published ? static_cast<std::int64_t>(limit.published->value) : 0});
  const auto bar = [&](double value, const char* colour) {
    return fmt::format("<span class=\"bar\" style=\"width:{}px;background:var(--{})\"></span>", shortNumber(220 * value / static_cast<double>(longest), 1), colour);
  };
  for (std::size_t i = 0; i < found.depth.limits.size(); ++i) {
    const Limit& limit = found.depth.limits[i];
    t.rows.push_back({policyHead(found.policies[i]), size(limit), limit.size > 0 ? bar(static_cast<double>(limit.size), "activations") : "",
                      limit.published ? printed(*limit.published) : "", limit.published ? bar(limit.published->value, "compute-pale") : "",
                      limit.published ? toString(limit.published->mark) : ""});
  }
  t.totals.push_back({"deepest over the best other", fmt::format("{:.2f} ×", depthRatio(found)), "", toText(found.depthRatio) + " ×", "", toString(found.depthRatio.mark)});
  return section(fmt::format("Deepest ResNet in {}, batch {}", formatBytes(found.budget), found.depthBatch),
                 fmt::format("The third stage of {} grows; layers are 3 (n1+n2+n3+n4) + 2. \"none\" means that not even n3 = 1 fits, which is 137 layers. How depth was counted in the published "
                             "figures is not known. With all checkpoints offloaded the device is full of parameters, their gradients and momentum, not of activations.",
                             name(found.depth.net)),
                 table(t));
}

}  // namespace peakscope::report::html
