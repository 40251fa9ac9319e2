// SPDX-License-Identifier: Apache-2.0
//
// Wrappers of the heap functions, linked into programs that want to know what libraries take (see allocation_counter.h).
// They hand everything to glibc's own functions and keep a balance per thread while that thread has a scope open.
// State is per thread and not an object of ours, because malloc has no caller to be handed one.
#include <malloc.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* pointer);
}

namespace {

struct Balance {
  bool isOpen;
  std::int64_t current, peak;
};
constinit thread_local Balance balance{false, 0, 0};

std::int64_t sizeOf(void* pointer) { return pointer == nullptr ? 0 : static_cast<std::int64_t>(malloc_usable_size(pointer)); }
void add(std::int64_t bytes) {
  balance.current += bytes;
  balance.peak = std::max(balance.peak, balance.current);
}
void* taken(void* pointer) {
  if (balance.isOpen) add(sizeOf(pointer));
  return pointer;
}

}  // namespace

extern "C" {

void peakscope_allocations_begin() { balance = {true, 0, 0}; }
void peakscope_allocations_end() { balance.isOpen = false; }
std::int64_t peakscope_allocations_peak() { return balance.peak; }

void* malloc(std::size_t size) { return taken(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return taken(__libc_calloc(count, size)); }
void* memalign(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return taken(__libc_memalign(alignment, size)); }
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  void* pointer = taken(__libc_memalign(alignment, size));
  if (pointer == nullptr) return ENOMEM;
  *result = pointer;
  return 0;
}
void* realloc(void* pointer, std::size_t size) {
  if (!balance.isOpen) return __libc_realloc(pointer, size);
  const std::int64_t before = sizeOf(pointer);
  void* after = __libc_realloc(pointer, size);
  if (after != nullptr || size == 0) add(sizeOf(after) - before);
  return after;
}
void free(void* pointer) {
  if (balance.isOpen) balance.current -= sizeOf(pointer);
  __libc_free(pointer);
}
}
