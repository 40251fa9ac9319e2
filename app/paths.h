// SPDX-License-Identifier: Apache-2.0
//
// Where the program finds its samples and device files: beside an installed or bundled program, else in the source tree.
#pragma once

#include <filesystem>

namespace peakscope::app {

struct Paths {
  std::filesystem::path samples;   ///< networks/, data/
  std::filesystem::path devices;
};

/// Looks at <program>/../share/peakscope first, then at the tree that the program was built from.
[[nodiscard]] Paths findPaths();

}  // namespace peakscope::app
