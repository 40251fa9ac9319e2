// SPDX-License-Identifier: Apache-2.0
//
// CpuLibrary: the describing half of the CPU backend, answered by oneDNN's descriptors for this machine's instruction set
// and thread count. Answers are cached by description.
#pragma once

#include <memory>

#include "engine/op_library.h"

namespace peakscope::engine::cpu {

class CpuLibrary final : public OpLibrary {
 public:
  explicit CpuLibrary(std::int32_t threads);
  ~CpuLibrary() override;

  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] Layout activationLayout(const Shape& shape) const override;
  [[nodiscard]] Bytes bytes(const TensorDesc& desc) const override;
  [[nodiscard]] OpNeeds describe(const OpDesc& desc) override;

 private:
  struct Cache;
  std::int32_t m_threads;
  std::unique_ptr<Cache> m_cache;
};

}  // namespace peakscope::engine::cpu
