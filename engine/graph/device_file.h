// SPDX-License-Identifier: Apache-2.0
//
// Device files: what a device can do, as JSON. The name of the file is the device's name on the command line.
//
//   {
//     "name": "NVIDIA Tesla K40c", "source": "NVIDIA data sheet TB-06902-001",
//     "memoryMiB": 12288, "hostMemoryMiB": 262144, "alignmentBytes": 256,
//     "teraflops": 4.29, "memoryGBps": 288, "linkGBps": 8, "launchNs": 8000
//   }
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "memory/device_spec.h"
#include "memory/result.h"

namespace peakscope::engine {

[[nodiscard]] Result<DeviceSpec> parseDevice(std::string_view text, const std::string& fileName);
/// A name among `devicesDir`'s files, or a file.
[[nodiscard]] Result<DeviceSpec> readDevice(const std::string& nameOrFile, const std::filesystem::path& devicesDir);
/// All devices of the folder by name on the command line, sorted.
[[nodiscard]] Result<std::vector<std::pair<std::string, DeviceSpec>>> listDevices(
    const std::filesystem::path& devicesDir);

}  // namespace peakscope::engine
