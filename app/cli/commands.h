// SPDX-License-Identifier: Apache-2.0
//
// The commands of peakscope-cli: one function and one file each. They return the exit code of the contract, or the error
// whose kind gives it; results go to `out`, progress to stderr and only to a terminal.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>

#include "app/cli/request.h"
#include "app/paths.h"

namespace peakscope::cli {

struct TrainRequest {
  Request request;
  std::string dataDir;
  std::int64_t epochs = 0;
  std::int64_t iterations = 0;
  std::filesystem::path trace;
};
struct CompareRequest {
  Request request;
  std::string policies;                ///< "a,b,c"; empty: all
  std::filesystem::path csv;
};
struct FitRequest {
  Request request;
  std::string grow = "batch";          ///< "batch" or "depth"
};
struct ReportRequest {
  std::filesystem::path trace;
  std::filesystem::path html, csvDir, json, svgDir, pdfDir, pngDir;
};
struct ReproduceRequest {
  std::filesystem::path out = "peakscope-reproduction";
  bool json = false;
};

Result<int> listNets(std::ostream& out, const app::Paths& paths, bool json);
Result<int> listPolicies(std::ostream& out, bool json);
Result<int> listDevices(std::ostream& out, const app::Paths& paths, bool json);
Result<int> plan(std::ostream& out, const Request& request, const app::Paths& paths);
Result<int> simulate(std::ostream& out, const Request& request, const app::Paths& paths, const std::filesystem::path& trace, std::int64_t iterations);
Result<int> compare(std::ostream& out, const CompareRequest& request, const app::Paths& paths);
Result<int> fit(std::ostream& out, const FitRequest& request, const app::Paths& paths);
Result<int> train(std::ostream& out, const TrainRequest& request, const app::Paths& paths, const std::string& commandLine);
Result<int> report(std::ostream& out, const ReportRequest& request);
Result<int> reproduce(std::ostream& out, const ReproduceRequest& request, const app::Paths& paths);
Result<int> selfTest(std::ostream& out, const std::string& backend, std::int32_t threads, bool json);

}  // namespace peakscope::cli
