// SPDX-License-Identifier: Apache-2.0
//
// What belongs to a layer with parameters: the persistent tensors, the gradients, and the update.
#include <optional>

#include "engine/layers/lowering_context.h"
#include "memory/plan.h"

namespace peakscope::engine {
namespace {

struct Parameters {
  const char* weightsName;
  const char* biasName;
  Shape weights;
  std::optional<Shape> bias;
};

std::optional<Parameters> parametersOf(const LoweringContext& c, LayerId id) {
  const Layer& layer = c.layer(id);
  if (layer.inputs.empty()) return std::nullopt;
  const Shape& in = c.layer(layer.inputs[0]).shape;
  const auto bias = [](bool has, std::int64_t channels) {
    return has ? std::optional(Shape{channels, 1, 1, 1}) : std::nullopt;
  };
  return std::visit(
      Overloaded{
          [&](const ConvParams& p) -> std::optional<Parameters> {
            return Parameters{"weights",
                              "bias",
                              {p.outChannels, in.c / p.groups, p.kernelH, p.kernelW},
                              bias(p.hasBias, p.outChannels)};
          },
          [&](const FcParams& p) -> std::optional<Parameters> {
            // Read through a flatten, the weights have the shape of the image behind it: the same numbers in the same
            // order.
            LayerId producer = layer.inputs[0];
            while (std::holds_alternative<FlattenParams>(c.layer(producer).params))
              producer = c.layer(producer).inputs[0];
            const Shape& image = c.layer(producer).shape;
            return Parameters{
                "weights", "bias", {p.outChannels, image.c, image.h, image.w}, bias(p.hasBias, p.outChannels)};
          },
          [&](const BatchNormParams& p) -> std::optional<Parameters> {
            const Shape shape = p.isPerActivation ? Shape{in.c, 1, in.h, in.w} : Shape{in.c, 1, 1, 1};
            return Parameters{"scale", "shift", shape, shape};
          },
          [](const auto&) -> std::optional<Parameters> { return std::nullopt; },
      },
      layer.params);
}

enum class Home { Device, Host, Iteration };

TensorId add(LoweringContext& c, LayerId id, const std::string& name, TensorKind kind, const Shape& shape, Home home) {
  return c.addTensor({.name = c.layer(id).name + "." + name,
                      .kind = kind,
                      .layer = id,
                      .desc = {shape, Layout::Plain},
                      .isPersistent = home == Home::Device,
                      .livesOnHost = home == Home::Host});
}

}  // namespace

void addParameters(LoweringContext& c, LayerId id) {
  const auto parameters = parametersOf(c, id);
  if (!parameters) return;
  auto& state = c.states[id];
  const std::string weights = parameters->weightsName, bias = parameters->biasName;
  const bool hasMomentum = c.graph.solver.kind != Solver::Kind::Sgd;
  const Home parameterHome = c.options.parametersOnHost ? Home::Host : Home::Device;
  const Home stateHome = c.options.optimizerOnHost ? Home::Host : Home::Device;
  state.weights = add(c, id, weights, TensorKind::Weight, parameters->weights, parameterHome);
  if (parameters->bias) state.bias = add(c, id, bias, TensorKind::Weight, *parameters->bias, parameterHome);
  if (std::holds_alternative<BatchNormParams>(c.layer(id).params)) {
    state.runningMean = add(c, id, "runningMean", TensorKind::Saved, parameters->weights, Home::Device);
    state.runningVariance = add(c, id, "runningVariance", TensorKind::Saved, parameters->weights, Home::Device);
  }
  if (hasMomentum) {
    state.momentum = add(c, id, weights + ".momentum", TensorKind::OptimizerState, parameters->weights, stateHome);
    if (parameters->bias)
      state.biasMomentum = add(c, id, bias + ".momentum", TensorKind::OptimizerState, *parameters->bias, stateHome);
  }
  // One update at the end needs all gradients until then: they are persistent, as in the original code.
  if (!c.options.updatesInBackward) {
    state.diffWeights = add(c, id, weights + ".grad", TensorKind::WeightGrad, parameters->weights, Home::Device);
    if (parameters->bias) state.diffBias = add(c, id, bias + ".grad", TensorKind::WeightGrad, *parameters->bias, Home::Device);
  }
}

void addParameterGradientArgs(LoweringContext& c, LayerId id, std::vector<OpArg>& args) {
  auto& state = c.states[id];
  const auto parameters = parametersOf(c, id);
  if (!state.diffWeights.isValid()) {
    state.diffWeights =
        add(c, id, std::string(parameters->weightsName) + ".grad", TensorKind::WeightGrad, parameters->weights, Home::Iteration);
    if (parameters->bias)
      state.diffBias =
          add(c, id, std::string(parameters->biasName) + ".grad", TensorKind::WeightGrad, *parameters->bias, Home::Iteration);
  }
  args.push_back(writes(ArgRole::DiffWeights, state.diffWeights));
  if (state.diffBias.isValid()) args.push_back(writes(ArgRole::DiffBias, state.diffBias));
}

void addUpdate(LoweringContext& c, LayerId id) {
  const auto& state = c.states[id];
  if (!state.weights.isValid()) return;
  const Solver& solver = c.graph.solver;
  OpDesc desc = c.describe(id, Phase::Update);
  desc.update = {.kind = solver.kind,
                 .momentum = solver.kind == Solver::Kind::Sgd ? 0.0F : solver.momentum,
                 .weightDecay = solver.weightDecay};
  std::vector<OpArg> args{changes(ArgRole::Weights, state.weights), reads(ArgRole::DiffWeights, state.diffWeights)};
  if (state.momentum.isValid()) args.push_back(changes(ArgRole::Momentum, state.momentum));
  if (state.bias.isValid()) {
    args.push_back(changes(ArgRole::Bias, state.bias));
    args.push_back(reads(ArgRole::DiffBias, state.diffBias));
    if (state.biasMomentum.isValid()) args.push_back(changes(ArgRole::BiasMomentum, state.biasMomentum));
  }
  c.addOp(id, std::move(desc), std::move(args));
}

}  // namespace peakscope::engine
