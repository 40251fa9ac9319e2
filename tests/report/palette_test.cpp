// SPDX-License-Identifier: Apache-2.0
#include "memory/report/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tests/support/test_main.h"

namespace peakscope::report {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

Triple linear(std::uint32_t rgb) {
  const auto channel = [](std::uint32_t v) {
    const double s = v / 255.0;
    return s <= 0.04045 ? s / 12.92 : std::pow((s + 0.055) / 1.055, 2.4);
  };
  return {channel((rgb >> 16) & 255u), channel((rgb >> 8) & 255u), channel(rgb & 255u)};
}
double luminance(std::uint32_t rgb) {
  const Triple c = linear(rgb);
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
double contrast(std::uint32_t a, std::uint32_t b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}
/// Machado, Oliveira, Fernandes 2009, severity 1.
const std::array<std::optional<Matrix>, 4> sights{
    std::nullopt, Matrix{{{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}}},
    Matrix{{{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}}},
    Matrix{{{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}}}};

Triple lab(std::uint32_t rgb, const std::optional<Matrix>& sight) {
  Triple c = linear(rgb);
  if (sight) {
    Triple seen{};
    for (std::size_t r = 0; r < 3; ++r)
      seen[r] = std::clamp((*sight)[r][0] * c[0] + (*sight)[r][1] * c[1] + (*sight)[r][2] * c[2], 0.0, 1.0);
    c = seen;
  }
  const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  const double x = f((.4124 * c[0] + .3576 * c[1] + .1805 * c[2]) / .95047);
  const double y = f(.2126 * c[0] + .7152 * c[1] + .0722 * c[2]);
  const double z = f((.0193 * c[0] + .1192 * c[1] + .9505 * c[2]) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}
double distance(const Triple& a, const Triple& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

constexpr std::array kinds{Colour::Activations, Colour::DataGradients, Colour::Recomputed, Colour::Saved,
                           Colour::Workspace,   Colour::Gradients,     Colour::Weights,    Colour::Input};

}  // namespace

class PaletteTest : public QObject {
  Q_OBJECT
 private slots:
  void kindsCanBeToldApartByEverySight() {
    for (const Theme theme : {Theme::Light, Theme::Dark})
      for (const auto& sight : sights)
        for (const Colour a : kinds)
          for (const Colour b : kinds) {
            if (a >= b) continue;
            const double d = distance(lab(palette(theme)[a], sight), lab(palette(theme)[b], sight));
            QVERIFY2(d >= 19.5, (std::string{toString(a)} + " and " + toString(b) + " are " + std::to_string(d) + " apart").c_str());
          }
  }
  void fillsAndTextStandOutFromThePanel() {
    for (const Theme theme : {Theme::Light, Theme::Dark}) {
      for (const Colour kind : kinds) QVERIFY2(contrast(palette(theme)[kind], palette(theme)[Colour::Panel]) >= 3.0, toString(kind));
      for (const Colour text : {Colour::Text, Colour::MutedText, Colour::Good, Colour::Budget, Colour::Accent})
        QVERIFY2(contrast(palette(theme)[text], palette(theme)[Colour::Panel]) >= 4.5, toString(text));
    }
  }
};
PEAKSCOPE_TEST(PaletteTest)

}  // namespace peakscope::report

#include "palette_test.moc"
