// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/serialize.h"

#include "memory/trace/json_fields.h"
#include "memory/trace/message_pack.h"

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
    const json j = trace::parseMessagePack(bytes);
    return recordOf(static_cast<std::size_t>(trace::integerFrom<std::int32_t>(j.at("record"))), j.at("value"));
  } catch (const trace::FieldError& error) {
    return badInput(std::string("a log record cannot be read: ") + error.what() + "; both ends must be of the same version");
  } catch (const std::exception&) {
    return badInput("a log record cannot be read: it is not MessagePack of the expected form; both ends must be of the same version");
  }
}

}  // namespace peakscope
