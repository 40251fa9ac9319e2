// SPDX-License-Identifier: Apache-2.0
//
// Roofline: an op takes the longer of its arithmetic and its memory traffic, plus the cost of starting it. How much of
// the peak an algorithm reaches is a round figure; measured tables replace it where times matter.
#include "engine/cost_model.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "memory/plan.h"

namespace peakscope::engine {
namespace {

double elements(const Shape& shape) { return static_cast<double>(shape.elements()); }

/// Multiplications and additions of one pass over the weights.
double denseFlops(const OpDesc& desc, double inputsPerOutput) { return 2 * elements(desc.dst.shape) * inputsPerOutput; }

double forwardFlops(const OpDesc& desc) {
  return std::visit(
      Overloaded{
          [&](const ConvParams& p) {
            return denseFlops(desc, static_cast<double>(desc.src[0].shape.c / p.groups * p.kernelH * p.kernelW));
          },
          [&](const FcParams&) {
            const Shape& src = desc.src[0].shape;
            return denseFlops(desc, static_cast<double>(src.c * src.h * src.w));
          },
          [&](const PoolParams& p) {
            const Shape& src = desc.src[0].shape;
            return elements(desc.dst.shape) * static_cast<double>(p.isGlobal ? src.h * src.w : p.kernelH * p.kernelW);
          },
          [&](const LrnParams& p) { return elements(desc.dst.shape) * static_cast<double>(2 * p.size + 12); },
          [&](const BatchNormParams&) { return elements(desc.dst.shape) * 8; },
          [&](const SoftmaxLossParams&) { return elements(desc.dst.shape) * 12; },
          [&](const DropoutParams&) { return elements(desc.dst.shape) * 10; },  // the generator
          [&](const ActivationParams& p) {
            const bool isSimple = p.kind == ActivationParams::Kind::Clip || p.kind == ActivationParams::Kind::Scale;
            return elements(desc.dst.shape) * (isSimple ? 2 : 10);  // the exponential
          },
          [&](const MulParams&) { return elements(desc.dst.shape); },
          [&](const AddParams&) { return elements(desc.dst.shape) * static_cast<double>(desc.src.size() - 1); },
          [&](const ReluParams&) { return elements(desc.dst.shape); }, [](const auto&) { return 0.0; },  // copies
      },
      desc.params);
}

/// Share of the device's peak arithmetic that an implementation reaches.
double efficiency(const OpDesc& desc, std::string_view algorithm) {
  const bool isDense = std::holds_alternative<ConvParams>(desc.params) || std::holds_alternative<FcParams>(desc.params);
  if (!isDense) return 0.25;
  return algorithm == "implicit" || algorithm == "fft" ? 0.45 : 0.65;
}

/// What an algorithm computes against the direct sum. Winograd's F(4x4, 3x3) multiplies a quarter as often, of which the
/// transforms leave about a half. A transformed image multiplies point by point, four multiplications and four additions
/// for each complex point of the half plane; the transforms count 5 n log2 n for each channel read and written.
double arithmeticShare(const OpDesc& desc, std::string_view algorithm) {
  const auto* conv = std::get_if<ConvParams>(&desc.params);
  if (conv == nullptr) return 1;
  if (algorithm == "winograd") return 0.5;
  if (algorithm != "fft") return 1;
  const Shape &src = desc.src[0].shape, &dst = desc.dst.shape;
  const double points = static_cast<double>((src.h + 2 * conv->padH) * (src.w + 2 * conv->padW));
  const double n = static_cast<double>(src.n), channels = static_cast<double>(src.c), outputs = static_cast<double>(dst.c);
  const double products = 8 * n * channels * outputs * points / 2;
  const double transforms = 5 * points * std::log2(std::max(2.0, points)) * (n * channels + n * outputs + channels * outputs);
  return (products + transforms) / std::max(1.0, forwardFlops(desc));
}

/// Each tensor moves once per direction, however many roles it has. Args are sorted, since a concat may have thousands.
double bytesMoved(const Workload& workload, const Op& op) {
  std::vector<std::pair<TensorId, Access>> uses;
  for (const OpArg& arg : op.args) uses.emplace_back(arg.tensor, arg.access);
  std::sort(uses.begin(), uses.end());
  double bytes = 0;
  for (std::size_t i = 0; i < uses.size();) {
    const TensorId tensor = uses[i].first;
    bool isRead = false, isWritten = false;
    for (; i < uses.size() && uses[i].first == tensor; ++i) {
      isRead = isRead || readsTensor(uses[i].second);
      isWritten = isWritten || writesTensor(uses[i].second);
    }
    bytes += static_cast<double>(workload.tensors[tensor].bytes.count()) * ((isRead ? 1 : 0) + (isWritten ? 1 : 0));
  }
  return bytes;
}

std::chrono::nanoseconds nanoseconds(double seconds) { return std::chrono::nanoseconds{std::llround(seconds * 1e9)}; }

}  // namespace

double flops(const OpDesc& desc) {
  const bool isDense = std::holds_alternative<ConvParams>(desc.params) || std::holds_alternative<FcParams>(desc.params);
  switch (desc.phase) {
    case Phase::Load:
      return 0;
    case Phase::Forward:
    case Phase::Rebuild:
      return forwardFlops(desc);
    case Phase::Backward: {
      if (const bool isFork = std::holds_alternative<ForkParams>(desc.params); isFork) return elements(desc.dst.shape);
      // dW and dx each cost a pass of their own, and so do the two factors; other layers have the one gradient.
      const bool hasTwo = (isDense && desc.needsDiffSrc) || std::holds_alternative<MulParams>(desc.params);
      const double passes = hasTwo ? 2 : 1;
      return forwardFlops(desc) * passes;
    }
    case Phase::Update: {
      if (desc.src.empty()) return 0;
      const Shape& src = desc.src[0].shape;
      double parameters = 0;
      if (const auto* norm = std::get_if<BatchNormParams>(&desc.params))
        parameters = static_cast<double>(2 * norm->parameterElements(src));
      if (const auto* conv = std::get_if<ConvParams>(&desc.params))
        parameters =
            static_cast<double>(conv->outChannels * (src.c / conv->groups * conv->kernelH * conv->kernelW + 1));
      if (const auto* fc = std::get_if<FcParams>(&desc.params))
        parameters = static_cast<double>(fc->outChannels * (src.c * src.h * src.w + 1));
      return 4 * parameters;
    }
  }
  return 0;
}

CostTable modelCosts(const Lowering& lowering, const DeviceSpec& device, double linkBytesPerSecond) {
  CostTable costs;
  costs.source = CostSource::Modelled;
  costs.description = "modelled for " + device.name + " (roofline)";
  costs.linkBytesPerSecond = linkBytesPerSecond > 0 ? linkBytesPerSecond : device.linkBytesPerSecond;
  costs.nativeAllocTime = nanoseconds(device.nativeAllocNanoseconds * 1e-9);
  const Workload& workload = lowering.workload;
  for (const OpId id : idsOf(workload.ops)) {
    const Op& op = workload.ops[id];
    const double bytes = bytesMoved(workload, op), arithmetic = flops(lowering.ops[id]);
    std::vector<std::chrono::nanoseconds> times;
    for (const OpCandidate& candidate : op.candidates) {
      const double computing = arithmetic * arithmeticShare(lowering.ops[id], candidate.algorithm) / (device.flopsPerSecond * efficiency(lowering.ops[id], candidate.algorithm));
      const double moving =
          op.phase == Phase::Load ? bytes / costs.linkBytesPerSecond : bytes / device.memoryBytesPerSecond;
      times.push_back(nanoseconds(std::max(computing, moving) + device.launchNanoseconds * 1e-9));
    }
    costs.opTimes.push_back(std::move(times));
  }
  return costs;
}

}  // namespace peakscope::engine
