// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pixel columns of a step curve: selection of the moments, stacked bands, step lines. Columns are written in blocks of one
// cache line (16 pixels), which is what makes a column-wise fill as fast as a row-wise one.
#include "ui/charts/envelope_columns.h"

#include <algorithm>
#include <cmath>

namespace peakscope::ui {
namespace {

constexpr int tileSize = 12;   // a common multiple of the periods of all patterns
constexpr int blockWidth = 16;

using Tile = std::array<std::array<QRgb, tileSize>, tileSize>;   // [x][y]: a column is contiguous

Tile tileOf(const Fill& fill) {
  Tile tile;
  for (int x = 0; x < tileSize; ++x)
    for (int y = 0; y < tileSize; ++y)
      tile[static_cast<std::size_t>(x)][static_cast<std::size_t>(y)] = pixelOf(fill, x, y);
  return tile;
}

int modulo(std::int64_t value, int period) { return static_cast<int>(((value % period) + period) % period); }

int rowOf(const AxisMap& yMap, std::int64_t value, int height) {
  return static_cast<int>(std::lround(std::clamp(yMap.toPixel(value), 0.0, static_cast<double>(height))));
}

/// Direct access to the pixels of an image.
struct Canvas {
  explicit Canvas(QImage& image)
      : pixels(reinterpret_cast<QRgb*>(image.bits())), stride(image.bytesPerLine() / 4), width(image.width()),
        height(image.height()) {}
  QRgb* pixels;
  qsizetype stride;
  int width;
  int height;

