// SPDX-License-Identifier: Apache-2.0
#include "engine/selftest/reference.h"

#include "engine/backend_failure.h"
#include "memory/plan.h"

namespace peakscope::engine {

void runReference(const OpCall& call) {
  const reference::Operands o(call);
  if (call.desc.phase == Phase::Update) return reference::update(o);
  std::visit(Overloaded{
                 [&](const DataParams&) { reference::load(o); },
                 [&](const ConvParams& p) { reference::convolution(o, p); },
                 [&](const FcParams& p) { reference::fullyConnected(o, p); },
                 [&](const PoolParams& p) { reference::pool(o, p); },
                 [&](const ReluParams&) { reference::relu(o); },
                 [&](const LrnParams& p) { reference::lrn(o, p); },
                 [&](const BatchNormParams& p) { reference::batchNorm(o, p); },
                 [&](const DropoutParams& p) { reference::dropout(o, p); },
                 [&](const SoftmaxLossParams&) { reference::softmaxLoss(o); },
                 [&](const AddParams&) { reference::add(o); },
                 [&](const ConcatParams&) { reference::concat(o); },
                 [&](const ForkParams&) { reference::fork(o); },
                 [&](const ChannelPadParams& p) { reference::channelPad(o, p); },
                 [&](const PlannedOnly auto&) {
                   throw BackendFailure("layer " + call.desc.layer + ", of type " + typeName(call.desc.params) + ": there is no reference for it");
                 },
                 [](const FlattenParams&) { throw BackendFailure("flatten is a view and runs no op"); },
             },
             call.desc.params);
}

}  // namespace peakscope::engine
