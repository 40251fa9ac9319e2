// SPDX-License-Identifier: Apache-2.0
//
// "oneDNN 2.6.3, avx512_core": which library and which instructions a result came from.
#pragma once

#include <string>

namespace peakscope::engine::cpu {

[[nodiscard]] std::string libraryVersion();

}  // namespace peakscope::engine::cpu
