// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the ONNX reader: any bytes give a graph that can be lowered, or one line that says why not.
// libFuzzer: clang++ -fsanitize=fuzzer,address ... tests/fuzz/onnx_fuzz.cpp; ctest runs it on seeded mutations.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "engine/importers/onnx.h"
#include "engine/lowering.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace peakscope::engine;
  const auto graph = parseOnnx({reinterpret_cast<const char*>(data), size}, "fuzz.onnx");
  if (!graph) {
    if (graph.error().message.empty() || graph.error().message.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  IdealLibrary library;
  for (const LoweringOptions& options : {LoweringOptions::paper(), LoweringOptions::lean()}) {
    if (lower(*graph, graph->defaultBatch, options, library).workload.route.empty()) std::abort();
    if (lowerForEvaluation(*graph, graph->defaultBatch, options, library).workload.route.empty()) std::abort();
  }
  return 0;
}
