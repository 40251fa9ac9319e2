// SPDX-License-Identifier: Apache-2.0
//
// The reproduction as files: index.html and one CSV a table, each written as memory/report/write_report.h writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "memory/report/reproduction/reproduction.h"
#include "memory/result.h"

namespace peakscope::report {

/// The folder is made if it is not there. Returns the files' names, the page first.
[[nodiscard]] Result<std::vector<std::string>> writeReproduction(const std::filesystem::path& folder, const Reproduction& found);

}  // namespace peakscope::report
