// SPDX-License-Identifier: Apache-2.0
//
// One line per colour: role, name, light, dark. Contrast and distances under colour-vision deficiencies are tested.
#include "memory/report/palette.h"

namespace peakscope::report {
namespace {

struct Row {
  Colour colour;
  const char* name;
  std::uint32_t light;
  std::uint32_t dark;
};
constexpr std::array<Row, colourCount> rows{{
    {Colour::Activations, "activations", 0x0B5FB0, 0x2A80DA},
    {Colour::DataGradients, "data-gradients", 0xD97B00, 0xFB8F30},
    {Colour::Recomputed, "recomputed", 0x3998DB, 0x7BDDFB},
    {Colour::Saved, "saved", 0x8426DC, 0x8B3DF5},
    {Colour::Workspace, "workspace", 0x9F4889, 0xDB89B4},
    {Colour::Gradients, "gradients", 0xAB8D57, 0xA59464},
    {Colour::Weights, "weights", 0x504F48, 0x5D6F6E},
    {Colour::Input, "input", 0x8A9591, 0xD0DACB},
    {Colour::Window, "window", 0xEEF0F3, 0x14171B},
    {Colour::Panel, "panel", 0xFFFFFF, 0x1C2025},
    {Colour::AlternateRow, "alternate-row", 0xF6F7F9, 0x22272D},
    {Colour::Header, "header", 0xF3F5F7, 0x23282F},
    {Colour::Control, "control", 0xFFFFFF, 0x262C33},
    {Colour::Border, "border", 0xC8CED6, 0x3A424C},
    {Colour::Grid, "grid", 0xE6E9ED, 0x2A3038},
    {Colour::Text, "text", 0x1D2630, 0xE4E8ED},
    {Colour::MutedText, "muted-text", 0x56616E, 0xA3ADB9},
    {Colour::DisabledText, "disabled-text", 0x8993A0, 0x707B88},
    {Colour::Tooltip, "tooltip", 0xFFFFFF, 0x262C33},
    {Colour::Accent, "accent", 0x4353B8, 0x8C9BF5},
    {Colour::TextOnAccent, "text-on-accent", 0xFFFFFF, 0x14171B},
    {Colour::AccentSoft, "accent-soft", 0xE8EAF7, 0x2B3152},
    {Colour::Good, "good", 0x16734F, 0x5CC79B},
    {Colour::Budget, "budget", 0xB4231F, 0xFF7B6E},
    {Colour::Axis, "axis", 0x8A949F, 0x8A96A3},
    {Colour::ComputeStrong, "compute-strong", 0x6E7A88, 0x8A97A6},
    {Colour::ComputePale, "compute-pale", 0xA9B3BE, 0x55606D},
    {Colour::Segment, "segment", 0xD9DEE4, 0x323A44},
    {Colour::RunA, "run-a", 0x5D6876, 0xA3ADB9},
    {Colour::RunB, "run-b", 0x7446B0, 0xB794F0},
    {Colour::RunC, "run-c", 0x0B7A63, 0x4CC9A8},
    {Colour::Dots, "dots", 0x0B4F88, 0x1A5C94},
    {Colour::Stripes, "stripes", 0xFFFFFF, 0x14171B},
}};

constexpr bool isInOrder() {
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].colour != static_cast<Colour>(i)) return false;
  return true;
}
static_assert(isInOrder(), "the table has one line per colour, in the order of the enum");

constexpr Palette makePalette(Theme theme) {
  Palette made{{}, theme == Theme::Light ? 0.42 : 0.50, 0.10};
  for (std::size_t i = 0; i < rows.size(); ++i) made.rgb[i] = theme == Theme::Light ? rows[i].light : rows[i].dark;
  return made;
}
constexpr Palette lightPalette = makePalette(Theme::Light);
constexpr Palette darkPalette = makePalette(Theme::Dark);

}  // namespace

const char* toString(Colour colour) { return rows[static_cast<std::size_t>(colour)].name; }

const Palette& palette(Theme theme) { return theme == Theme::Light ? lightPalette : darkPalette; }

Colour colourOf(analysis::ChartKind kind) {
  using analysis::ChartKind;
  switch (kind) {
    case ChartKind::Activation: return Colour::Activations;
    case ChartKind::ActivationGrad: return Colour::DataGradients;
    case ChartKind::Recomputed: return Colour::Recomputed;
    case ChartKind::Saved: return Colour::Saved;
    case ChartKind::Workspace: return Colour::Workspace;
    case ChartKind::WeightGrad:
    case ChartKind::OptimizerState: return Colour::Gradients;
    case ChartKind::Weight: return Colour::Weights;
    case ChartKind::Input:
    case ChartKind::Staging: return Colour::Input;
  }
  return Colour::Axis;
}

}  // namespace peakscope::report
