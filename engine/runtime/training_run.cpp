// SPDX-License-Identifier: Apache-2.0
#include "engine/runtime/training_run.h"

#include <fmt/format.h>

#include <cassert>
#include <chrono>
#include <limits>

#include "engine/graph/network_file.h"
#include "engine/runtime/parameters.h"
#include "memory/plan_check.h"
#include "memory/policy.h"

namespace peakscope::engine {
namespace {

/// Forward only needs no technique but liveness; the budget is the same, since the arena is.
PolicyOptions evaluationOptions(const PolicyOptions& options) {
  PolicyOptions evaluation;
  evaluation.techniques = {.liveness = true, .workspace = options.techniques.workspace};
  evaluation.budget = options.budget;
  return evaluation;
}

Shape imageShape(const Graph& graph) {
  Shape shape = std::get<DataParams>(graph.layers[graph.dataLayer()].params).shape;
  shape.n = 1;
  return shape;
}

}  // namespace

TrainingRun::TrainingRun(const SessionConfig& config, std::unique_ptr<Backend> backend, Graph graph, EventLog& log)
    : m_config(config), m_graph(std::move(graph)), m_log(log), m_backend(std::move(backend)), m_executor(*m_backend, &log), m_evaluator(*m_backend, nullptr) {}

Result<std::unique_ptr<TrainingRun>> TrainingRun::prepare(const SessionConfig& config, const BackendFactory& makeBackend, EventLog& log) {
  auto graph = findNetwork(config.net, std::filesystem::path(config.samplesDir) / "networks");
  if (!graph) return fail(graph.error());
  if (config.inputHeight > 0) graph = withInputSize(std::move(*graph), config.inputHeight, config.inputWidth);
  if (!graph) return fail(graph.error());
  const auto lowering = LoweringOptions::parse(config.lowering);
  if (!lowering) return fail(lowering.error());
  if (config.batch < 0 || config.batch > maxBatch) return badInput(fmt::format("batch {} cannot be; take 1 to {} images, or 0 for the network's own", config.batch, maxBatch));
  auto backend = makeBackend(config);
  if (!backend) return fail(backend.error());
  if (!graph->planOnly.empty() && (*backend)->computes()) return badInput(graph->planOnly);

  std::unique_ptr<TrainingRun> run(new TrainingRun(config, std::move(*backend), std::move(*graph), log));
  const std::int64_t batch = config.batch > 0 ? config.batch : run->m_graph.defaultBatch;
  OpLibrary& library = run->m_backend->library();
  run->m_training.lowering = lower(run->m_graph, batch, *lowering, library);
  run->m_training.costs = run->m_backend->costs(run->m_training.lowering);
  // The plan first: what does not fit is said before batches of it are made room for.
  if (const auto installed = run->install(run->m_training, config.options, 0); !installed) return fail(installed.error());
  if (const auto opened = run->openData(); !opened) return fail(opened.error());
  run->announce();
  if (run->m_data != nullptr) {
    run->m_evaluation.lowering = lowerForEvaluation(run->m_graph, batch, *lowering, library);
    run->m_evaluation.costs = run->m_backend->costs(run->m_evaluation.lowering);
    run->installEvaluation(config.options);
    run->initialiseParameters();
  }
  return run;
}

Result<void> TrainingRun::openData() {
  if (!m_backend->computes()) {
    if (m_config.epochs > 0 && m_config.iterations == 0)
      return badInput("a modelled run reads no data and so has no epochs; give --iterations");
    return {};
  }
  const Shape image = imageShape(m_graph);
  const std::int64_t batch = m_training.lowering.workload.batch;
  auto data = openDataSet({.name = m_graph.dataSet,
                           .directory = m_config.dataDir,
                           .samples = std::filesystem::path(m_config.samplesDir) / "data",
                           .image = image,
                           .classes = std::get<DataParams>(m_graph.layers[m_graph.dataLayer()].params).classes,
                           .seed = m_config.seed});
  if (!data) return fail(data.error());
  m_data = std::move(*data);
  if (m_data->size(Split::Train) < batch)
    return badInput(fmt::format("batch {} is larger than the training set ({}); take a smaller --batch", batch, m_data->description()));
  m_batches.emplace(*m_data, BatchSource::Options{.batch = batch, .imageElements = image.elements(), .seed = m_config.seed});
  return {};
}

Result<std::unique_ptr<const Plan>> TrainingRun::makeCheckedPlan(const Planned& planned, const PolicyOptions& options) const {
  const DeviceSpec device = m_backend->device();
  PolicyOptions used = options;
  if (m_config.deterministic) used.techniques.workspace = false;   // the same algorithms whatever the budget
  auto plan = makePlan({planned.lowering.workload, device, planned.costs}, used);
  if (!plan) return fail(errorOf(plan.error()));
  if (const auto problems = checkPlan(*plan, planned.lowering.workload); !problems.empty())
    return deviceFailed(fmt::format("policy {} made a plan that is not safe to run (step {}: {}{}); take another policy and report it", options.policy,
                                    problems[0].step.index, problems[0].text,
                                    problems.size() > 1 ? fmt::format(", and {} more", problems.size() - 1) : ""));
  return std::make_unique<const Plan>(std::move(*plan));
}

Result<void> TrainingRun::install(Planned& planned, const PolicyOptions& options, std::int32_t number) {
  auto plan = makeCheckedPlan(planned, options);
  if (!plan) return fail(plan.error());
  // Note [Nothing moves]: every plan of a workload has the same persistent region, so a new plan needs no migration.
  assert(planned.plan == nullptr || planned.plan->persistentOffsets == (*plan)->persistentOffsets);
  if (const auto committed = m_backend->commit(planned.lowering, **plan); !committed) return fail(committed.error());
  planned.plan = std::move(*plan);
  planned.run.emplace(planned.lowering, *planned.plan, number);
  return {};
}

void TrainingRun::installEvaluation(const PolicyOptions& options) {
  if (const auto installed = install(m_evaluation, evaluationOptions(options), 0); !installed) {
    m_evaluation.run.reset();
    note(Notice::Severity::Warning, "no accuracy: evaluation " + installed.error().message);
  }
}

Result<void> TrainingRun::changeOptions(const PolicyOptions& options) {
  if (const auto installed = install(m_training, options, m_planCount); !installed) return fail(installed.error());
  m_log.append(PlanInstalled{m_planCount++, m_iteration, *m_training.plan});
  if (m_data != nullptr) installEvaluation(options);
  return {};
}

void TrainingRun::announce() {
  using namespace std::chrono;
  const std::int64_t unixNow = duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
  SessionStarted started{.info = {.program = std::string("peakscope ") + PEAKSCOPE_VERSION,
                                  .backend = m_backend->name(),
                                  .backendDetail = m_backend->detail(),
                                  .timeSource = m_backend->timeSource(),
                                  .data = m_data != nullptr ? m_data->description() : "none: nothing is computed",
                                  .commandLine = m_config.commandLine,
                                  .seed = static_cast<std::int64_t>(m_config.seed),
                                  .threads = m_backend->threads(),
                                  .iterationsPerEpoch = m_batches ? m_batches->trainBatches() : 0,
                                  .startedUnixNs = unixNow - m_backend->nowNs()},
                         .device = m_backend->device(),
                         .workload = m_training.lowering.workload};
  m_log.append(std::move(started));
  m_log.append(PlanInstalled{m_planCount++, 0, *m_training.plan});
  for (const std::string& remark : m_graph.remarks) note(Notice::Severity::Warning, remark);
  if (m_data != nullptr && m_data->description().starts_with("synthetic"))
    note(Notice::Severity::Info, fmt::format("{} has no data set here: it trains on {}", m_graph.name, m_data->description()));
}

void TrainingRun::initialiseParameters() {
  for (const TensorId id : parameterTensors(m_training.lowering))
    m_backend->writePersistent(id, initialValues(m_training.lowering, id, m_graph.init, m_config.seed));
}

bool TrainingRun::isFinished() const {
  if (m_config.iterations > 0) return m_iteration >= m_config.iterations;
  return m_config.epochs > 0 && m_epoch > m_config.epochs;
}

bool TrainingRun::isPaced() const { return !m_backend->computes() && m_config.iterations == 0; }

void TrainingRun::step(const std::function<bool()>& shouldStop) {
  const std::int64_t begin = m_backend->nowNs();
  IterationInput input{.iteration = m_iteration, .images = {}, .labels = {}, .learningRate = learningRateAt(m_graph.solver, m_iteration), .isTraining = true};
  if (m_batches) {
    const Batch batch = m_batches->train(m_epoch, m_batch);
    input.images = batch.images;
    input.labels = batch.labels;
  }
  m_backend->activate(m_training.lowering, *m_training.plan);
  const IterationOutput output = m_executor.iterate(*m_training.run, input);
  ++m_iteration;
  m_epochLoss += static_cast<double>(output.loss);
  m_epochNs += m_backend->nowNs() - begin;
  if (m_batches && ++m_batch == m_batches->trainBatches()) endEpoch(shouldStop);
}

void TrainingRun::endEpoch(const std::function<bool()>& shouldStop) {
  const std::int64_t batches = m_batches->trainBatches();
  const std::int64_t trained = batches * m_training.lowering.workload.batch;
  EpochDone done{.epoch = m_epoch,
                 .iteration = m_iteration - 1,
                 .accuracy = std::numeric_limits<double>::quiet_NaN(),
                 .imagesPerSecond = m_epochNs > 0 ? static_cast<double>(trained) * 1e9 / static_cast<double>(m_epochNs) : 0,
                 .meanLoss = m_epochLoss / static_cast<double>(batches),
                 .timeNs = m_backend->nowNs()};
  ++m_epoch;
  m_batch = 0;
  m_epochLoss = 0;
  m_epochNs = 0;
  if (m_evaluation.run) evaluate(done, shouldStop);   // if not, that was said when the plan was made
  m_log.append(done);
}

void TrainingRun::evaluate(EpochDone& done, const std::function<bool()>& shouldStop) {
  m_backend->activate(m_evaluation.lowering, *m_evaluation.plan);
  std::int64_t hits = 0, images = 0;
  for (std::int64_t i = 0; i < m_batches->testBatches(); ++i) {
    if (shouldStop()) return;
    const Batch batch = m_batches->test(i);
    const IterationOutput output =
        m_evaluator.iterate(*m_evaluation.run, {.iteration = i, .images = batch.images, .labels = batch.labels, .learningRate = 0, .isTraining = false});
    hits += output.hits;
    images += output.images;
  }
  done.accuracy = static_cast<double>(hits) / static_cast<double>(images);
  done.testImages = images;
  done.timeNs = m_backend->nowNs();
}

void TrainingRun::note(Notice::Severity severity, std::string text) {
  m_log.append(Notice{.severity = severity, .text = std::move(text), .timeNs = m_backend->nowNs()});
}

}  // namespace peakscope::engine
