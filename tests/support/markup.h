// SPDX-License-Identifier: Apache-2.0
//
// Whether a page is well formed, without a browser.
//
//   QCOMPARE(markupProblem(page), std::string{});
#pragma once

#include <string>

namespace peakscope::test {

/// "" if every element is closed in order and every attribute is quoted; else what is wrong.
[[nodiscard]] std::string markupProblem(const std::string& page);

}  // namespace peakscope::test
