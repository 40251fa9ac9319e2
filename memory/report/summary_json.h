// SPDX-License-Identifier: Apache-2.0
//
// The JSON summary of a run: the numbers of the report for programs. `schema` counts incompatible changes.
#pragma once

#include <string>

#include "memory/report/report_facts.h"

namespace peakscope::report {

[[nodiscard]] std::string summaryJson(const ReportInput& input, const ReportFacts& facts);

}  // namespace peakscope::report
