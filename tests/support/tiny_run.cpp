// SPDX-License-Identifier: Apache-2.0
#include "tests/support/tiny_run.h"

#include <map>

namespace peakscope::test {
namespace {

constexpr Bytes kib(std::int64_t n) { return Bytes{n * 1024}; }

TensorId find(const Workload& w, const std::string& name) {
  for (const TensorId id : idsOf(w.tensors))
    if (w.tensors[id].name == name) return id;
  return {};
}

/// Writes a plan line by line; every tensor has a place of its own.
class PlanWriter {
 public:
  explicit PlanWriter(const Workload& w) : m_w(w) {
    std::int64_t at = 0;
    m_plan.alignment = Bytes{256};
    for (const TensorId id : idsOf(w.tensors)) {
      m_offsets[id.index] = Bytes{at};
      m_plan.persistentOffsets.push_back(w.tensors[id].isPersistent ? Bytes{at} : Bytes{0});
      at += roundUp(w.tensors[id].bytes, m_plan.alignment).count();
      if (w.tensors[id].isPersistent) m_plan.persistentBytes = Bytes{at};
    }
    m_workspaceOffset = Bytes{at};
    m_plan.arenaBytes = Bytes{at} + kib(512);
    m_plan.hostBytes = kib(1024);
  }
  PlanStepId alloc(const char* tensor, PaperStep step, CauseKind cause, OpId op) { return add(AllocStep{id(tensor), m_offsets[id(tensor).index]}, step, cause, op); }
  PlanStepId free(const char* tensor, PaperStep step, CauseKind cause, OpId op) { return add(FreeStep{id(tensor)}, step, cause, op); }
  PlanStepId run(OpId op, PaperStep step, CauseKind cause = CauseKind::Route) { return add(RunStep{op, 0, m_workspaceOffset}, step, cause, op); }
  PlanStepId out(const char* tensor, PaperStep step, OpId op) { return add(CopyOutStep{id(tensor), Bytes{0}}, step, CauseKind::Offloaded, op); }
  PlanStepId in(const char* tensor, PaperStep step, OpId op) { return add(CopyInStep{id(tensor), Bytes{0}}, step, CauseKind::PrefetchedAt, op); }
  PlanStepId wait(PlanStepId on, PaperStep step, OpId op) { return add(WaitStep{Lane::Compute, on}, step, CauseKind::Route, op); }
  Plan take() { return std::move(m_plan); }

