// SPDX-License-Identifier: Apache-2.0
//
// The shape of a layer's output from the shapes of its inputs, for one image. All numbers are checked to be in range
// before they are multiplied (Note [No sum overflows] in graph_check.h).
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "engine/graph/graph_check.h"
#include "memory/plan.h"

namespace peakscope::engine {
namespace {

using Inferred = Result<Shape, std::string>;

auto no(std::string text) { return tl::unexpected<std::string>(std::move(text)); }

std::string image(const Shape& s) { return fmt::format("{}x{}x{}", s.c, s.h, s.w); }

/// The first number that is out of range, in words; empty if all fit.
struct Bound {
  const char* what;
  std::int64_t value, least, most;
};
std::string outOfRange(std::initializer_list<Bound> bounds) {
  for (const Bound& b : bounds)
    if (b.value < b.least || b.value > b.most)
      return fmt::format("{} is {}; it must be between {} and {}", b.what, b.value, b.least, b.most);
  return {};
}

struct Window {
  std::int64_t kernel, stride, pad;
};

/// Number of window positions along one side, 0 if the window does not fit.
std::int64_t positions(std::int64_t side, const Window& w, bool roundsUp) {
  const std::int64_t room = side + 2 * w.pad - w.kernel;
  if (room < 0) return 0;
  std::int64_t count = (roundsUp ? (room + w.stride - 1) / w.stride : room / w.stride) + 1;
  // A rounded-up last window must begin inside the image or its front padding.
  if (roundsUp && (count - 1) * w.stride >= side + w.pad) --count;
  return count;
}

Inferred slide(const Shape& in, std::int64_t channels, const Window& vertical, const Window& horizontal,
               bool roundsUp) {
  const Shape out{1, channels, positions(in.h, vertical, roundsUp), positions(in.w, horizontal, roundsUp)};
  if (out.h < 1 || out.w < 1)
    return no(fmt::format("kernel {}x{} with padding {}x{} does not fit its input {}", vertical.kernel,
                          horizontal.kernel, vertical.pad, horizontal.pad, image(in)));
  return out;
}

Inferred infer(const DataParams& p, const std::vector<Shape>&) {
  const std::string problem = outOfRange({{"number of channels", p.shape.c, 1, maxExtent},
                                          {"height", p.shape.h, 1, maxExtent},
                                          {"width", p.shape.w, 1, maxExtent},
                                          {"number of classes", p.classes, 1, maxExtent}});
  if (!problem.empty()) return no(problem);
  return Shape{1, p.shape.c, p.shape.h, p.shape.w};
}

Inferred infer(const ConvParams& p, const std::vector<Shape>& inputs) {
  const Shape& in = inputs[0];
  std::string problem = outOfRange({{"number of output channels", p.outChannels, 1, maxExtent},
                                    {"kernel height", p.kernelH, 1, maxWindow},
                                    {"kernel width", p.kernelW, 1, maxWindow},
                                    {"vertical stride", p.strideH, 1, maxWindow},
                                    {"horizontal stride", p.strideW, 1, maxWindow},
                                    {"vertical padding", p.padH, 0, maxWindow},
                                    {"horizontal padding", p.padW, 0, maxWindow},
                                    {"vertical dilation", p.dilationH, 1, maxWindow},
                                    {"horizontal dilation", p.dilationW, 1, maxWindow},
                                    {"number of groups", p.groups, 1, maxExtent}});
  if (!problem.empty()) return no(problem);
  if (in.c % p.groups != 0 || p.outChannels % p.groups != 0)
    return no(fmt::format("{} groups do not divide {} input and {} output channels", p.groups, in.c, p.outChannels));
  return slide(in, p.outChannels, {(p.kernelH - 1) * p.dilationH + 1, p.strideH, p.padH},
               {(p.kernelW - 1) * p.dilationW + 1, p.strideW, p.padW}, false);
}

Inferred infer(const FcParams& p, const std::vector<Shape>& inputs) {
  const std::string problem = outOfRange({{"number of outputs", p.outChannels, 1, maxExtent}});
  if (!problem.empty()) return no(problem);
  if (p.inElements > 0 && inputs[0].elements() != p.inElements)
    return no(fmt::format("its weights take {} numbers, but its input {} has {}; a model with such a layer has one "
                          "input size: export it for the size wanted",
                          p.inElements, image(inputs[0]), inputs[0].elements()));
  return Shape{1, p.outChannels, 1, 1};
}

Inferred infer(const PoolParams& p, const std::vector<Shape>& inputs) {
  const Shape& in = inputs[0];
  if (p.isGlobal) return Shape{1, in.c, 1, 1};
  std::string problem = outOfRange({{"kernel height", p.kernelH, 1, maxWindow},
                                    {"kernel width", p.kernelW, 1, maxWindow},
                                    {"vertical stride", p.strideH, 1, maxWindow},
                                    {"horizontal stride", p.strideW, 1, maxWindow},
                                    {"vertical padding", p.padH, 0, p.kernelH - 1},
                                    {"horizontal padding", p.padW, 0, p.kernelW - 1}});
  if (!problem.empty()) return no(problem);
  return slide(in, in.c, {p.kernelH, p.strideH, p.padH}, {p.kernelW, p.strideW, p.padW}, p.roundsUp);
}

Inferred infer(const LrnParams& p, const std::vector<Shape>& inputs) {
  const std::string problem = outOfRange({{"size", p.size, 1, maxWindow}});
  if (!problem.empty()) return no(problem);
  if (p.size % 2 == 0) return no(fmt::format("size is {}; it must be odd", p.size));
  return inputs[0];
}

Inferred infer(const BatchNormParams& p, const std::vector<Shape>& inputs) {
  if (!(p.epsilon > 0)) return no(fmt::format("epsilon is {}; it must be positive", p.epsilon));
  if (!(p.momentum >= 0 && p.momentum <= 1))
    return no(fmt::format("momentum is {}; it must be between 0 and 1", p.momentum));
  return inputs[0];
}

Inferred infer(const DropoutParams& p, const std::vector<Shape>& inputs) {
  if (!(p.rate >= 0 && p.rate < 1)) return no(fmt::format("rate is {}; it must be at least 0 and below 1", p.rate));
  return inputs[0];
}

Inferred infer(const AddParams&, const std::vector<Shape>& inputs) {
  for (const Shape& other : inputs)
    if (other != inputs[0])
      return no(fmt::format("its inputs have different shapes, {} and {}", image(inputs[0]), image(other)));
  return inputs[0];
}

Inferred infer(const ConcatParams&, const std::vector<Shape>& inputs) {
  Shape out = inputs[0];
  out.c = 0;
  for (const Shape& input : inputs) {
    if (input.h != out.h || input.w != out.w)
      return no(fmt::format("its inputs {} and {} differ in height or width; only channels are concatenated",
                            image(inputs[0]), image(input)));
    out.c += input.c;
  }
  return out;
}

Inferred infer(const SoftmaxLossParams&, const std::vector<Shape>& inputs) {
  if (inputs[0].h != 1 || inputs[0].w != 1)
    return no(fmt::format("needs one score per class, a shape Cx1x1, but its input is {}", image(inputs[0])));
  return inputs[0];
}

Inferred infer(const ChannelPadParams& p, const std::vector<Shape>& inputs) {
  const std::string problem =
      outOfRange({{"channels before", p.before, 0, maxExtent}, {"channels after", p.after, 0, maxExtent}});
  if (!problem.empty()) return no(problem);
  return Shape{1, inputs[0].c + p.before + p.after, inputs[0].h, inputs[0].w};
}

Inferred infer(const MulParams&, const std::vector<Shape>& inputs) {
  const Shape &a = inputs[0], &b = inputs[1];
  const auto fits = [](std::int64_t one, std::int64_t other) { return one == other || one == 1 || other == 1; };
  if (!fits(a.c, b.c) || !fits(a.h, b.h) || !fits(a.w, b.w))
    return no(fmt::format("its inputs {} and {} differ where neither is 1", image(a), image(b)));
  return Shape{1, std::max(a.c, b.c), std::max(a.h, b.h), std::max(a.w, b.w)};
}

Inferred infer(const ImagePadParams& p, const std::vector<Shape>& inputs) {
  const std::string problem = outOfRange({{"padding at the top", p.top, 0, maxWindow},
                                          {"padding at the left", p.left, 0, maxWindow},
                                          {"padding at the bottom", p.bottom, 0, maxWindow},
                                          {"padding at the right", p.right, 0, maxWindow}});
  if (!problem.empty()) return no(problem);
  return Shape{1, inputs[0].c, inputs[0].h + p.top + p.bottom, inputs[0].w + p.left + p.right};
}

Inferred infer(const ChannelSliceParams& p, const std::vector<Shape>& inputs) {
  const std::string problem = outOfRange({{"first channel", p.begin, 0, inputs[0].c - 1},
                                          {"number of channels", p.channels, 1, inputs[0].c - p.begin}});
  if (!problem.empty()) return no(problem);
  return Shape{1, p.channels, inputs[0].h, inputs[0].w};
}

Inferred infer(const ChannelShuffleParams& p, const std::vector<Shape>& inputs) {
  if (p.groups < 1 || inputs[0].c % p.groups != 0)
    return no(fmt::format("{} groups do not divide {} channels", p.groups, inputs[0].c));
  return inputs[0];
}

Inferred infer(const ActivationParams&, const std::vector<Shape>& inputs) { return inputs[0]; }
Inferred infer(const FlattenParams&, const std::vector<Shape>& inputs) { return Shape{1, inputs[0].elements(), 1, 1}; }
Inferred infer(const ReluParams&, const std::vector<Shape>& inputs) { return inputs[0]; }
Inferred infer(const ForkParams&, const std::vector<Shape>& inputs) { return inputs[0]; }

}  // namespace

Result<Shape, std::string> inferShape(const LayerParams& params, const std::vector<Shape>& inputs) {
  auto shape = std::visit([&](const auto& p) { return infer(p, inputs); }, params);
  if (!shape) return shape;
  // Each factor is below 2^25, so products of two are safe; the third is checked by division.
  const std::int64_t plane = shape->h * shape->w;
  if (shape->c > maxExtent * 2 && !std::holds_alternative<FlattenParams>(params))
    return no(fmt::format("{} channels are more than the limit", shape->c));
  if (plane > maxElementsOfNetwork / shape->c)
    return no(fmt::format("its output {} is larger than the limit of 2^36 elements an image", image(*shape)));
  return shape;
}

}  // namespace peakscope::engine
