// SPDX-License-Identifier: Apache-2.0
//
// What a trace from anywhere goes through: it is read, folded, planned again and written as reports. foldEverything aborts
// where a result is not what its readers rely on; sanitizers see the rest.
#pragma once

#include <filesystem>

#include "memory/trace/trace_file.h"

namespace peakscope::test {

void foldEverything(const TraceContents& trace);
/// True: it was opened. False: one line said why not.
bool openAndFold(const std::filesystem::path& path);

}  // namespace peakscope::test
