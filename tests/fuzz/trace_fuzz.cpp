// SPDX-License-Identifier: Apache-2.0
//
// Fuzz target of the trace reader: any file gives records that every fold and report takes, or one line that says why not.
// libFuzzer: clang++ -fsanitize=fuzzer,address ... tests/fuzz/trace_fuzz.cpp; ctest runs it on seeded mutations.
#include "tests/fuzz/trace_fuzz.h"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "memory/analysis/live_set.h"
#include "memory/analysis/run_history.h"
#include "memory/report/csv.h"
#include "memory/report/html_report.h"
#include "memory/report/replan.h"

namespace peakscope::test {

void foldEverything(const TraceContents& trace) {
  analysis::RunHistory history;
  for (const LogRecord& record : trace.records) history.add(record);
  if (!history.hasSession()) return;
  const Workload& workload = history.workload();
  for (const PlanInstalled& installed : history.plans()) {
    const Plan& plan = installed.value;
    const auto curve = analysis::memoryCurve(workload, plan);
    if (analysis::scheduledPeak(workload, plan, curve).bytes > analysis::totalPeak(workload, plan, curve).bytes) std::abort();
    if (!plan.steps.empty()) (void)analysis::liveAt(workload, plan, PlanStepId{static_cast<std::int32_t>(plan.steps.size() / 2)});
  }
  if (const auto* timed = history.latestComplete()) {
    const Plan& plan = history.plans()[static_cast<std::size_t>(timed->plan)].value;
    (void)analysis::memoryCurve(workload, plan, timed->deviations);
    (void)analysis::iterationTotals(analysis::expand(workload, plan, timed->iteration, PlanStepId{0}, timed->times));
  }
  const report::ReportInput input{.history = history, .replanned = report::replan(history)};
  const auto page = report::htmlReport(input);
  if (!page && page.error().message.empty()) std::abort();
  std::ostringstream csv;
  report::writeEventsCsv(csv, history);
}

bool openAndFold(const std::filesystem::path& path) {
  const auto trace = readTrace(path);
  if (trace) foldEverything(*trace);
  else if (trace.error().message.empty() || trace.error().message.find('\n') != std::string::npos) std::abort();
  return trace.has_value();
}

}  // namespace peakscope::test

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto path = std::filesystem::temp_directory_path() / ("peakscope-fuzz-" + std::to_string(getpid()));
  std::ofstream(path, std::ios::binary).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
  (void)peakscope::test::openAndFold(path);
  std::filesystem::remove(path);
  return 0;
}
