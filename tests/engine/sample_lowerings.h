// SPDX-License-Identifier: Apache-2.0
//
// The samples as graphs and lowerings, for the tests of this folder.
#pragma once

#include <QTest>
#include <string>

#include "engine/graph/network_file.h"
#include "engine/lowering.h"

namespace peakscope::test {

inline const std::string samplesDir = std::string(PEAKSCOPE_SOURCE_DIR) + "/samples/networks";
inline const std::string devicesDir = std::string(PEAKSCOPE_SOURCE_DIR) + "/resources/devices";

inline engine::Graph sample(const std::string& name) {
  auto graph = engine::findNetwork(name, samplesDir);
  if (!graph) qFatal("%s", graph.error().message.c_str());
  return std::move(*graph);
}

inline engine::Lowering lowered(const engine::Graph& graph, std::int64_t batch, const std::string& options, bool isTraining = true) {
  engine::IdealLibrary library;
  const auto parsed = engine::LoweringOptions::parse(options);
  if (!parsed) qFatal("%s", parsed.error().message.c_str());
  return isTraining ? engine::lower(graph, batch, *parsed, library) : engine::lowerForEvaluation(graph, batch, *parsed, library);
}

/// Networks that the oracle knows and that have a sample.
inline constexpr const char* oracleSamples[] = {"lenet", "minivgg", "alexnet", "vgg16", "resnet50", "inception4"};

inline void addOracleRows() {
  QTest::addColumn<QString>("net");
  for (const char* net : oracleSamples) QTest::newRow(net) << QString::fromLatin1(net);
}

}  // namespace peakscope::test
