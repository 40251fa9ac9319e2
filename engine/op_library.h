// SPDX-License-Identifier: Apache-2.0
//
// OpLibrary: the describing half of a backend. What a tensor really takes in the layout chosen, what forward must save
// for backward, and the implementations of an op with their workspaces. Book first, grant later: lowering asks, the
// planner decides, the backend executes.
//
//   const Layout layout = library.activationLayout(shape);
//   const OpNeeds needs = library.describe(desc);       // cached by (op, shapes, threads)
#pragma once

#include <string>
#include <vector>

#include "engine/op.h"
#include "memory/bytes.h"
#include "memory/workload.h"

namespace peakscope::engine {

struct OpNeeds {
  std::vector<OpCandidate> candidates;  ///< at least one; the first takes the fewest workspace bytes
  Bytes saved;                          ///< what a forward op keeps for backward besides tensors the lowering knows (argmax, masks)
};

class OpLibrary {
 public:
  virtual ~OpLibrary() = default;
  [[nodiscard]] virtual std::string name() const = 0;                       ///< "ideal", "cpu"
  [[nodiscard]] virtual Layout activationLayout(const Shape& shape) const = 0;
  [[nodiscard]] virtual Bytes bytes(const TensorDesc& desc) const = 0;
  [[nodiscard]] virtual OpNeeds describe(const OpDesc& desc) = 0;
};

/// Plain shapes and modelled workspaces: the same on every machine, the default of `plan`.
class IdealLibrary final : public OpLibrary {
 public:
  [[nodiscard]] std::string name() const override { return "ideal"; }
  [[nodiscard]] Layout activationLayout(const Shape&) const override { return Layout::Plain; }
  [[nodiscard]] Bytes bytes(const TensorDesc& desc) const override { return desc.shape.bytes(); }
  [[nodiscard]] OpNeeds describe(const OpDesc& desc) override;
};

}  // namespace peakscope::engine
