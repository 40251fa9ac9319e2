// SPDX-License-Identifier: Apache-2.0
#include "app/paths.h"

namespace peakscope::app {

Paths findPaths() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto shared = program.parent_path().parent_path() / "share" / "peakscope";
  const std::filesystem::path root =
      !error && std::filesystem::exists(shared / "samples", error) ? shared : std::filesystem::path(PEAKSCOPE_SOURCE_DIR);
  return {.samples = root / "samples", .devices = root / "resources" / "devices"};
}

}  // namespace peakscope::app
