// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bands of a curve point, and samples stored as differences.
#include "ui/models/bands.h"

#include <algorithm>
#include <numeric>

namespace peakscope::ui {

using analysis::ChartKind;

const char* toString(Band band) {
  switch (band) {
    case Band::CopyingOut: return "copying out";
    case Band::CopyingIn: return "copying in";
    case Band::Activation: return "activations";
    case Band::ActivationGrad: return "data gradients";
    case Band::Recomputed: return "recomputed";
    case Band::Saved: return "saved for backward";
    case Band::Workspace: return "workspace";
    case Band::Gradients: return "gradients + momentum";
    case Band::Weights: return "weights";
    case Band::Input: return "input";
  }
  return "?";
}

std::int64_t BandBytes::up() const { return std::accumulate(bytes.begin(), bytes.begin() + upBandCount, std::int64_t{0}); }
std::int64_t BandBytes::floor() const { return std::accumulate(bytes.begin() + upBandCount, bytes.end(), std::int64_t{0}); }

BandBytes bandsOf(const analysis::KindBytes& kinds, std::int64_t copyingOut, std::int64_t copyingIn) {
  const auto of = [&](ChartKind kind) { return kinds[static_cast<std::size_t>(kind)].count(); };
  BandBytes bands;
  // What is being copied is part of the activations; it is never more than them, and never counted twice.
  const std::int64_t activations = of(ChartKind::Activation);
  bands[Band::CopyingOut] = std::clamp<std::int64_t>(copyingOut, 0, std::max<std::int64_t>(activations, 0));
  bands[Band::CopyingIn] =
      std::clamp<std::int64_t>(copyingIn, 0, std::max<std::int64_t>(activations - bands[Band::CopyingOut], 0));
  bands[Band::Activation] = activations - bands[Band::CopyingOut] - bands[Band::CopyingIn];
  bands[Band::ActivationGrad] = of(ChartKind::ActivationGrad);
  bands[Band::Recomputed] = of(ChartKind::Recomputed);
  bands[Band::Saved] = of(ChartKind::Saved);
  bands[Band::Workspace] = of(ChartKind::Workspace);
  bands[Band::Gradients] = of(ChartKind::WeightGrad) + of(ChartKind::OptimizerState);
  bands[Band::Weights] = of(ChartKind::Weight);
  bands[Band::Input] = of(ChartKind::Input) + of(ChartKind::Staging);
  return bands;
}

// A change is one word: difference << 5 | isLast << 4 | band. 2^58 bytes are enough for any difference.
void EnvelopeSamples::append(std::int64_t x, const BandBytes& bytes) {
  const std::int64_t index = m_pyramid.count();
  m_pyramid.append(x, bytes.total());
  const auto firstOfSample = m_changes.size();
  for (std::size_t band = 0; band < bandCount; ++band) {
    const std::int64_t change = bytes.bytes[band] - m_current.bytes[band];
    if (change != 0) m_changes.push_back(change * 32 + static_cast<std::int64_t>(band));
  }
  if (m_changes.size() == firstOfSample) m_changes.push_back(0);
  m_changes.back() |= 16;
  m_current = bytes;
  m_deepestFloor = std::max(m_deepestFloor, bytes.floor());
  // The anchor holds the state *after* its own sample, so a read starts with the changes of the next one.
  if (index % anchorEvery == 0) m_anchors.push_back({bytes, static_cast<std::int64_t>(m_changes.size())});
}

void EnvelopeSamples::clear() { *this = {}; }

void EnvelopeSamples::reserve(std::int64_t count) {
  m_pyramid.reserve(count);
  m_changes.reserve(static_cast<std::size_t>(count));
  m_anchors.reserve(static_cast<std::size_t>(count / anchorEvery + 1));
}

BandBytes EnvelopeSamples::bands(std::int64_t index) const {
  const Anchor& anchor = m_anchors[static_cast<std::size_t>(index / anchorEvery)];
  BandBytes bytes = anchor.bytes;
  const std::int64_t* change = m_changes.data() + anchor.firstChange;
  for (std::int64_t left = index % anchorEvery; left > 0; ++change) {
    bytes.bytes[static_cast<std::size_t>(*change & 15)] += *change >> 5;
    if ((*change & 16) != 0) --left;
  }
  return bytes;
}

std::int64_t EnvelopeSamples::end() const {
  if (m_pyramid.isEmpty()) return m_end == INT64_MIN ? 0 : m_end;
  return std::max(m_end, m_pyramid.x(m_pyramid.count() - 1));
}

std::int64_t EnvelopeSamples::memoryBytes() const {
  return m_pyramid.memoryBytes() +
         static_cast<std::int64_t>(m_changes.capacity() * sizeof(std::int64_t) + m_anchors.capacity() * sizeof(Anchor));
}

}  // namespace peakscope::ui
