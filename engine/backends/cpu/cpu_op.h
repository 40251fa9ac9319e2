// SPDX-License-Identifier: Apache-2.0
//
// CpuOp: one executable op of the CPU backend. Built once per distinct description, run with addresses in the arena.
//
//   std::unique_ptr<CpuOp> op = makeCpuOp(desc, candidate, threads);
//   op->run({.args = bound, .workspace = scratch, .iteration = input, .seed = seed});
//
// Ops allocate nothing while they run: scratch is the workspace that describe() stated. What oneDNN allocates all the same
// is counted by engine/backends/cpu/allocation_counter.h and reported as library-internal bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/backend.h"
#include "engine/op.h"
#include "memory/workload.h"

namespace peakscope::engine::cpu {

struct BoundArg {
  ArgRole role = ArgRole::Src;
  std::int32_t index = 0;
  std::byte* data = nullptr;
};

struct CpuOpContext {
  std::span<const BoundArg> args;
  std::span<std::byte> workspace;
  const IterationInput& iteration;
  std::uint64_t seed = 1;

  /// The address bound to a role; null if the op has no such arg.
  template <class T = float>
  [[nodiscard]] T* data(ArgRole role, std::int32_t index = 0) const {
    for (const BoundArg& arg : args)
      if (arg.role == role && arg.index == index) return reinterpret_cast<T*>(arg.data);
    return nullptr;
  }
};

class CpuOp {
 public:
  virtual ~CpuOp() = default;
  virtual void run(const CpuOpContext& context) = 0;
  [[nodiscard]] virtual Bytes workspace() const = 0;   ///< what this implementation uses, by its own descriptors
};

/// How many threads compute: those asked for, or (0) one for each core that the process may use.
[[nodiscard]] std::int32_t effectiveThreads(std::int32_t asked);

/// Null if the op has fewer candidates.
[[nodiscard]] std::unique_ptr<CpuOp> findCpuOp(const OpDesc& desc, std::int32_t candidate, std::int32_t threads);
/// `candidate` indexes OpNeeds::candidates of CpuLibrary::describe(desc). Throws BackendFailure if the library refuses or has no such one.
[[nodiscard]] std::unique_ptr<CpuOp> makeCpuOp(const OpDesc& desc, std::int32_t candidate, std::int32_t threads);

}  // namespace peakscope::engine::cpu
