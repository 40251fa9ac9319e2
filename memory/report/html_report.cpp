// SPDX-License-Identifier: Apache-2.0
#include "memory/report/html_report.h"

#include <fmt/format.h>

#include "memory/report/html_parts.h"
#include "memory/report/svg.h"
#include "memory/report/text.h"

namespace peakscope::report {

Result<std::string> htmlReport(const ReportInput& input) {
  const auto made = reportFacts(input);
  if (!made) return fail(made.error());
  const ReportFacts& facts = *made;

  std::string page = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{}, batch {} - Peakscope report</title>\n<style>\n{}{}</style>\n</head>\n<body>\n<main>\n",
      html::name(facts.workload->net), facts.workload->batch, svgStyle(), html::styleSheet());
  page += html::header(input, facts);
  page += html::headline(input, facts);
  page += html::warnings(input, facts);
  page += html::timeline(input, facts);
  page += html::liveAtPeak(facts);
  page += html::techniques(input, facts);
  page += html::training(input);
  page += html::layers(facts);
  page += html::reconcile(facts);
  page += html::howItRan(input, facts);
  page += html::notices(input);
  page += html::words();
  return page + "</main>\n</body>\n</html>\n";
}

}  // namespace peakscope::report
