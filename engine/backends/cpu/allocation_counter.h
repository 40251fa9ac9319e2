// SPDX-License-Identifier: Apache-2.0
//
// Heap bytes that a library takes while it executes, beside the arena. The counting itself is done by wrappers of malloc
// and its relatives, which a program has or has not (target peakscope::allocation_counter); they count nothing outside a
// scope, and only the thread that opened it.
//
//   AllocationScope scope;
//   op.run(...);
//   mostBytes = std::max(mostBytes, scope.peak());
#pragma once

#include "memory/bytes.h"

namespace peakscope::engine::cpu {

/// False in a program without the wrappers (and under sanitizers, which have wrappers of their own).
[[nodiscard]] bool countsAllocations();

/// Scopes of one thread do not nest.
class AllocationScope {
 public:
  AllocationScope();
  ~AllocationScope();
  AllocationScope(const AllocationScope&) = delete;
  AllocationScope& operator=(const AllocationScope&) = delete;

  /// The most bytes taken and not given back at any moment since the scope began.
  [[nodiscard]] Bytes peak() const;
};

}  // namespace peakscope::engine::cpu