 private:
  TensorId id(const char* name) const { return find(m_w, name); }
  PlanStepId add(PlanAction action, PaperStep step, CauseKind cause, OpId op) {
    m_plan.steps.push_back({std::move(action), step, {cause, op}});
    return PlanStepId{static_cast<std::int32_t>(m_plan.steps.size()) - 1};
  }
  const Workload& m_w;
  Plan m_plan;
  std::map<std::int32_t, Bytes> m_offsets;
  Bytes m_workspaceOffset;
};

}  // namespace

Workload tinyWorkload() {
  Workload w;
  w.net = "Tiny";
  w.lowering = "paper";
  w.library = "ideal";
  w.batch = 4;
  const LayerId data = w.layers.push_back({"data", "data", LayerClass::Data});
  const LayerId conv = w.layers.push_back({"conv1", "conv", LayerClass::Convolution});
  const LayerId relu = w.layers.push_back({"relu1", "relu", LayerClass::Cheap});
  const LayerId fc = w.layers.push_back({"fc1", "fc", LayerClass::FullyConnected});
  const LayerId loss = w.layers.push_back({"loss", "softmax", LayerClass::Loss});
  const auto tensor = [&](const char* name, TensorKind kind, LayerId layer, std::int64_t size, bool isPersistent = false) {
    return w.tensors.push_back({name, kind, layer, {size * 256}, kib(size), kib(size), isPersistent});
  };
  const TensorId weights = tensor("conv1.weights", TensorKind::Weight, conv, 96, true);
  const TensorId dweights = tensor("conv1.dweights", TensorKind::WeightGrad, conv, 96, true);
  const TensorId momentum = tensor("conv1.momentum", TensorKind::OptimizerState, conv, 96, true);
  const TensorId input = tensor("data.out", TensorKind::Input, data, 256);
  const TensorId convOut = tensor("conv1.out", TensorKind::Activation, conv, 1024);
  const TensorId reluOut = tensor("relu1.out", TensorKind::Activation, relu, 1024);
  const TensorId fcOut = tensor("fc1.out", TensorKind::Activation, fc, 64);
  const TensorId lossOut = tensor("loss.out", TensorKind::Activation, loss, 64);
  const TensorId fcDx = tensor("fc1.dx", TensorKind::ActivationGrad, fc, 1024);
  const TensorId reluDx = tensor("relu1.dx", TensorKind::ActivationGrad, relu, 1024);
  const TensorId lossDx = tensor("loss.dx", TensorKind::ActivationGrad, loss, 64);

  const auto op = [&](LayerId layer, Phase phase, PaperStep step, std::vector<OpArg> args, std::int64_t workspace = 0) {
    Op made;
    made.layer = layer;
    made.phase = phase;
    made.paperStep = step;
    made.args = std::move(args);
    made.candidates = {{"direct", kib(workspace)}};
    return w.ops.push_back(std::move(made));
  };
  const auto reads = [](TensorId t) { return OpArg{ArgRole::Src, 0, t, Access::Read}; };
  const auto writes = [](TensorId t) { return OpArg{ArgRole::Dst, 0, t, Access::Write}; };
  w.route = {op(data, Phase::Load, 0, {writes(input)}),
             op(conv, Phase::Forward, 1, {reads(input), reads(weights), writes(convOut)}, 512),
             op(relu, Phase::Forward, 2, {reads(convOut), writes(reluOut)}),
             op(fc, Phase::Forward, 3, {reads(reluOut), writes(fcOut)}),
             op(loss, Phase::Forward, 4, {reads(fcOut), writes(lossOut)}),
             op(loss, Phase::Backward, 5, {reads(lossOut), writes(lossDx)}),
             op(fc, Phase::Backward, 6, {reads(reluOut), reads(lossDx), writes(fcDx)}),
             op(relu, Phase::Backward, 7, {reads(convOut), reads(fcDx), writes(reluDx)}),
             op(conv, Phase::Backward, 8, {reads(input), reads(reluDx), writes(dweights)}, 512),
             op(conv, Phase::Update, 8, {reads(dweights), writes(momentum), writes(weights)})};
  w.ops[w.route[2]].rebuild = op(relu, Phase::Rebuild, 2, {reads(convOut), writes(reluOut)});
  return w;
}

Plan tinyPlan(const Workload& w) {
  PlanWriter p{w};
  const auto& r = w.route;
  p.alloc("data.out", 0, CauseKind::InputBatch, r[0]);
  const PlanStepId load = p.run(r[0], 0);
  p.wait(load, 1, r[1]);
  p.alloc("conv1.out", 1, CauseKind::FirstUse, r[1]);
  p.run(r[1], 1);
  const PlanStepId out = p.out("conv1.out", 1, r[1]);
  p.alloc("relu1.out", 2, CauseKind::FirstUse, r[2]);
  p.run(r[2], 2);
  p.wait(out, 2, r[2]);
  p.free("conv1.out", 2, CauseKind::Offloaded, r[2]);
  p.alloc("fc1.out", 3, CauseKind::FirstUse, r[3]);
  p.run(r[3], 3);
  p.free("relu1.out", 3, CauseKind::DroppedForRecompute, r[3]);
  p.alloc("loss.out", 4, CauseKind::FirstUse, r[4]);
  p.run(r[4], 4);
  p.free("fc1.out", 4, CauseKind::LastUse, r[4]);
  p.alloc("loss.dx", 5, CauseKind::FirstUse, r[5]);
  p.run(r[5], 5);
  p.free("loss.out", 5, CauseKind::LastUse, r[5]);
  p.alloc("conv1.out", 5, CauseKind::PrefetchedAt, r[5]);
  const PlanStepId in = p.in("conv1.out", 5, r[5]);
  p.wait(in, 6, r[6]);
  p.alloc("relu1.out", 6, CauseKind::RebuiltFor, r[6]);
  p.run(w.ops[r[2]].rebuild, 6, CauseKind::RebuiltFor);
  p.alloc("fc1.dx", 6, CauseKind::FirstUse, r[6]);
  p.run(r[6], 6);
  p.free("loss.dx", 6, CauseKind::LastUse, r[6]);
  p.free("relu1.out", 6, CauseKind::LastUse, r[6]);
  p.alloc("relu1.dx", 7, CauseKind::FirstUse, r[7]);
  p.run(r[7], 7);
  p.free("fc1.dx", 7, CauseKind::LastUse, r[7]);
  p.free("conv1.out", 7, CauseKind::LastUse, r[7]);
  p.run(r[8], 8);
  p.free("relu1.dx", 8, CauseKind::LastUse, r[8]);
  p.free("data.out", 8, CauseKind::LastUse, r[8]);
  p.run(r[9], 8);
  Plan plan = p.take();
  plan.extraForwards = 1;
  plan.options.techniques = {.liveness = true, .offload = true, .recompute = true};
  plan.options.budget = kib(8192);
  return plan;
}

RunInfo tinyInfo() {
  RunInfo info;
  info.program = "peakscope 0.1.0";
  info.backend = "virtual";
  info.backendDetail = "three lanes and a clock";
  info.timeSource = "modelled for a tiny device";
  info.data = "synthetic";
  info.commandLine = "peakscope-cli train tiny --batch 4 --lowering paper --iterations 2";
  info.seed = 7;
  info.threads = 2;
  info.iterationsPerEpoch = 2;
  info.startedUnixNs = 1'772'368'205'000'000'000;   // 2026-03-01 12:30:05 UTC
  return info;
}

std::vector<LogRecord> tinyRecords(const Workload& w, const TinyOptions& options) {
  const Plan plan = tinyPlan(w);
  DeviceSpec device;
  device.name = "tiny device";
  device.memory = kib(16384);
  std::vector<LogRecord> records{SessionStarted{tinyInfo(), device, w}, PlanInstalled{0, 0, plan}};
  if (!options.withIterations) return records;
  const analysis::MemoryCurve curve = analysis::memoryCurve(w, plan);
  const Bytes total = analysis::totalPeak(w, plan, curve).bytes;
  const Bytes scheduled = analysis::scheduledPeak(w, plan, curve).bytes;
  std::int64_t now = 0;
  for (std::int64_t i = 0; i < 2; ++i) {
    StepsDone done{i, 0, PlanStepId{0}, {}, {}};
    const std::int64_t begin = now;
    for (const PlanStep& step : plan.steps) {
      const bool isInstant = std::holds_alternative<AllocStep>(step.action) || std::holds_alternative<FreeStep>(step.action);
      const std::int64_t length = isInstant ? 0 : options.nsPerStep;
      done.times.push_back({now, now + length});
      now += length;
    }
    records.emplace_back(std::move(done));
    records.emplace_back(IterationDone{i, 0, begin, now, i == 0 ? 2.5f : 2.25f, 4, total, scheduled, total, scheduled, plan.arenaBytes, kib(3)});
  }
  records.emplace_back(EpochDone{1, 1, 0.625, 16, 100, 2.375, now});
  records.emplace_back(Notice{Notice::Severity::Info, "synthetic data: no data set was named", 0, {}});
  records.emplace_back(StateChanged{RunState::Finished, 1, now});
  return records;
}

std::vector<LogRecord> chainRecords(std::int32_t layers) {
  Workload w;
  w.net = "Chain";
  w.lowering = "lean";
  w.library = "ideal";
  w.batch = 1;
  Plan plan;
  std::vector<OpId> backward;
  const auto opOf = [&](LayerId layer, Phase phase, PaperStep step) {
    Op op;
    op.layer = layer;
    op.phase = phase;
    op.paperStep = step;
    op.candidates = {{"direct", kib(step % 7)}};
    return w.ops.push_back(std::move(op));
  };
  for (std::int32_t i = 0; i < layers; ++i) {
    const std::string name = "stage" + std::to_string(i / 10) + "_block" + std::to_string(i) + "_convolution";
    const LayerId layer = w.layers.push_back({name, "conv", LayerClass::Convolution});
    w.tensors.push_back({name + ".out", TensorKind::Activation, layer, {}, kib(64 + i % 5), kib(64 + i % 5), false});
    const OpId forward = opOf(layer, Phase::Forward, i + 1);
    backward.push_back(opOf(layer, Phase::Backward, 2 * layers - i));
    w.route.push_back(forward);
    plan.steps.push_back({AllocStep{TensorId{i}, kib(128) * i}, i + 1, {CauseKind::FirstUse, forward}});
    plan.steps.push_back({RunStep{forward, 0, {}}, i + 1, {CauseKind::Route, forward}});
  }
  for (std::int32_t i = layers; i-- > 0;) {
    const OpId op = backward[static_cast<std::size_t>(i)];
    w.route.push_back(op);
    plan.steps.push_back({RunStep{op, 0, {}}, 2 * layers - i, {CauseKind::Route, op}});
    plan.steps.push_back({FreeStep{TensorId{i}}, 2 * layers - i, {CauseKind::LastUse, op}});
  }
  plan.persistentOffsets.resize(w.tensors.size());
  plan.arenaBytes = kib(128) * layers;
  StepsDone done{0, 0, PlanStepId{0}, {}, {}};
  std::int64_t now = 0;
  for (const PlanStep& step : plan.steps) {
    const std::int64_t length = std::holds_alternative<RunStep>(step.action) ? 1000 + now % 777 : 0;
    done.times.push_back({now, now + length});
    now += length;
  }
  return {SessionStarted{tinyInfo(), {}, w}, PlanInstalled{0, 0, plan}, done, IterationDone{0, 0, 0, now, 1.f, 1, {}, {}, {}, {}, {}, {}}};
}

analysis::RunHistory historyOf(const std::vector<LogRecord>& records) {
  analysis::RunHistory history;
  for (const LogRecord& record : records) history.add(record);
  return history;
}

report::Replanned tinyReplanned() {
  report::Replanned replanned;
  replanned.baseline = report::Baseline{.scheduled = kib(4288), .total = kib(4832 + 512)};
  const auto row = [&](const char* name, std::int64_t scheduled, std::int64_t host, std::int64_t copied, std::int32_t extra) {
    replanned.rows.push_back({name, kib(scheduled), kib(scheduled + 1056), kib(host), kib(copied), extra, ""});
  };
  row("keep everything", 4288, 0, 0, 0);
  row("liveness", 3136, 0, 0, 0);
  row("offload and prefetch", 3136, 1024, 2048, 0);
  row("recompute", 3136, 1024, 2048, 1);
  return replanned;
}

}  // namespace peakscope::test
