// SPDX-License-Identifier: Apache-2.0
//
// Commands as MessagePack. What comes in may be anything: a wrong type or a missing field is an error with the field's name.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/runtime/session_messages.h"
#include "memory/plan.h"
#include "memory/trace/message_pack.h"

namespace peakscope::engine {
namespace {

using nlohmann::json;

json toJson(const std::optional<Bytes>& bytes) { return bytes ? json(bytes->count()) : json(nullptr); }
std::optional<Bytes> optionalBytes(const json& value) {
  if (value.is_null()) return std::nullopt;
  return Bytes{value.get<std::int64_t>()};
}

/// Enumerators travel as numbers; `last` is the highest one that exists.
template <class Enum>
json toJson(Enum value) { return static_cast<int>(value); }
template <class Enum>
Enum toEnum(const json& value, Enum last) {
  const auto number = value.get<std::int64_t>();
  if (number < 0 || number > static_cast<int>(last)) throw std::invalid_argument(fmt::format("{} is none of the {} choices", number, static_cast<int>(last) + 1));
  return static_cast<Enum>(number);
}

json toJson(const PolicyOptions& o) {
  return {{"policy", o.policy},
          {"liveness", o.techniques.liveness},
          {"offloads", o.techniques.offload},
          {"recomputes", o.techniques.recompute},
          {"offload", toJson(o.offload)},
          {"prefetch", toJson(o.prefetch)},
          {"recompute", toJson(o.recompute)},
          {"offloadFree", toJson(o.offloadFree)},
          {"budget", toJson(o.budget)},
          {"hostBudget", toJson(o.hostBudget)}};
}
PolicyOptions policyOptions(const json& j) {
  PolicyOptions o;
  o.policy = j.at("policy").get<std::string>();
  o.techniques = {.liveness = j.at("liveness").get<bool>(), .offload = j.at("offloads").get<bool>(), .recompute = j.at("recomputes").get<bool>()};
  o.offload = toEnum(j.at("offload"), OffloadSet::Checkpoints);
  o.prefetch = toEnum(j.at("prefetch"), Prefetch::OnDemand);
  o.recompute = toEnum(j.at("recompute"), RecomputeMode::CostAware);
  o.offloadFree = toEnum(j.at("offloadFree"), OffloadFree::Hidden);
  o.budget = optionalBytes(j.at("budget"));
  o.hostBudget = optionalBytes(j.at("hostBudget"));
  return o;
}

/// One list of the fields for both directions: visit(name, member).
template <class Config, class Visit>
void eachField(Config& c, Visit visit) {
  visit("net", c.net);
  visit("batch", c.batch);
  visit("inputHeight", c.inputHeight);
  visit("inputWidth", c.inputWidth);
  visit("lowering", c.lowering);
  visit("backend", c.backend);
  visit("device", c.device);
  visit("dataDir", c.dataDir);
  visit("iterations", c.iterations);
  visit("epochs", c.epochs);
  visit("threads", c.threads);
  visit("seed", c.seed);
  visit("linkBytesPerSecond", c.linkBytesPerSecond);
  visit("deterministic", c.deterministic);
  visit("checkMemory", c.checkMemory);
  visit("samplesDir", c.samplesDir);
  visit("devicesDir", c.devicesDir);
  visit("commandLine", c.commandLine);
}

json toJson(const SessionConfig& config) {
  json j;
  eachField(config, [&](const char* name, const auto& value) { j[name] = value; });
  j["options"] = toJson(config.options);
  return j;
}
SessionConfig sessionConfig(const json& j) {
  SessionConfig config;
  eachField(config, [&](const char* name, auto& value) { j.at(name).get_to(value); });
  config.options = policyOptions(j.at("options"));
  return config;
}

}  // namespace

std::vector<std::uint8_t> encode(const Command& command) {
  const json message = std::visit(Overloaded{
                                      [](const Start& c) -> json { return {{"command", "start"}, {"config", toJson(c.config)}}; },
                                      [](const Run&) -> json { return {{"command", "run"}}; },
                                      [](const Pause&) -> json { return {{"command", "pause"}}; },
                                      [](const SingleStep&) -> json { return {{"command", "step"}}; },
                                      [](const Stop&) -> json { return {{"command", "stop"}}; },
                                      [](const ChangeOptions& c) -> json { return {{"command", "options"}, {"options", toJson(c.options)}}; },
                                  },
                                  command);
  return json::to_msgpack(message);
}

Result<Command> decodeCommand(std::span<const std::uint8_t> bytes) {
  try {
    const json message = trace::parseMessagePack(bytes);
    const auto name = message.at("command").get<std::string>();
    if (name == "start") return Start{sessionConfig(message.at("config"))};
    if (name == "run") return Run{};
    if (name == "pause") return Pause{};
    if (name == "step") return SingleStep{};
    if (name == "stop") return Stop{};
    if (name == "options") return ChangeOptions{policyOptions(message.at("options"))};
    return badInput(fmt::format("session: command '{}' is not known; are both programs of the same version?", name));
  } catch (const std::exception& error) {
    return badInput(fmt::format("session: a command cannot be read ({}); are both programs of the same version?", error.what()));
  }
}

}  // namespace peakscope::engine