  QRgb* at(int x, int y) const { return pixels + y * stride + x; }
  void fillColumn(int x, int top, int bottom, QRgb colour) const {
    QRgb* pixel = at(x, top);
    for (int y = top; y < bottom; ++y, pixel += stride) *pixel = colour;
  }
  void fillColumn(int x, int top, int bottom, const std::array<QRgb, tileSize>& tile, int phase) const {
    QRgb* pixel = at(x, top);
    for (int y = top; y < bottom; ++y, pixel += stride) {
      *pixel = tile[static_cast<std::size_t>(phase)];
      phase = phase + 1 == tileSize ? 0 : phase + 1;
    }
  }
  void fillRect(int left, int top, int right, int bottom, QRgb colour) const {
    left = std::max(left, 0);
    top = std::max(top, 0);
    right = std::min(right, width);
    bottom = std::min(bottom, height);
    for (int y = top; y < bottom && left < right; ++y) std::fill(at(left, y), at(right, y), colour);
  }
};

void fillWideSamples(EnvelopeColumns& columns, const MaxPyramid& pyramid, std::int64_t end, const AxisMap& x,
                     SampleRange samples) {
  const auto width = static_cast<int>(columns.index.size());
  const auto pixelAt = [&](std::int64_t value) {
    return static_cast<int>(std::lround(std::clamp(x.toPixel(value), 0.0, static_cast<double>(width))));
  };
  for (std::int64_t i = samples.first; i < samples.last; ++i) {
    const std::int64_t until = i + 1 < pyramid.count() ? pyramid.x(i + 1) : end;
    // One that starts in the last half pixel is in view, so it is drawn.
    const int left = std::min(pixelAt(pyramid.x(i)), pyramid.x(i) < x.last || i + 1 == pyramid.count() ? width - 1 : width);
    if (pyramid.x(i) > x.last) break;
    // A sample of no width keeps one pixel if it is higher than its neighbours.
    const int right = std::min(width, std::max(left + 1, pixelAt(until)));
    if (until < x.first) continue;
    for (int column = left; column < right; ++column) {
      std::int64_t& held = columns.index[static_cast<std::size_t>(column)];
      if (held < 0 || pyramid.total(i) >= pyramid.total(held)) held = i;
    }
  }
}

void fillNarrowSamples(EnvelopeColumns& columns, const MaxPyramid& pyramid, std::int64_t end, const AxisMap& x,
                       const ColumnGrid& grid, SampleRange samples) {
  const auto width = static_cast<int>(columns.index.size());
  const std::int64_t perColumn = std::max<std::int64_t>(1, samples.size() / std::max(1, width));
  std::int64_t first = pyramid.firstNotBefore(grid.begin(0), samples.first);
  for (int column = 0; column < width; ++column) {
    const std::int64_t begin = grid.begin(column);
    const std::int64_t past = pyramid.firstNotBefore(grid.end(column), first + perColumn);
    // The one before is still in force at the start of the column, unless one starts exactly there.
    const bool startsExactly = first < pyramid.count() && pyramid.x(first) == begin;
    const std::int64_t from = startsExactly || first == 0 ? first : first - 1;
    if (begin < end || (past > first)) columns.index[static_cast<std::size_t>(column)] = pyramid.range(from, past).indexOfMax;
    first = past;
  }
  // The grid is anchored in the data, so up to a pixel of the view is right of its last column: that column shows it too, and
  // the last moment of a run that ends exactly on the edge. A peak at the edge must not wait for the next zoom.
  const bool endsOnEdge = pyramid.x(pyramid.count() - 1) == x.last;
  const std::int64_t past = endsOnEdge ? pyramid.count() : pyramid.firstNotBefore(x.last, first);
  if (past > first && width > 0) {
    std::int64_t& held = columns.index.back();
    const std::int64_t top = pyramid.range(first, past).indexOfMax;
    if (held < 0 || pyramid.total(top) > pyramid.total(held)) held = top;
  }
}

}  // namespace

EnvelopeColumns columnsOf(const MaxPyramid& pyramid, std::int64_t end, const AxisMap& x) {
  const int width = std::max(0, static_cast<int>(std::lround(x.pixelLast - x.pixelFirst)));
  EnvelopeColumns columns;
  columns.index.assign(static_cast<std::size_t>(width), -1);
  const ColumnGrid grid(x.first, x.last, width);
  columns.sceneX = grid.firstColumn();
  if (width == 0 || pyramid.isEmpty()) return columns;
  SampleRange samples = pyramid.samplesIn(x.first, std::max(x.last, x.first + 1));
  if (samples.size() * 3 < width) {
    // One more on the right: an edge that is rounded into the last pixel.
    samples.last = std::min(pyramid.count(), samples.last + 1);
    fillWideSamples(columns, pyramid, end, x, samples);
  } else {
    fillNarrowSamples(columns, pyramid, end, x, grid, samples);
  }
  return columns;
}

void drawBands(QImage& image, const EnvelopeSource& source, const EnvelopeColumns& columns, const AxisMap& yMap,
               const ChartTheme& theme, const BandFilter& isVisible) {
  const Canvas canvas(image);
  struct BandInk {
    Tile tile;
    QRgb solid;
    QRgb edge;
    bool isSolid;
  };
  std::array<BandInk, bandCount> inks;
  for (std::size_t band = 0; band < bandCount; ++band) {
    const Fill fill = theme.bandFill(static_cast<Band>(band));
    inks[band] = {tileOf(fill), fill.base, theme.bandColour(static_cast<Band>(band)), fill.pattern == Pattern::Solid};
  }
  const QRgb separator = theme.rgb(report::Colour::Panel);
  const int zero = rowOf(yMap, 0, canvas.height);
  const int width = std::min(canvas.width, static_cast<int>(columns.index.size()));

  // Rows of each band for a block of columns, then the pixels: the moments of neighbouring columns are often the same.
  std::int64_t lastIndex = -1;
  std::array<int, bandCount + 1> upRows{};
  std::array<int, bandCount + 1> downRows{};
  const auto place = [&](std::int64_t index) {
    const BandBytes bytes = source.bands(index);
    std::int64_t up = 0;
    std::int64_t down = 0;
    upRows[0] = zero;
    downRows[upBandCount] = zero;
    for (std::size_t band = 0; band < bandCount; ++band) {
      const std::int64_t shown = isVisible[band] ? std::max<std::int64_t>(0, bytes.bytes[band]) : 0;
      if (band < upBandCount) {
        up += shown;
        upRows[band + 1] = rowOf(yMap, up, canvas.height);
        // Something there is never drawn as nothing.
        if (shown > 0 && up == shown && upRows[band + 1] == zero) upRows[band + 1] = std::max(0, zero - 1);
      } else {
        down += shown;
        downRows[band + 1] = rowOf(yMap, -down, canvas.height);
      }
    }
  };
  for (int block = 0; block < width; block += blockWidth) {
    for (int x = block; x < std::min(block + blockWidth, width); ++x) {
      const std::int64_t index = columns.index[static_cast<std::size_t>(x)];
      if (index < 0) continue;
      if (index != lastIndex) place(index);
      lastIndex = index;
      const auto tileColumn = static_cast<std::size_t>(modulo(columns.sceneX + x, tileSize));
      for (std::size_t band = 0; band < upBandCount; ++band) {
        const int top = upRows[band + 1];
        const int bottom = upRows[band];
        if (top >= bottom) continue;
        if (inks[band].isSolid) canvas.fillColumn(x, top, bottom, inks[band].solid);
        else canvas.fillColumn(x, top, bottom, inks[band].tile[tileColumn], modulo(top - zero, tileSize));
        if (bottom < zero && bottom - top > 5) *canvas.at(x, bottom - 1) = separator;
      }
      for (std::size_t band = upBandCount; band < bandCount; ++band) {
        const int top = downRows[band];
        const int bottom = downRows[band + 1];
        if (top >= bottom) continue;
        canvas.fillColumn(x, top, bottom, inks[band].solid);
        canvas.fillColumn(x, top, std::min(bottom, top + (bottom - top > 4 ? 2 : 1)), inks[band].edge);
      }
    }
  }
}

void drawStepLine(QImage& image, const MaxPyramid& pyramid, const EnvelopeColumns& columns, const AxisMap& yMap,
                  const LineStyle& style) {
  const Canvas canvas(image);
  const int width = std::min(canvas.width, static_cast<int>(columns.index.size()));
  const int period = style.on + style.off;
  const auto rowAt = [&](int x) {
    const std::int64_t index = columns.index[static_cast<std::size_t>(x)];
    if (index < 0) return -1;
    const double row = yMap.toPixel(pyramid.total(index));
    return row < 0 || row > canvas.height ? -1 : std::min(canvas.height - 1, static_cast<int>(std::lround(row)));
  };
  const auto isInk = [&](std::int64_t scene) { return period == 0 || modulo(scene, period) < style.on; };
  const int before = style.width / 2;
  const int haloWidth = 1;

  // Twice over the columns: halo below, ink above, so that the halo of a step does not cut the ink of the one before it.
  const auto trace = [&](auto&& horizontal, auto&& vertical) {
    int previous = -1;
    for (int x = 0; x < width; ++x) {
      const int row = rowAt(x);
      if (row >= 0) horizontal(x, row);
      if (row >= 0 && previous >= 0 && row != previous) vertical(x, std::min(row, previous), std::max(row, previous));
      previous = row;
    }
  };
  if (style.halo != 0) {
    trace([&](int x, int row) {
            canvas.fillRect(x, row - before - haloWidth, x + 1, row - before + style.width + haloWidth, style.halo);
          },
          [&](int x, int top, int bottom) {
            canvas.fillRect(x - before - haloWidth, top, x - before + style.width + haloWidth, bottom, style.halo);
          });
  }
  trace([&](int x, int row) {
          if (isInk(columns.sceneX + x)) canvas.fillRect(x, row - before, x + 1, row - before + style.width, style.colour);
        },
        [&](int x, int top, int bottom) {
          for (int y = top; y <= bottom; ++y)
            if (isInk(y)) canvas.fillRect(x - before, y, x - before + style.width, y + 1, style.colour);
        });
}

void fillUnderLine(QImage& image, const MaxPyramid& pyramid, const EnvelopeColumns& columns, const AxisMap& yMap, QRgb fill) {
  const Canvas canvas(image);
  const int zero = rowOf(yMap, 0, canvas.height);
  const int width = std::min(canvas.width, static_cast<int>(columns.index.size()));
  for (int x = 0; x < width; ++x) {
    const std::int64_t index = columns.index[static_cast<std::size_t>(x)];
    if (index >= 0) canvas.fillColumn(x, rowOf(yMap, pyramid.total(index), canvas.height), zero, fill);
  }
}

void drawLevel(QImage& image, std::int64_t value, const AxisMap& yMap, std::int64_t sceneX, const LineStyle& style) {
  const Canvas canvas(image);
  const double row = yMap.toPixel(value);
  if (row < -style.width || row > canvas.height + style.width) return;
  const int top = static_cast<int>(std::lround(row)) - style.width / 2;
  const int period = style.on + style.off;
  for (int x = 0; x < canvas.width; ++x)
    if (period == 0 || modulo(sceneX + x, period) < style.on) canvas.fillRect(x, top, x + 1, top + style.width, style.colour);
}

}  // namespace peakscope::ui
