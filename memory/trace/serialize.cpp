// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/serialize.h"

#include <algorithm>

#include "memory/trace/json_fields.h"

namespace peakscope {
namespace {

using trace::fromJson;
using trace::json;
using trace::toJson;

json recordToJson(const SessionStarted& r) {
  json workload = toJson(r.workload);
  workload["layers"] = toJson(r.workload.layers);
  workload["tensors"] = toJson(r.workload.tensors);
  workload["ops"] = toJson(r.workload.ops);
  return {{"info", toJson(r.info)}, {"device", toJson(r.device)}, {"workload", workload}};
}
json recordToJson(const PlanInstalled& r) {
  json plan = toJson(r.value);
  plan["steps"] = toJson(r.value.steps);
  return {{"plan", r.plan}, {"from_iteration", r.fromIteration}, {"value", plan}};
}
template <class Record>
json recordToJson(const Record& r) { return toJson(r); }

void recordFromJson(const json& j, SessionStarted& r) {
  fromJson(j.at("info"), r.info);
  fromJson(j.at("device"), r.device);
  const json& workload = j.at("workload");
  fromJson(workload, r.workload);
  fromJson(workload.at("layers"), r.workload.layers);
  fromJson(workload.at("tensors"), r.workload.tensors);
  fromJson(workload.at("ops"), r.workload.ops);
  if (const auto problem = problemOf(r.workload)) throw trace::FieldError(*problem);
}
void recordFromJson(const json& j, PlanInstalled& r) {
  fromJson(j.at("plan"), r.plan);
  fromJson(j.at("from_iteration"), r.fromIteration);
  fromJson(j.at("value"), r.value);
  fromJson(j.at("value").at("steps"), r.value.steps);
}
template <class Record>
void recordFromJson(const json& j, Record& r) { fromJson(j, r); }

template <std::size_t I = 0>
LogRecord recordOf(std::size_t index, const json& j) {
  if constexpr (I < std::variant_size_v<LogRecord>) {
    if (index != I) return recordOf<I + 1>(index, j);
    std::variant_alternative_t<I, LogRecord> record;
    recordFromJson(j, record);
    return record;
  } else {
    throw trace::FieldError("an unknown kind of record");
  }
}

}  // namespace

std::vector<std::uint8_t> encodeRecord(const LogRecord& record) {
  return json::to_msgpack({{"record", record.index()}, {"value", std::visit([](const auto& r) { return recordToJson(r); }, record)}});
}

Result<LogRecord> decodeRecordBytes(std::span<const std::uint8_t> bytes) {
  try {
    const json j = json::from_msgpack(bytes.begin(), bytes.end());
    return recordOf(static_cast<std::size_t>(trace::integerFrom<std::int32_t>(j.at("record"))), j.at("value"));
  } catch (const trace::FieldError& error) {
    return badInput(std::string("a log record cannot be read: ") + error.what() + "; both ends must be of the same version");
  } catch (const json::exception&) {
    return badInput("a log record cannot be read: it is not MessagePack of the expected form; both ends must be of the same version");
  }
}

std::optional<std::string> problemOf(const Workload& workload) {
  const auto isTensor = [&](TensorId id) { return workload.tensors.contains(id); };
  for (const Tensor& tensor : workload.tensors) {
    if (!workload.layers.contains(tensor.layer)) return "tensor " + tensor.name + " belongs to no layer";
    if (tensor.bytes < Bytes{} || tensor.shapeBytes < Bytes{}) return "tensor " + tensor.name + " has negative bytes";
  }
  for (const Op& op : workload.ops) {
    if (!workload.layers.contains(op.layer)) return "an op belongs to no layer";
    if (op.candidates.empty()) return "an op has no implementation";
    if (op.rebuild.isValid() && !workload.ops.contains(op.rebuild)) return "an op names a rebuild op that is not there";
    if (!std::all_of(op.args.begin(), op.args.end(), [&](const OpArg& arg) { return isTensor(arg.tensor); })) return "an op touches a tensor that is not there";
    if (op.paperStep < 0) return "an op has a negative step";
    for (const OpCandidate& candidate : op.candidates)
      if (candidate.workspace < Bytes{}) return "an op has a negative workspace";
  }
  for (const OpId op : workload.route)
    if (!workload.ops.contains(op)) return "the route names an op that is not there";
  return std::nullopt;
}

std::optional<std::string> problemOf(const Plan& plan, const Workload& workload) {
  const auto isTensor = [&](TensorId id) { return workload.tensors.contains(id); };
  if (plan.persistentOffsets.size() != workload.tensors.size()) return "a plan belongs to another workload";
  if (plan.alignment <= Bytes{}) return "a plan has no alignment";
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const PlanStep& step = plan.steps[i];
    const bool isValid = std::visit(Overloaded{
                                        [&](const RunStep& run) {
                                          return workload.ops.contains(run.op) && run.candidate >= 0 &&
                                                 run.candidate < static_cast<std::int32_t>(workload.ops[run.op].candidates.size());
                                        },
                                        [&](const WaitStep& wait) { return wait.on.index >= 0 && wait.on.index < static_cast<std::int32_t>(i); },
                                        [&](const auto& other) { return isTensor(other.tensor); },
                                    },
                                    step.action);
    if (!isValid || step.paperStep < 0) return "plan step " + std::to_string(i) + " names something that is not there";
    if (step.cause.op.isValid() && !workload.ops.contains(step.cause.op)) return "plan step " + std::to_string(i) + " is caused by an op that is not there";
  }
  for (const Segment& segment : plan.segments) {
    if (!isTensor(segment.checkpoint)) return "a segment begins with a tensor that is not there";
    for (const LayerId layer : segment.layers)
      if (!workload.layers.contains(layer)) return "a segment names a layer that is not there";
  }
  for (const LayerId layer : {plan.lPeak.layer, plan.lPeak.distinctLayer})
    if (layer.isValid() && !workload.layers.contains(layer)) return "l_peak names a layer that is not there";
  return std::nullopt;
}

}  // namespace peakscope
