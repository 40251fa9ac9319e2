// SPDX-License-Identifier: Apache-2.0
//
// The HTML report: one page with everything in it. No script, no network, light and dark, fit for print; the same trace
// gives the same bytes.
//
//   const Result<std::string> page = htmlReport({.history = history, .replanned = replan(history)});
#pragma once

#include <string>

#include "memory/report/report_facts.h"

namespace peakscope::report {

[[nodiscard]] Result<std::string> htmlReport(const ReportInput& input);

}  // namespace peakscope::report
