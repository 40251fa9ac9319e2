// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the IDX reader: any bytes give an array whose sizes match its values, or one line that says why not.
// libFuzzer: clang++ -fsanitize=fuzzer,address ... tests/fuzz/idx_file_fuzz.cpp; ctest runs it on seeded mutations.
#include <cstdint>
#include <cstdlib>

#include "engine/data/idx_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = peakscope::engine::parseIdx({data, size}, "fuzz");
  if (!array) {
    if (array.error().message.empty() || array.error().message.find('\n') != std::string::npos) std::abort();
    return 0;
  }
  std::size_t elements = 1;
  for (const std::int64_t side : array->sizes) elements *= static_cast<std::size_t>(side);
  if (elements != array->values.size()) std::abort();
  return 0;
}
