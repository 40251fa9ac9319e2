// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bands: what the memory chart stacks, and the interface through which it sees a curve, be it a plan on the step axis, a
// live run or a log of ten million events.
//
//   EnvelopeSamples samples;                      // the ready-made source: append only, about 30 bytes a sample
//   BandBytes bytes{};
//   bytes[Band::Activation] = 221 * mib;
//   samples.append(stepPosition(1), bytes);
//   samples.setEnd(stepPosition(2));              // how long the last sample lasts
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "memory/analysis/memory_curve.h"
#include "ui/models/max_pyramid.h"

namespace peakscope::ui {

/// In drawing order: upward from zero (in flight lowest), then downward from zero (the persistent floor).
enum class Band : std::uint8_t {
  CopyingOut, CopyingIn, Activation, ActivationGrad, Recomputed, Saved, Workspace,   // up
  Gradients, Weights, Input,                                                         // down
};
inline constexpr int bandCount = 10;
inline constexpr int upBandCount = 7;
[[nodiscard]] constexpr bool isFloor(Band band) { return static_cast<int>(band) >= upBandCount; }
[[nodiscard]] const char* toString(Band band);   ///< "activations", "copying out", ... for legends, before translation

struct BandBytes {
  std::array<std::int64_t, bandCount> bytes{};
  [[nodiscard]] std::int64_t& operator[](Band band) { return bytes[static_cast<std::size_t>(band)]; }
  [[nodiscard]] std::int64_t operator[](Band band) const { return bytes[static_cast<std::size_t>(band)]; }
  [[nodiscard]] std::int64_t up() const;      ///< sum of the bands above zero
  [[nodiscard]] std::int64_t floor() const;   ///< sum of the bands below zero
  [[nodiscard]] std::int64_t total() const { return up() + floor(); }
  friend bool operator==(const BandBytes&, const BandBytes&) = default;
};

/// The bands of a curve point. `copyingOut` and `copyingIn` are bytes of activations whose copy is on its way.
[[nodiscard]] BandBytes bandsOf(const analysis::KindBytes& kinds, std::int64_t copyingOut = 0, std::int64_t copyingIn = 0);

class EnvelopeSource {
 public:
  EnvelopeSource() = default;
  EnvelopeSource(const EnvelopeSource&) = default;
  EnvelopeSource& operator=(const EnvelopeSource&) = default;
  virtual ~EnvelopeSource() = default;

  /// x and total of each sample; the total decides which moment stands for a pixel.
  [[nodiscard]] virtual const MaxPyramid& pyramid() const = 0;
  /// The exact bytes of one sample.
  [[nodiscard]] virtual BandBytes bands(std::int64_t index) const = 0;
  /// Where the last sample ends.
  [[nodiscard]] virtual std::int64_t end() const = 0;

  /// The most that any sample has below zero.
  [[nodiscard]] virtual std::int64_t deepestFloor() const { return count() > 0 ? bands(pyramid().all().indexOfMax).floor() : 0; }

  [[nodiscard]] std::int64_t count() const { return pyramid().count(); }
  [[nodiscard]] std::int64_t x(std::int64_t index) const { return pyramid().x(index); }
  [[nodiscard]] std::int64_t total(std::int64_t index) const { return pyramid().total(index); }
};

/// Samples kept as differences with a full set every 64: a sample changes one or two bands.
class EnvelopeSamples final : public EnvelopeSource {
 public:
  void append(std::int64_t x, const BandBytes& bytes);
  void setEnd(std::int64_t end) { m_end = end; }
  void clear();
  void reserve(std::int64_t count);

  [[nodiscard]] const MaxPyramid& pyramid() const override { return m_pyramid; }
  [[nodiscard]] BandBytes bands(std::int64_t index) const override;
  [[nodiscard]] std::int64_t end() const override;
  [[nodiscard]] std::int64_t deepestFloor() const override { return m_deepestFloor; }
  [[nodiscard]] std::int64_t memoryBytes() const;

 private:
  static constexpr std::int64_t anchorEvery = 64;
  struct Anchor {
    BandBytes bytes;
    std::int64_t firstChange = 0;
  };
  MaxPyramid m_pyramid;
  std::vector<Anchor> m_anchors;        ///< state of samples 0, 64, 128 ...
  std::vector<std::int64_t> m_changes;  ///< difference << 5 | last of its sample << 4 | band
  BandBytes m_current;
  std::int64_t m_deepestFloor = 0;
  std::int64_t m_end = INT64_MIN;
};

}  // namespace peakscope::ui
