// SPDX-License-Identifier: Apache-2.0
#include "app/backends.h"

#include <fmt/format.h>

#include "engine/backends/cpu/cpu_backend.h"
#include "engine/backends/cpu/cpu_library.h"
#include "engine/backends/cpu/cpu_op_runner.h"
#include "engine/backends/virtual/virtual_backend.h"
#include "engine/cost_model.h"
#include "engine/graph/device_file.h"

namespace peakscope::app {
namespace {

using Made = Result<std::unique_ptr<engine::Backend>>;

Made makeVirtual(const engine::SessionConfig& config, const Paths& paths) {
  auto device = engine::readDevice(config.device.empty() ? defaultDevice : config.device, paths.devices);
  if (!device) return fail(device.error());
  const DeviceSpec spec = *device;
  const double link = config.linkBytesPerSecond;
  return std::make_unique<engine::VirtualBackend>(
      spec, [spec, link](const engine::Lowering& lowering) { return engine::modelCosts(lowering, spec, link); });
}

Made makeCpu(const engine::SessionConfig& config) {
  if (!config.device.empty()) return badInput(fmt::format("--device '{}' models a GPU, and the cpu backend is this machine; drop it, or use --backend virtual", config.device));
  return std::make_unique<engine::cpu::CpuBackend>(engine::BackendOptions{.threads = config.threads,
                                                                          .linkBytesPerSecond = config.linkBytesPerSecond,
                                                                          .checkMemory = config.checkMemory,
                                                                          .seed = config.seed});
}

constexpr const char* notBuilt = "backend cuda is not built yet; use --backend cpu, or model a GPU with simulate";

}  // namespace

engine::BackendFactory backendFactory(const Paths& paths) {
  return [paths](const engine::SessionConfig& config) -> Made {
    if (config.backend == "virtual") return makeVirtual(config, paths);
    if (config.backend == "cpu" || config.backend == "auto") return makeCpu(config);
    if (config.backend == "cuda") return badInput(notBuilt);
    return badInput(fmt::format("backend '{}' is not known; use cpu, virtual or auto", config.backend));
  };
}

Result<std::unique_ptr<engine::OpLibrary>> makeLibrary(const std::string& name, std::int32_t threads) {
  if (name == "ideal") return std::make_unique<engine::IdealLibrary>();
  if (name == "cpu") return std::make_unique<engine::cpu::CpuLibrary>(threads);
  if (name == "cuda") return badInput(notBuilt);
  return badInput(fmt::format("backend '{}' cannot describe ops; use ideal or cpu", name));
}

Result<std::unique_ptr<engine::OpRunner>> makeOpRunner(const std::string& name, std::int32_t threads) {
  if (name == "virtual") return nullptr;
  if (name == "cpu") return std::make_unique<engine::cpu::CpuOpRunner>(threads);
  if (name == "cuda") return badInput(notBuilt);
  return badInput(fmt::format("backend '{}' is not known; use cpu or virtual", name));
}

}  // namespace peakscope::app
