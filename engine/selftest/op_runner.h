// SPDX-License-Identifier: Apache-2.0
//
// OpRunner: a backend seen one op at a time, over tensors that anybody can read: plain order, in double. What a backend
// gives to be compared with the reference kernels.
//
//   runner.run({.desc = lowering.ops[op], .args = lowering.workload.ops[op].args, .tensors = tensors, .input = input});
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/backend.h"
#include "engine/op.h"
#include "engine/op_library.h"
#include "memory/ids.h"
#include "memory/workload.h"

namespace peakscope::engine {

using Values = std::vector<double>;

struct HostTensor {
  TensorDesc desc;                 ///< the layout is the library's; `values` are plain (NCHW) all the same
  Bytes bytes;                     ///< what the library says it takes
  Values values;                   ///< class numbers for labels; empty until written
  std::vector<std::byte> opaque;   ///< ArgRole::Saved: what a backend keeps for itself from forward to backward
};
using HostTensors = IdVector<TensorId, HostTensor>;

struct OpCall {
  const OpDesc& desc;
  std::span<const OpArg> args;     ///< args with one tensor share its bytes
  HostTensors& tensors;
  const IterationInput& input;
  std::int32_t candidate = 0;
  std::uint64_t seed = 1;
};

class OpRunner {
 public:
  virtual ~OpRunner() = default;
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual OpLibrary& library() = 0;
  /// Throws BackendFailure if the op fails, or if it writes where it must not: beyond its tensors and workspace, or into
  /// a tensor that it only reads. Bytes that nobody has written are NaN.
  virtual void run(const OpCall& call) = 0;
};

}  // namespace peakscope::engine
