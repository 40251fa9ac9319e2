// SPDX-License-Identifier: Apache-2.0
//
// The tables of the reproduction as CSV (as memory/report/csv.h writes them) and its summary as JSON.
#pragma once

#include <string>
#include <vector>

#include "memory/report/reproduction/reproduction.h"

namespace peakscope::report {

struct CsvFile {
  std::string name;      ///< "alexnet_steps.csv"
  std::string text;
};
[[nodiscard]] std::vector<CsvFile> reproductionTables(const Reproduction& found);
/// One object with everything but the step curves.
[[nodiscard]] std::string reproductionJson(const Reproduction& found);

}  // namespace peakscope::report
