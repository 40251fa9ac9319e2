// SPDX-License-Identifier: Apache-2.0
//
// `self-test`: the reference kernels against finite differences, then every op of a backend against the reference kernels.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <ostream>

#include "app/backends.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "engine/selftest/conformance.h"

namespace peakscope::cli {
namespace {

using engine::ConformanceResult;
using nlohmann::ordered_json;
using Results = std::vector<ConformanceResult>;

std::size_t failuresIn(const Results& results) {
  return static_cast<std::size_t>(std::count_if(results.begin(), results.end(), [](const ConformanceResult& r) { return !r.passed; }));
}

void printTable(std::ostream& out, const char* title, const Results& results) {
  out << fmt::format("{}: {} of {} pass\n", title, results.size() - failuresIn(results), results.size());
  for (const ConformanceResult& r : results)
    out << fmt::format("  {}  {:<44} error {:.1e}, at most {:.1e}  {}\n", r.passed ? "ok  " : "FAIL", r.name, r.maxError, r.tolerance, r.passed ? "" : r.detail);
  out.flush();
}

ordered_json toJson(const Results& results) {
  ordered_json rows = ordered_json::array();
  for (const ConformanceResult& r : results)
    rows.push_back({{"name", r.name}, {"max_error", r.maxError}, {"tolerance", r.tolerance}, {"passed", r.passed}, {"detail", r.detail}});
  return rows;
}

}  // namespace

Result<int> selfTest(std::ostream& out, const std::string& backend, std::int32_t threads, bool json) {
  auto runner = app::makeOpRunner(backend, threads);
  if (!runner) return fail(runner.error());
  const Results reference = engine::checkReference();
  if (!json) printTable(out, "reference kernels against finite differences", reference);
  const Results ops = *runner ? engine::runConformance(**runner) : Results{};
  const std::size_t failures = failuresIn(reference) + failuresIn(ops);
  if (json) {
    out << jsonText({{"schema", 1}, {"backend", backend}, {"runner", *runner ? (*runner)->name() : "computes nothing"}, {"passed", failures == 0}, {"reference", toJson(reference)}, {"ops", toJson(ops)}}) << '\n';
  } else if (*runner) {
    printTable(out, fmt::format("{} against the reference kernels", (*runner)->name()).c_str(), ops);
  } else {
    out << fmt::format("backend {} computes nothing, so there is nothing more to compare\n", backend);
  }
  if (failures > 0) return deviceFailed(fmt::format("self-test: {} comparisons failed; do not trust results of this machine, and report them with peakscope-cli --version", failures));
  return 0;
}

}  // namespace peakscope::cli
