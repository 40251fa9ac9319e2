// SPDX-License-Identifier: Apache-2.0
//
// IDX: the file format of MNIST and Fashion-MNIST, plain or gzip'ed. Big-endian magic 00 00 08 <dimensions>, one 32-bit
// size per dimension, then bytes. Files come from anywhere, so nothing is believed before it is checked.
//
//   Result<IdxArray> images = readIdxFile("train-images-idx3-ubyte.gz");
//   images->sizes;     // {60000, 28, 28}
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "memory/result.h"

namespace peakscope::engine {

struct IdxArray {
  std::vector<std::int64_t> sizes;
  std::vector<std::uint8_t> values;
};

/// `name` stands in the error message.
[[nodiscard]] Result<IdxArray> parseIdx(std::span<const std::uint8_t> bytes, const std::string& name);
/// Unpacked bytes of a gzip'ed or plain file; at most `limit`, so that a small file cannot fill the memory.
[[nodiscard]] Result<std::vector<std::uint8_t>> unpackFile(const std::filesystem::path& path, std::int64_t limit = std::int64_t{1} << 31);
[[nodiscard]] Result<IdxArray> readIdxFile(const std::filesystem::path& path);

}  // namespace peakscope::engine
