// SPDX-License-Identifier: Apache-2.0
//
// Commands as MessagePack, by the same lists of fields and the same strict reader as records (memory/trace). What comes in
// may be anything: a wrong type, a missing field or a number out of range is an error.
#include <fmt/format.h>

#include "engine/runtime/session_messages.h"
#include "memory/plan.h"
#include "memory/trace/json_fields.h"
#include "memory/trace/message_pack.h"

namespace peakscope::engine {

void visitFields(trace::Is<SessionConfig> auto& x, auto&& v) {
  v("net", x.net); v("batch", x.batch); v("input_height", x.inputHeight); v("input_width", x.inputWidth); v("lowering", x.lowering);
  v("backend", x.backend); v("device", x.device); v("data_dir", x.dataDir); v("options", x.options); v("iterations", x.iterations);
  v("epochs", x.epochs); v("threads", x.threads); v("seed", x.seed); v("link_bytes_per_second", x.linkBytesPerSecond);
  v("deterministic", x.deterministic); v("check_memory", x.checkMemory); v("samples_dir", x.samplesDir); v("devices_dir", x.devicesDir);
  v("command_line", x.commandLine);
}
void visitFields(trace::Is<Start> auto& x, auto&& v) { v("config", x.config); }
void visitFields(trace::Is<ChangeOptions> auto& x, auto&& v) { v("options", x.options); }
void visitFields(trace::Is<Run> auto&, auto&&) {}
void visitFields(trace::Is<Pause> auto&, auto&&) {}
void visitFields(trace::Is<SingleStep> auto&, auto&&) {}
void visitFields(trace::Is<Stop> auto&, auto&&) {}

std::vector<std::uint8_t> encode(const Command& command) { return trace::json::to_msgpack(trace::toJson(command)); }

Result<Command> decodeCommand(std::span<const std::uint8_t> bytes) {
  try {
    Command command;
    trace::fromJson(trace::parseMessagePack(bytes), command);
    return command;
  } catch (const std::exception& error) {
    return badInput(fmt::format("session: a command cannot be read ({}); are both programs of the same version?", error.what()));
  }
}

}  // namespace peakscope::engine
