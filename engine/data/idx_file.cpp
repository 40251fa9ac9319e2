// SPDX-License-Identifier: Apache-2.0
#include "engine/data/idx_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <memory>

namespace peakscope::engine {

Result<IdxArray> parseIdx(std::span<const std::uint8_t> bytes, const std::string& name) {
  if (bytes.size() < 4) return badInput(fmt::format("{}: {} bytes, an IDX header needs at least 4; download the file again", name, bytes.size()));
  const int dimensions = bytes[3];
  if (bytes[0] != 0 || bytes[1] != 0 || bytes[2] != 8 || dimensions < 1 || dimensions > 4)
    return badInput(fmt::format("{}: begins with {:02x} {:02x} {:02x} {:02x}, IDX of bytes needs 00 00 08 and 01 to 04; is it the right file?", name,
                                bytes[0], bytes[1], bytes[2], bytes[3]));
  const std::size_t header = 4 + 4 * static_cast<std::size_t>(dimensions);
  if (bytes.size() < header)
    return badInput(fmt::format("{}: {} bytes, its header needs {}; download the file again", name, bytes.size(), header));

  IdxArray array;
  const auto available = static_cast<std::int64_t>(bytes.size() - header);
  std::int64_t elements = 1;
  for (std::size_t at = 4; at < header; at += 4) {
    const std::int64_t size = std::int64_t{bytes[at]} << 24 | std::int64_t{bytes[at + 1]} << 16 | std::int64_t{bytes[at + 2]} << 8 | bytes[at + 3];
    array.sizes.push_back(size);
    // Saturates just above what any file can hold: four 32-bit sizes could overflow.
    elements = size != 0 && elements > available / size ? available + 1 : elements * size;
  }
  if (elements != available)
    return badInput(fmt::format("{}: holds {} values, its header ({}) says {}; download the file again", name, available, fmt::join(array.sizes, " x "),
                                elements > available ? "more" : fmt::format("{}", elements)));
  array.values.assign(bytes.begin() + static_cast<std::ptrdiff_t>(header), bytes.end());
  return array;
}

Result<std::vector<std::uint8_t>> unpackFile(const std::filesystem::path& path, std::int64_t limit) {
  // A pipe would be waited for, a folder read as nothing.
  std::error_code ignored;
  if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored))
    return badInput(fmt::format("{}: is not a file; name a directory of IDX files with --data", path.string()));
  const auto close = [](gzFile file) { gzclose(file); };
  const std::unique_ptr<gzFile_s, decltype(close)> file(gzopen(path.c_str(), "rb"), close);   // reads plain files as they are
  if (!file)
    return badInput(fmt::format("{}: cannot be opened; install dataset-fashion-mnist or name a directory with --data", path.string()));
  std::vector<std::uint8_t> bytes;
  std::array<std::uint8_t, 1 << 16> chunk;
  int count = 0;
  while ((count = gzread(file.get(), chunk.data(), static_cast<unsigned>(chunk.size()))) > 0) {
    bytes.insert(bytes.end(), chunk.begin(), chunk.begin() + count);
    if (static_cast<std::int64_t>(bytes.size()) > limit)
      return badInput(fmt::format("{}: unpacks to more than {} bytes, which no data set needs; is it the right file?", path.string(), limit));
  }
  int error = Z_OK;
  const char* text = gzerror(file.get(), &error);
  if (count < 0 || error != Z_OK)
    return badInput(fmt::format("{}: cannot be unpacked after {} bytes ({}); download the file again", path.string(), bytes.size(), text));
  return bytes;
}

Result<IdxArray> readIdxFile(const std::filesystem::path& path) {
  const auto bytes = unpackFile(path);
  if (!bytes) return fail(bytes.error());
  return parseIdx(*bytes, path.string());
}

}  // namespace peakscope::engine
