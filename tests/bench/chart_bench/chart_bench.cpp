// SPDX-License-Identifier: GPL-3.0-or-later
//
// Frame times at 1600 x 1000 with memory-like data (a random walk would be harmless and prove nothing): ten million sawtooth
// events, a million spans on twenty lanes. Run with QT_QPA_PLATFORM=offscreen; a frame budget is 16 ms.
#include <benchmark/benchmark.h>
#include <qcustomplot.h>

#include <QApplication>
#include <random>

#include "ui/charts/chart_view.h"
#include "ui/charts/envelope_step.h"
#include "ui/charts/rect_spans.h"

namespace {

using namespace peakscope::ui;
using peakscope::report::Colour;

constexpr std::int64_t mib = 1 << 20;

/// Iterations of 2,000 events: activations rise, then fall while gradients come and go; workspaces flicker on top.
std::shared_ptr<EnvelopeSamples> memoryLike(std::int64_t count) {
  std::mt19937 random(1);
  auto made = std::make_shared<EnvelopeSamples>();
  made->reserve(count);
  BandBytes now;
  now[Band::Weights] = 238 * mib;
  now[Band::Gradients] = 475 * mib;
  std::int64_t x = 1'700'000'000'000'000'000;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t phase = i % 2000;
    now[Band::Activation] = (phase < 1000 ? phase : 2000 - phase) * mib;
    now[Band::ActivationGrad] = phase < 1000 ? 0 : 200 * mib;
    now[Band::Recomputed] = phase > 1500 ? 150 * mib : 0;
    now[Band::Workspace] = i % 3 == 0 ? static_cast<std::int64_t>(random() % 200) * mib : 0;
    made->append(x, now);
    x += 1 + static_cast<std::int64_t>(random() % 40'000);
  }
  made->setEnd(x);
  return made;
}

struct Window {
  ChartView view;
  Window() {
    view.resize(1600, 1000);
    view.setMargins({.left = 64, .top = 8, .right = 16, .bottom = 24});
    view.show();
    QApplication::processEvents();
  }
  void frame() { view.plot().replot(QCustomPlot::rpImmediateRefresh); }
};

void envelope(benchmark::State& state, double share, bool isPanning) {
  const auto samples = memoryLike(state.range(0));
  Window window;
  EnvelopeStep memory(window.view);
  memory.setSource(samples);
  memory.setBudget(2000 * mib);
  window.view.setAxes({.x = AxisUnit::Nanoseconds, .origin = samples->x(0)});
  window.view.setLimits({samples->x(0), samples->end()});
  const auto width = static_cast<std::int64_t>(share * window.view.limits().span());
  window.view.setView({samples->x(0) + width / 3, samples->x(0) + width / 3 + width});
  const auto extent = memory.valueExtent();
  window.view.setValueRange({extent.first, extent.second});
  for (auto _ : state) {
    if (isPanning) window.view.panBy(width / 1520);
    window.frame();
  }
  state.counters["bytes_per_event"] = static_cast<double>(samples->memoryBytes()) / static_cast<double>(samples->count());
}

void spans(benchmark::State& state, double share) {
  std::mt19937 random(2);
  auto store = std::make_shared<SpanStore>();
  store->reserve(state.range(0));
  std::int64_t x = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    const std::int64_t lane = i % 20;
    const auto length = static_cast<std::int64_t>(random() % 20'000);
    store->add({x, x + length, lane * 48 + 4, lane * 48 + 44, static_cast<std::int32_t>(i), static_cast<std::uint16_t>(random() % 6)});
    x += 1'000;
  }
  store->sort();
  Window window;
  window.view.setAxes({.x = AxisUnit::Nanoseconds, .yDown = true});
  window.view.setLimits({0, x});
  const auto width = static_cast<std::int64_t>(share * static_cast<double>(x));
  window.view.setView({0, width});
  window.view.setValueRange({0, 20 * 48});
  RectSpans rects(window.view);
  const ChartTheme& theme = window.view.theme();
  rects.setStyles({{.fill = theme.fill(Colour::ComputeStrong)},
                   {.fill = theme.fill(Colour::ComputePale)},
                   {.fill = theme.fill(Colour::Activations, Pattern::StripesOut)},
                   {.fill = theme.fill(Colour::Recomputed, Pattern::Dots)},
                   {.fill = theme.fill(Colour::Budget)},
                   {.fill = theme.fill(Colour::Segment), .outline = theme.rgb(Colour::Border)}});
  rects.setLabels([](std::int64_t index) { return QString::number(index); });
  rects.setSpans(store);
  std::int64_t direction = 1;
  for (auto _ : state) {
    window.view.setView({width / 1000 * (direction + 1), width / 1000 * (direction + 1) + width - width / 500});
    direction = -direction;
    window.frame();
  }
  state.counters["drawn"] = static_cast<double>(rects.drawnCount());
}

void emptyPlot(benchmark::State& state) {
  Window window;
  for (auto _ : state) window.frame();
}

void append(benchmark::State& state) {
  MaxPyramid pyramid;
  pyramid.reserve(10'000'000);
  std::int64_t i = 0;
  for (auto _ : state) {
    if (i == 10'000'000) {
      pyramid.clear();
      i = 0;
    }
    pyramid.append(i, i % 2000);
    ++i;
  }
}

BENCHMARK(emptyPlot)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(envelope, everything, 1.0, false)->Arg(10'000)->Arg(1'000'000)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(envelope, panningAtTenPercent, 0.1, true)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(envelope, oneHundredEvents, 1e-5, false)->Arg(10'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(spans, everything, 1.0)->Arg(10'000)->Arg(100'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(spans, onePercent, 0.01)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(append);

}  // namespace

int main(int argc, char** argv) {
  const QApplication application(argc, argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
