// SPDX-License-Identifier: Apache-2.0
//
// Names of layers from names of nodes. Exporters write the path of the module and the operator, and repeat on the way:
//
//   /conv1/Conv                                        conv1
//   /features/features.1/conv/conv.0/conv.0.0/Conv     features.1.conv.0.0
//   /layer1/layer1.0/Add                               layer1.0.add     (a module with others in it does several things)
//   (none)                                             relu
//
//   OnnxNames names(model.nodes);
//   names.unique(names.nameFor(node));     // a second relu is relu_2
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/importers/onnx_model.h"

namespace peakscope::engine {

class OnnxNames {
 public:
  /// Learns from all nodes which modules hold others.
  explicit OnnxNames(const std::vector<OnnxNode>& nodes);

  /// The readable name, which other nodes may have too.
  [[nodiscard]] std::string nameFor(const OnnxNode& node) const;
  /// Printable, short, and not given before.
  [[nodiscard]] std::string unique(const std::string& name);

 private:
  std::unordered_set<std::string> m_holders;  ///< module paths with modules below them
  std::unordered_map<std::string, std::int64_t> m_taken;  ///< with the number that the next one of that name tries
};

}  // namespace peakscope::engine
