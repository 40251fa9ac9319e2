// SPDX-License-Identifier: Apache-2.0
//
// Request: what a command line asks for, parsed and checked but not yet carried out. The options are the stable contract
// of DESIGN section 7; the window writes the same ones under "copy as command line".
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "memory/policy_options.h"
#include "memory/result.h"

namespace peakscope::cli {

/// What stands on the command line, word for word, of the options that several commands share.
struct RawOptions {
  std::string net;
  std::optional<std::int64_t> batch;
  std::string input, lowering = "lean", policy = "superneurons", techniques, offload, prefetch, recompute, offloadFree, eviction, placement, checkpoints;
  std::string budget, hostBudget, device, costs;
  std::string backend;
  std::optional<double> link;
  std::optional<std::int64_t> gpu;
  std::int32_t threads = 0;              ///< 0: one per core
  std::uint64_t seed = 1;
  bool deterministic = false, json = false, steps = false, live = false, details = false, checkMemory = false;
};

struct Request {
  std::string net;
  std::int64_t batch = 0;                  ///< 0: the network's own
  std::int64_t inputHeight = 0, inputWidth = 0;
  std::string lowering;
  PolicyOptions options;
  std::string device;                      ///< empty: the command's default
  std::string backend;
  double linkBytesPerSecond = 0;
  std::int32_t threads = 0;
  std::uint64_t seed = 1;
  bool deterministic = false, json = false, steps = false, live = false, details = false, checkMemory = false;
};

/// "12GiB", "1.5 GB", "886.230MiB", "1024". Decimal units are powers of ten, binary ones powers of two.
[[nodiscard]] Result<Bytes> parseSize(const std::string& text, const std::string& option);
/// "liveness,offload" or "none".
[[nodiscard]] Result<Techniques> parseTechniques(const std::string& text);
[[nodiscard]] Result<Request> parseRequest(const RawOptions& raw);

}  // namespace peakscope::cli
