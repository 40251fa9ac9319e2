// SPDX-License-Identifier: Apache-2.0
#include "app/cli/shared_options.h"

#include <limits>

#include "app/cli/option_checks.h"
#include "engine/graph.h"

namespace peakscope::cli {
namespace {

constexpr std::int64_t maxCount = std::numeric_limits<std::int64_t>::max();

}  // namespace

void addPlanOptions(CLI::App& command, RawOptions& raw) {
  command.add_option("--batch", raw.batch, "Images in a batch; default: the network's own")->check(wholeNumber(1, engine::maxBatch));
  command.add_option("--input", raw.input, "Input size HxW");
  command.add_option("--lowering", raw.lowering, "paper, lean, or options such as lean,relu-in-place=off")->capture_default_str();
  command.add_option("--policy", raw.policy, "See policies")->capture_default_str();
  command.add_option("--techniques", raw.techniques, "Passes of superneurons: a list of liveness,offload,cache,recompute,workspace, or none; default: all");
  command.add_option("--offload", raw.offload, "Whose outputs may leave the device: conv, checkpoints, conv-inputs (what convolutions read) or all; default conv");
  command.add_option("--prefetch", raw.prefetch, "previous-conv or on-demand; default previous-conv");
  command.add_option("--recompute", raw.recompute, "speed, memory or cost-aware; default cost-aware");
  command.add_option("--checkpoints", raw.checkpoints, "Layers that are never rebuilt: paper, joins, conv, sqrt, or a list of layer names; default paper");
  command.add_option("--offload-free", raw.offloadFree, "last-reader or hidden; default: last-reader with paper, hidden with lean");
  command.add_option("--eviction", raw.eviction, "What the cache gives up first: lru or belady; default lru");
  command.add_option("--placement", raw.placement, "Who finds the addresses: packed (ours), pool (the paper's) or native (the driver); default packed");
  command.add_option("--budget", raw.budget, "Cap on the arena, for example 12GiB; default: the device's memory");
  command.add_option("--host-budget", raw.hostBudget, "Cap on host bytes");
  command.add_option("--device", raw.device, "A device's name (see devices) or file");
  command.add_option("--costs", raw.costs, "Recorded cost table");
  command.add_option("--link", raw.link, "Host link in GB/s, instead of the device's");
  command.add_option("--threads", raw.threads, "CPU threads; default: one per core")->check(wholeNumber(1, maxThreads));
  command.add_option("--gpu", raw.gpu, "Which GPU")->check(wholeNumber(0, maxCount));
  command.add_option("--seed", raw.seed, "Of weights, shuffling and dropout")->check(wholeNumber(0, maxCount))->capture_default_str();
  command.add_flag("--deterministic", raw.deterministic, "The same algorithms whatever the budget (those with the smallest workspaces), so that losses are equal bit for bit");
}

void addTrainOptions(CLI::App& command, RawOptions& raw, TrainRequest& training) {
  command.add_option("--data", training.dataDir, "Folder with gzip'ed IDX files, or synthetic; default: Debian's Fashion-MNIST, else the bundled subset");
  auto* epochs = command.add_option("--epochs", training.epochs, "End after so many epochs")->check(wholeNumber(1, 1000000));
  command.add_option("--iterations", training.iterations, "End after so many iterations, instead of epochs")->check(wholeNumber(1, 1000000000))->excludes(epochs);
  command.add_option("--backend", raw.backend, "cpu, virtual or auto; default auto");
  command.add_option("--trace", training.trace, "Record to this file; an earlier trace of that name is replaced");
  command.add_flag("--check-memory", raw.checkMemory, "Fill freed bytes with NaN: losses must not change");
}

engine::SessionConfig sessionConfig(const TrainRequest& training, const app::Paths& paths) {
  const Request& r = training.request;
  return {.net = r.net,
          .batch = r.batch,
          .inputHeight = r.inputHeight,
          .inputWidth = r.inputWidth,
          .lowering = r.lowering,
          .backend = r.backend.empty() ? "auto" : r.backend,
          .device = r.device,
          .dataDir = training.dataDir,
          .options = r.options,
          .iterations = training.iterations,
          .epochs = training.epochs,
          .threads = r.threads,
          .seed = r.seed,
          .linkBytesPerSecond = r.linkBytesPerSecond,
          .deterministic = r.deterministic,
          .checkMemory = r.checkMemory,
          .samplesDir = paths.samples.string(),
          .devicesDir = paths.devices.string()};
}

}  // namespace peakscope::cli
