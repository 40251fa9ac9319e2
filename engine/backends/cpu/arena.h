// SPDX-License-Identifier: Apache-2.0
//
// Arena: a reserved range of addresses whose first bytes are backed by memory. Growing and shrinking never moves a byte, so
// the persistent region in front survives every change of plan.
//
//   Arena arena;
//   if (auto resized = arena.resize(Bytes{64 << 20}); !resized) return fail(resized.error());
//   std::byte* weights = arena.at(Bytes{0});
#pragma once

#include <cstddef>

#include "memory/bytes.h"
#include "memory/result.h"

namespace peakscope::engine::cpu {

class Arena {
 public:
  /// Reserves addresses only. Throws BackendFailure if not even a gigabyte of them is left.
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Bytes behind the new extent go back to the system; new ones are zero.
  [[nodiscard]] Result<void> resize(Bytes extent);
  [[nodiscard]] Bytes extent() const { return m_extent; }
  [[nodiscard]] std::byte* at(Bytes offset) const { return m_base + offset.count(); }

 private:
  std::byte* m_base = nullptr;
  Bytes m_reserved;
  Bytes m_extent;      ///< a multiple of the page size
};

}  // namespace peakscope::engine::cpu
