// SPDX-License-Identifier: Apache-2.0
//
// The one table of colours, light and dark, for exports, the report and the window alike. A tensor kind never changes
// its colour, in any view. Plain 0xRRGGBB, so that nothing here needs a toolkit.
//
//   const std::uint32_t rgb = palette(Theme::Light)[colourOf(analysis::ChartKind::Activation)];
#pragma once

#include <array>
#include <cstdint>

#include "memory/analysis/memory_curve.h"

namespace peakscope::report {

enum class Theme : std::uint8_t { Light, Dark };

enum class Colour : std::uint8_t {
  // kinds
  Activations, DataGradients, Recomputed, Saved, Workspace, Gradients, Weights, Input,
  // roles
  Window, Panel, AlternateRow, Header, Control, Border, Grid, Text, MutedText, DisabledText, Tooltip,
  Accent, TextOnAccent, AccentSoft, Good, Budget, Axis, ComputeStrong, ComputePale, Segment, RunA, RunB, RunC,
  // ink of patterns
  Dots, Stripes,
};
inline constexpr int colourCount = 33;
/// "activations", "muted-text": for style sheets.
[[nodiscard]] const char* toString(Colour colour);

struct Palette {
  std::array<std::uint32_t, colourCount> rgb;
  double floorOpacity;   ///< of the persistent bytes, so that they recede
  double ghostOpacity;   ///< of an earlier run or the baseline

  [[nodiscard]] std::uint32_t operator[](Colour colour) const { return rgb[static_cast<std::size_t>(colour)]; }
};
[[nodiscard]] const Palette& palette(Theme theme);

/// The colour of a chart kind; weight gradients and optimizer state share one.
[[nodiscard]] Colour colourOf(analysis::ChartKind kind);

}  // namespace peakscope::report
