// SPDX-License-Identifier: Apache-2.0
//
// The CPU backend's ops one at a time, for conformance (engine/selftest/op_runner.h). Every tensor and the workspace lie
// between guards, and start as NaN unless the op reads them: writing beyond them or reading what nobody wrote shows.
#pragma once

#include "engine/backends/cpu/cpu_library.h"
#include "engine/selftest/op_runner.h"

namespace peakscope::engine::cpu {

class CpuOpRunner final : public OpRunner {
 public:
  explicit CpuOpRunner(std::int32_t threads) : m_threads(threads), m_library(threads) {}
  [[nodiscard]] std::string name() const override { return "cpu"; }
  [[nodiscard]] OpLibrary& library() override { return m_library; }
  void run(const OpCall& call) override;

 private:
  std::int32_t m_threads;
  CpuLibrary m_library;
};

}  // namespace peakscope::engine::cpu
