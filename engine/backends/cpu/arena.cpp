// SPDX-License-Identifier: Apache-2.0
#include "engine/backends/cpu/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/backend_failure.h"

namespace peakscope::engine::cpu {
namespace {

constexpr Bytes mostAddresses{std::int64_t{256} << 30}, leastAddresses{std::int64_t{1} << 30};

std::size_t sizeOf(Bytes bytes) { return static_cast<std::size_t>(bytes.count()); }

}  // namespace

Arena::Arena() {
  for (Bytes size = mostAddresses; size >= leastAddresses; size = Bytes{size.count() / 2}) {
    void* base = mmap(nullptr, sizeOf(size), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) continue;
    m_base = static_cast<std::byte*>(base);
    m_reserved = size;
    return;
  }
  throw BackendFailure(fmt::format("cannot reserve {} of addresses ({}); raise the limit of address space (ulimit -v)", formatBytes(leastAddresses),
                                   std::strerror(errno)));
}

Arena::~Arena() { munmap(m_base, sizeOf(m_reserved)); }

Result<void> Arena::resize(Bytes extent) {
  const Bytes wanted = roundUp(extent, Bytes{sysconf(_SC_PAGESIZE)});
  if (wanted > m_reserved)
    return cannotBeMet(fmt::format("the plan needs {}, {} of addresses are reserved; take a smaller batch or more techniques", formatBytes(wanted),
                                   formatBytes(m_reserved)));
  if (wanted > m_extent && mprotect(at(m_extent), sizeOf(wanted - m_extent), PROT_READ | PROT_WRITE) != 0)
    return cannotBeMet(fmt::format("the system refuses {} more bytes of memory ({}); take a smaller batch or more techniques",
                                   formatBytes(wanted - m_extent), std::strerror(errno)));
  if (wanted < m_extent) {
    // Mapping anew, not just madvise: the pages must also stop counting as committed.
    void* back = mmap(at(wanted), sizeOf(m_extent - wanted), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    if (back == MAP_FAILED) return deviceFailed(fmt::format("the system does not take memory back ({})", std::strerror(errno)));
  }
  m_extent = wanted;
  return {};
}

}  // namespace peakscope::engine::cpu
