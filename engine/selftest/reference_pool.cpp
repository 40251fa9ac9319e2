// SPDX-License-Identifier: Apache-2.0
//
// Pooling. The first maximum of a window wins; its place is kept in `values` of the saved tensor where the op has one.
#include <algorithm>
#include <limits>

#include "engine/selftest/reference.h"

namespace peakscope::engine::reference {
namespace {

/// Calls use(element) for every element of a window that is inside the image, row by row.
template <class Use>
void forEachInWindow(const Shape& in, const PoolParams& p, std::int64_t n, std::int64_t c, std::int64_t oh, std::int64_t ow, Use use) {
  for (std::int64_t kh = 0; kh < p.kernelH; ++kh)
    for (std::int64_t kw = 0; kw < p.kernelW; ++kw) {
      const std::int64_t h = oh * p.strideH - p.padH + kh, w = ow * p.strideW - p.padW + kw;
      if (h >= 0 && h < in.h && w >= 0 && w < in.w) use(at(in, n, c, h, w));
    }
}

struct Window {
  double sum = 0, largest = -std::numeric_limits<double>::infinity();
  std::size_t argmax = 0;
  std::int64_t count = 0;
};

double divisor(const Window& w, const PoolParams& p) {
  return static_cast<double>(p.mode == PoolParams::Mode::Average ? std::max<std::int64_t>(w.count, 1) : p.kernelH * p.kernelW);
}

void forward(const Operands& o, const PoolParams& p) {
  const Shape &in = o.desc().src[0].shape, &out = o.desc().dst.shape;
  const Values& src = o.in(ArgRole::Src);
  Values dst = zeros(out.elements()), places = zeros(out.elements());
  forEach(out, [&](auto n, auto c, auto oh, auto ow) {
    Window window;
    forEachInWindow(in, p, n, c, oh, ow, [&](std::size_t i) {
      window.sum += src[i];
      ++window.count;
      if (src[i] > window.largest) window.largest = src[i], window.argmax = i;
    });
    dst[at(out, n, c, oh, ow)] = p.mode == PoolParams::Mode::Max ? window.largest : window.sum / divisor(window, p);
    places[at(out, n, c, oh, ow)] = static_cast<double>(window.argmax);
  });
  o.out(ArgRole::Dst, std::move(dst));
  o.out(ArgRole::Saved, std::move(places));
}

void backward(const Operands& o, const PoolParams& p) {
  const Shape &in = o.desc().src[0].shape, &out = o.desc().dst.shape;
  const Values& diffDst = o.in(ArgRole::DiffDst);
  Values diffSrc = zeros(in.elements());
  forEach(out, [&](auto n, auto c, auto oh, auto ow) {
    const std::size_t d = at(out, n, c, oh, ow);
    Window window;
    if (p.mode != PoolParams::Mode::Max) {
      forEachInWindow(in, p, n, c, oh, ow, [&](std::size_t) { ++window.count; });
      forEachInWindow(in, p, n, c, oh, ow, [&](std::size_t i) { diffSrc[i] += diffDst[d] / divisor(window, p); });
    } else if (o.has(ArgRole::Saved)) {
      diffSrc[static_cast<std::size_t>(o.in(ArgRole::Saved)[d])] += diffDst[d];
    } else {
      const Values& src = o.in(ArgRole::Src);
      forEachInWindow(in, p, n, c, oh, ow, [&](std::size_t i) {
        if (src[i] > window.largest) window.largest = src[i], window.argmax = i;
      });
      diffSrc[window.argmax] += diffDst[d];
    }
  });
  o.out(ArgRole::DiffSrc, std::move(diffSrc));
}

}  // namespace

void pool(const Operands& o, PoolParams p) {
  const Shape& in = o.desc().src[0].shape;
  if (p.isGlobal) p = {.mode = p.mode, .kernelH = in.h, .kernelW = in.w, .strideH = 1, .strideW = 1};
  o.desc().phase == Phase::Backward ? backward(o, p) : forward(o, p);
}

}  // namespace peakscope::engine::reference
