// SPDX-License-Identifier: Apache-2.0
//
// The reproduction as one page: self-contained, light and dark, the look of the HTML report. The same values give the same bytes.
#pragma once

#include <string>

#include "memory/report/reproduction/reproduction.h"

namespace peakscope::report {

[[nodiscard]] std::string reproductionPage(const Reproduction& found);

}  // namespace peakscope::report
