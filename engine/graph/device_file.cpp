// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/device_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/graph/json_object_reader.h"

namespace peakscope::engine {
namespace {

bool isFile(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

std::vector<std::string> deviceNames(const std::filesystem::path& devicesDir) {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(devicesDir, error))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

Result<DeviceSpec> readDeviceFile(const std::filesystem::path& path) {
  const auto text = readTextFile(path);
  if (!text) return fail(text.error());
  return parseDevice(*text, path.string());
}

}  // namespace

Result<DeviceSpec> parseDevice(std::string_view text, const std::string& fileName) {
  const auto root = parseJson(text, fileName);
  if (!root) return fail(root.error());
  JsonObjectReader in(*root, fileName, "");
  DeviceSpec device;
  constexpr std::int64_t maxMiB = std::int64_t{1} << 32;
  std::int64_t memoryMiB = 0, hostMiB = 0, alignment = device.alignment.count();
  double teraflops = 0, memoryGBps = 0, linkGBps = 0;
  in.requireText("name", device.name);
  in.requireText("source", device.source);
  in.requireInteger("memoryMiB", memoryMiB, {1, maxMiB});
  in.requireInteger("hostMemoryMiB", hostMiB, {0, maxMiB});
  in.integer("alignmentBytes", alignment, {1, 1 << 20});
  in.requireNumber("teraflops", teraflops, 1e-6, 1e9);
  in.requireNumber("memoryGBps", memoryGBps, 1e-3, 1e9);
  in.requireNumber("linkGBps", linkGBps, 1e-3, 1e9);
  in.requireNumber("launchNs", device.launchNanoseconds, 0, 1e9);
  in.number("nativeAllocNs", device.nativeAllocNanoseconds, 0, 1e9);
  if ((alignment & (alignment - 1)) != 0)
    in.complain(root->line, fmt::format("'alignmentBytes' is {}; it must be a power of two", alignment));
  in.refuseOtherKeys();
  if (in.problem()) return fail(*in.problem());
  device.memory = Bytes{memoryMiB * bytesPerMiB};
  device.hostMemory = Bytes{hostMiB * bytesPerMiB};
  device.alignment = Bytes{alignment};
  device.flopsPerSecond = teraflops * 1e12;
  device.memoryBytesPerSecond = memoryGBps * 1e9;
  device.linkBytesPerSecond = linkGBps * 1e9;
  return device;
}

Result<DeviceSpec> readDevice(const std::string& nameOrFile, const std::filesystem::path& devicesDir) {
  const bool isPlainName = !nameOrFile.empty() && nameOrFile.find('/') == std::string::npos;
  if (isPlainName && isFile(devicesDir / (nameOrFile + ".json")))
    return readDeviceFile(devicesDir / (nameOrFile + ".json"));
  if (isFile(nameOrFile)) return readDeviceFile(nameOrFile);
  std::string known;
  for (const std::string& name : deviceNames(devicesDir)) known += (known.empty() ? "" : ", ") + name;
  return badInput(
      fmt::format("device '{}' is not known and no such file exists; known devices: {}", nameOrFile, known));
}

Result<std::vector<std::pair<std::string, DeviceSpec>>> listDevices(const std::filesystem::path& devicesDir) {
  std::vector<std::pair<std::string, DeviceSpec>> devices;
  for (const std::string& name : deviceNames(devicesDir)) {
    auto device = readDeviceFile(devicesDir / (name + ".json"));
    if (!device) return fail(device.error());
    devices.emplace_back(name, std::move(*device));
  }
  if (devices.empty()) return badInput(fmt::format("{}: holds no device files", devicesDir.string()));
  return devices;
}

}  // namespace peakscope::engine
