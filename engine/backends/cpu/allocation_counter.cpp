// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/allocation_counter.h"

// Defined in the program by allocation_interposer.cpp, if it was linked; else null.
extern "C" {
[[gnu::weak]] void peakscope_allocations_begin();
[[gnu::weak]] void peakscope_allocations_end();
[[gnu::weak]] std::int64_t peakscope_allocations_peak();
}

namespace peakscope::engine::cpu {

bool countsAllocations() { return peakscope_allocations_peak != nullptr; }

AllocationScope::AllocationScope() {
  if (countsAllocations()) peakscope_allocations_begin();
}
AllocationScope::~AllocationScope() {
  if (countsAllocations()) peakscope_allocations_end();
}
Bytes AllocationScope::peak() const { return countsAllocations() ? Bytes{peakscope_allocations_peak()} : Bytes{}; }

}  // namespace peakscope::engine::cpu
