// SPDX-License-Identifier: Apache-2.0
//
// The parameters of one layer of a network file: a table from the type's name to a function that reads its keys.
#pragma once

#include <string>
#include <string_view>

#include "engine/graph.h"
#include "engine/graph/json_object_reader.h"

namespace peakscope::engine {

/// Reads the keys that belong to `type`; complains to the reader about what is wrong, an unknown type included.
[[nodiscard]] LayerParams readLayerParams(const std::string& type, std::int32_t typeLine, JsonObjectReader& in);

/// "batchnorm, conv, data, ...": for messages.
[[nodiscard]] std::string knownLayerTypes();

}  // namespace peakscope::engine
