// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/timeline_panel.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPushButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "memory/analysis/run_history.h"
#include "ui/models/number_text.h"

namespace peakscope::ui {
namespace {

constexpr int laneHeight = 20, barInset = 3;
enum LaneRow { ComputeRow, CopyOutRow, CopyInRow, RecomputeRow, StallRow, laneRowCount };
/// In order of importance: later styles win pixels that many spans share.
enum LaneStyle : std::uint16_t { PaleStyle, StrongStyle, CopyOutStyle, CopyInStyle, RecomputeStyle, StallStyle };

constexpr ChartMargins margins{.left = 72, .top = 20, .right = 56, .bottom = 24};

std::int64_t upOf(const analysis::CurvePoint& point) { return bandsOf(point.byKind).up(); }

/// The samples of a curve: one per run, since that is when everything a step needs is there at once.
template <class Add>
void forEachRun(const RunView& view, const analysis::MemoryCurve& curve, Add add) {
  for (const analysis::CurvePoint& point : curve)
    if (std::holds_alternative<RunStep>(view.plan.steps[static_cast<std::size_t>(point.step.index)].action) && point.paperStep > 0) add(point);
}

std::optional<StepLine> lineOf(const RunView& view, const analysis::MemoryCurve& curve, XAxis axis) {
  if (curve.empty()) return std::nullopt;
  auto pyramid = std::make_shared<MaxPyramid>();
  forEachRun(view, curve, [&](const analysis::CurvePoint& point) { pyramid->append(view.layout.at(point.step, axis), upOf(point)); });
  return StepLine{.curve = pyramid, .end = view.layout.extent(axis).second};
}

}  // namespace

TimelinePanel::TimelinePanel(QWidget* parent)
    : QWidget(parent), m_headline(new QLabel(this)), m_legend(new QLabel(this)), m_lanesHeadline(new QLabel(this)), m_axisButtons(new QButtonGroup(this)),
      m_memoryView(new ChartView(this)), m_lanesView(new ChartView(this)), m_memory(*m_memoryView), m_lanes(*m_lanesView) {
  setObjectName("timeline");
  setAttribute(Qt::WA_StyledBackground);
  setFocusPolicy(Qt::StrongFocus);
  m_headline->setObjectName("memoryHeadline");
  m_headline->setTextFormat(Qt::RichText);
  m_headline->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_headline->setText(tr("<b>Memory</b>&nbsp;&nbsp; no network is loaded"));

  auto* top = new QHBoxLayout;
  top->addWidget(m_headline, 1);
  top->addWidget(new QLabel(tr("x-axis"), this));
  for (const auto& [text, axis, tip] : {std::tuple{tr("Step"), XAxis::Step, tr("Equal slots: comparable between iterations and runs")},
                                        std::tuple{tr("Time"), XAxis::Time, tr("True lengths of the iteration shown")}}) {
    auto* button = new QPushButton(text, this);
    button->setCheckable(true);
    button->setToolTip(tip);
    button->setObjectName(axis == XAxis::Step ? "axisStep" : "axisTime");
    m_axisButtons->addButton(button, static_cast<int>(axis));
    top->addWidget(button);
  }
  m_axisButtons->button(static_cast<int>(XAxis::Step))->setChecked(true);
  connect(m_axisButtons, &QButtonGroup::idClicked, this, [this](int id) { setAxis(static_cast<XAxis>(id)); });

  m_memoryView->setMargins(margins);
  m_memoryView->setValueRange({0, bytesPerMiB});   // an empty scale until there is something to show
  m_memoryView->setAccessible(tr("Memory timeline"), tr("Bytes on the device at each step, stacked by kind; the list at the right has the same data as a table"));
  ChartMargins laneMargins = margins;
  laneMargins.top = 2;
  laneMargins.bottom = 4;
  m_lanesView->setMargins(laneMargins);
  m_lanesView->setAccessible(tr("Lanes"), tr("When compute, copies, rebuilds and stalls happened; the events tab has the same data as a table"));
  m_lanesView->setFixedHeight(laneRowCount * laneHeight + 8);
  m_lanesHeadline->setTextFormat(Qt::RichText);
  m_lanesHeadline->setText(tr("<b>Lanes</b>&nbsp;&nbsp; press Run: there is nothing to time yet"));

  // Long lines of text must not decide how wide the window is.
  for (QLabel* label : {m_headline, m_legend, m_lanesHeadline}) label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_legend->setWordWrap(true);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(4);
  layout->addLayout(top);
  layout->addWidget(m_legend);
  layout->addWidget(m_memoryView, 1);
  layout->addWidget(m_lanesHeadline);
  layout->addWidget(m_lanesView);

  connect(m_memoryView, &ChartView::viewChanged, m_lanesView, &ChartView::setView);
  connect(m_lanesView, &ChartView::viewChanged, m_memoryView, &ChartView::setView);
  for (ChartView* chart : {m_memoryView, m_lanesView}) {
    connect(chart, &ChartView::hovered, this, &TimelinePanel::hover);
    connect(chart, &ChartView::left, this, [this] {
      m_memoryView->setCrosshair({});
      m_lanesView->setCrosshair({});
    });
    connect(chart, &ChartView::clicked, this, [this](std::int64_t x) {
      if (!m_view) return;
      m_followsPeak = false;
      pin(m_view->layout.runAt(x, m_axis));
      setFocus();
    });
  }
  setTheme(m_theme);
}

void TimelinePanel::setTheme(const ChartTheme& theme) {
  m_theme = theme;
  m_memoryView->setTheme(theme);
  m_lanesView->setTheme(theme);
  setStyles();
  buildLegend();
}

void TimelinePanel::setStyles() {
  using report::Colour;
  m_lanes.setStyles({{.fill = m_theme.fill(Colour::ComputePale)},
                     {.fill = m_theme.fill(Colour::ComputeStrong)},
                     {.fill = m_theme.fill(Colour::Activations, Pattern::StripesOut)},
                     {.fill = m_theme.fill(Colour::Activations, Pattern::StripesIn)},
                     {.fill = m_theme.fill(Colour::Recomputed, Pattern::Dots)},
                     {.fill = m_theme.fill(Colour::Budget)}});
}

void TimelinePanel::buildLegend() {
  QString text;
  for (const Band band : {Band::Activation, Band::ActivationGrad, Band::Recomputed, Band::Saved, Band::Workspace, Band::Gradients, Band::Weights, Band::Input})
    text += QStringLiteral("<span style='color:%1'>\u25A0</span>&nbsp;%2&nbsp;&nbsp; ").arg(QColor::fromRgb(m_theme.bandColour(band)).name(), tr(toString(band)).replace(u' ', QStringLiteral("&nbsp;")));
  text += QStringLiteral("<span>\u2508</span>&nbsp;%1&nbsp;&nbsp;&nbsp;<span style='color:%3'>\u2500</span>&nbsp;%2")
              .arg(tr("predicted"), tr("keep-all"), m_theme.colour(report::Colour::Axis).name());
  m_legend->setTextFormat(Qt::RichText);
  m_legend->setText(text);
}

void TimelinePanel::setAxis(XAxis axis) {
  if (axis == XAxis::Time && (!m_view || !m_view->layout.hasTimes())) axis = XAxis::Step;
  m_axisButtons->button(static_cast<int>(axis))->setChecked(true);
  if (axis == m_axis) return;
  m_axis = axis;
  if (!m_view) return;
  drawMemory();
  buildLanes();
  drawPinned();
  showAll();
}

void TimelinePanel::show(const RunViewPointer& view) {
  const bool isOther = !m_view || !view || m_view->workload.net != view->workload.net || m_view->workload.batch != view->workload.batch ||
                       m_view->plan.steps.size() != view->plan.steps.size();
  // On the step axis most iterations look like the one before: only their lanes are drawn again.
  const bool isSamePicture = m_view && view && m_axis == XAxis::Step && m_view->hasSameBytes(*view);
  m_view = view;
  if (!view) return;
  if (isSamePicture) return buildLanes();
  if (m_axis == XAxis::Time && !view->layout.hasTimes()) setAxis(XAxis::Step);
  const bool showsAll = isOther || m_memoryView->view() == m_memoryView->limits();
  drawMemory();
  buildLanes();
  if (isOther || m_followsPeak) {
    m_followsPeak = true;
    pin(view->peak.planStep);
  } else {
    drawPinned();
  }
  if (showsAll) showAll();
}

void TimelinePanel::showNothing(const QString& reason) { m_headline->setText(tr("<b>Memory</b>&nbsp;&nbsp; %1").arg(reason)); }

void TimelinePanel::showCandidate(const RunViewPointer& view) {
  m_candidate = view;
  m_memory.setCandidate(view ? lineOf(*view, view->predicted, m_axis) : std::nullopt);
  if (!m_view) return;
  const auto extent = m_memory.valueExtent();
  m_memoryView->setValueRange({extent.first, extent.second});
  m_memoryView->redraw();
}

void TimelinePanel::setBudget(std::optional<Bytes> budget) {
  m_budget = budget;
  if (m_view) drawMemory();
}

void TimelinePanel::drawMemory() {
  const RunView& view = *m_view;
  auto samples = std::make_shared<EnvelopeSamples>();
  // Weight gradients come and go below zero; what is always there is what the right axis and the budget line count on.
  std::int64_t floor = std::numeric_limits<std::int64_t>::max();
  forEachRun(view, view.curve(), [&](const analysis::CurvePoint& point) {
    const BandBytes bands = bandsOf(point.byKind);
    floor = std::min(floor, bands.floor());
    samples->append(view.layout.at(point.step, m_axis), bands);
  });
  if (samples->count() == 0) floor = 0;
  const auto [first, last] = view.layout.extent(m_axis);
  samples->setEnd(last);
  m_memory.setSource(samples);
  m_memory.setPredicted(lineOf(view, view.predicted, m_axis));
  m_memory.setCandidate(m_candidate && m_axis == XAxis::Step ? lineOf(*m_candidate, m_candidate->predicted, m_axis) : std::nullopt);
  std::vector<StepLine> ghosts;
  if (view.keepAllScheduled > Bytes{}) {
    auto ghost = std::make_shared<MaxPyramid>();
    ghost->append(first, view.keepAllScheduled.count());
    ghosts.push_back({.curve = ghost, .end = last});
  }
  m_memory.setGhosts(std::move(ghosts));
  m_memory.setBudget(m_budget ? std::optional(m_budget->count() - floor) : std::nullopt);
  m_memoryView->setAxes({.x = m_axis == XAxis::Step ? AxisUnit::Steps : AxisUnit::Nanoseconds, .y = AxisUnit::MiB, .rightOffset = floor, .showRight = true});
  m_memoryView->setLimits({first, last});
  const auto extent = m_memory.valueExtent();
  m_memoryView->setValueRange({extent.first, extent.second});
  m_memoryView->redraw();

  const analysis::Peak& peak = view.peak;
  QString text = tr("<b>Memory</b>&nbsp;&nbsp; peak <b>%1 MiB</b>&nbsp; step %2, %3 %4")
                     .arg(mibText(peak.bytes), QString::number(peak.step), QString::fromStdString(view.workload.layers[peak.layer].name), tr(toString(peak.phase)));
  if (peak.rebuilding.isValid()) text += tr(", rebuilding %1").arg(QString::fromStdString(view.workload.layers[peak.rebuilding].name));
  if (view.keepAllScheduled > peak.bytes)
    text += tr(", %1 % below keep-all").arg(100.0 * (1.0 - static_cast<double>(peak.bytes.count()) / static_cast<double>(view.keepAllScheduled.count())), 0, 'f', 1);
  m_headline->setText(text);
}

void TimelinePanel::buildLanes() {
  const RunView& view = *m_view;
  auto spans = std::make_shared<SpanStore>();
  spans->reserve(static_cast<std::int64_t>(view.events.size()));
  std::int32_t id = -1;
  for (const analysis::Event& event : view.events) {
    ++id;
    int row = -1;
    std::uint16_t style = PaleStyle;
    switch (event.kind) {
      case analysis::EventKind::Run: {
        const LayerClass layerClass = view.workload.layers[view.workload.ops[event.op].layer].layerClass;
        row = ComputeRow;
        style = layerClass == LayerClass::Convolution || layerClass == LayerClass::FullyConnected ? StrongStyle : PaleStyle;
        break;
      }
      case analysis::EventKind::Rebuild: row = RecomputeRow, style = RecomputeStyle; break;
      case analysis::EventKind::CopyOut: row = CopyOutRow, style = CopyOutStyle; break;
      case analysis::EventKind::CopyIn: row = CopyInRow, style = CopyInStyle; break;
      case analysis::EventKind::Load: row = CopyInRow; break;
      case analysis::EventKind::Stall: row = StallRow, style = StallStyle; break;
      case analysis::EventKind::Alloc:
      case analysis::EventKind::Free: break;
    }
    if (row < 0) continue;
    const std::int64_t low = row * laneHeight + barInset;
    spans->add({.start = view.layout.at(event.beginNs, m_axis), .end = view.layout.at(event.endNs, m_axis), .low = low, .high = low + laneHeight - 2 * barInset, .id = id, .style = style});
  }
  spans->sort();
  m_spans = spans;
  m_lanes.setSpans(m_spans);
  m_lanesView->setAxes({.x = m_axis == XAxis::Step ? AxisUnit::Steps : AxisUnit::Nanoseconds, .y = AxisUnit::Plain, .showX = false, .showGrid = false, .yDown = true});
  std::vector<std::pair<std::int64_t, QString>> names;
  const QString rows[laneRowCount] = {tr("compute"), tr("copy-out"), tr("copy-in"), tr("recompute"), tr("stalls")};
  for (int row = 0; row < laneRowCount; ++row) names.emplace_back(row * laneHeight + laneHeight / 2, rows[row]);
  m_lanesView->setRowNames(names);
  const auto [first, last] = view.layout.extent(m_axis);
  m_lanesView->setLimits({first, last});
  m_lanesView->setValueRange({0, laneRowCount * laneHeight});
  m_lanesView->redraw();
  if (view.events.empty()) return;
  const analysis::IterationTotals totals = analysis::iterationTotals(view.events);
  m_lanesHeadline->setText(tr("<b>Lanes</b>&nbsp;&nbsp; iteration %1: <b>%2</b>&nbsp;&nbsp; copies <b>%3</b>&nbsp; hidden <b>%4 %</b>&nbsp;&nbsp; stalls <b>%5</b>&nbsp;&nbsp; recompute <b>%6</b>")
                               .arg(view.iteration)
                               .arg(timeText(totals.durationNs), timeText(totals.copyNs))
                               .arg(totals.overlap * 100, 0, 'f', 1)
                               .arg(timeText(totals.stallNs), timeText(totals.recomputeNs)));
}

void TimelinePanel::showAll() {
  m_memoryView->showAll();
  m_lanesView->setView(m_memoryView->view());
}

void TimelinePanel::pin(PlanStepId step) {
  m_pinned = step;
  drawPinned();
  emit pinned(step);
}

void TimelinePanel::drawPinned() {
  if (!m_view || !m_pinned.isValid() || m_pinned.index >= static_cast<std::int32_t>(m_view->curve().size())) return;
  const analysis::CurvePoint& point = m_view->curve()[static_cast<std::size_t>(m_pinned.index)];
  const bool isPeak = m_pinned == m_view->peak.planStep;
  const auto* run = std::get_if<RunStep>(&m_view->plan.steps[static_cast<std::size_t>(m_pinned.index)].action);
  const QString what = run != nullptr ? QString::fromStdString(opName(m_view->workload, run->op)) : QString();
  const QString flag = tr("%1%2 MiB \u00B7 step %3 \u00B7 %4").arg(isPeak ? tr("peak ") : QString(), mibText(point.scheduled)).arg(point.paperStep).arg(what);
  const std::int64_t x = m_view->layout.at(m_pinned, m_axis);
  m_memoryView->setPinned(x, flag);
  m_lanesView->setPinned(x);
}

void TimelinePanel::pinPeak() {
  if (!m_view) return;
  m_followsPeak = true;
  pin(m_view->peak.planStep);
}

void TimelinePanel::pinStep(std::int32_t paperStep) {
  if (!m_view) return;
  for (const analysis::CurvePoint& point : m_view->curve()) {
    const auto* run = std::get_if<RunStep>(&m_view->plan.steps[static_cast<std::size_t>(point.step.index)].action);
    if (point.paperStep != paperStep || run == nullptr || m_view->workload.ops[run->op].phase == Phase::Rebuild) continue;
    m_followsPeak = false;
    return pin(point.step);
  }
}

void TimelinePanel::moveBy(int runs) {
  if (!m_view || !m_pinned.isValid()) return;
  const auto isRun = [&](std::int32_t i) {
    return std::holds_alternative<RunStep>(m_view->plan.steps[static_cast<std::size_t>(i)].action) && m_view->plan.steps[static_cast<std::size_t>(i)].paperStep > 0;
  };
  const auto count = static_cast<std::int32_t>(m_view->plan.steps.size());
  for (std::int32_t i = m_pinned.index + runs; i >= 0 && i < count; i += runs)
    if (isRun(i)) {
      m_followsPeak = false;
      return pin(PlanStepId{i});
    }
}

void TimelinePanel::hover(std::int64_t x, QPoint position) {
  m_memoryView->setCrosshair(x);
  m_lanesView->setCrosshair(x);
  auto* chart = qobject_cast<ChartView*>(sender());
  if (!m_view || chart == nullptr) return;
  if (chart == m_lanesView) {
    const auto hit = m_lanes.at(position);
    if (!hit) return QToolTip::hideText();
    const Span& span = (*m_spans)[hit->index];
    const analysis::Event& event = m_view->events[static_cast<std::size_t>(span.id)];
    const std::string subject = event.tensor.isValid() ? m_view->workload.tensors[event.tensor].name : event.op.isValid() ? opName(m_view->workload, event.op) : "";
    QString text = tr("%1 %2\n%3").arg(tr(analysis::toString(event.kind)), QString::fromStdString(subject), timeText(event.endNs - event.beginNs));
    if (const auto* run = std::get_if<RunStep>(&m_view->plan.steps[static_cast<std::size_t>(event.planStep.index)].action)) {
      const Op& op = m_view->workload.ops[run->op];
      const QString algorithm = QString::fromStdString(op.candidates[static_cast<std::size_t>(run->candidate)].algorithm);
      if (!algorithm.isEmpty()) text += tr("\nby %1").arg(algorithm);
      if (op.candidates.size() > 1) text += tr(", chosen from %1").arg(op.candidates.size());
      if (event.bytes > Bytes{}) text += tr("\nworkspace %1 MiB").arg(mibText(event.bytes));
    } else if (event.bytes > Bytes{}) {
      text += tr(", %1 MiB").arg(mibText(event.bytes));
    }
    text += QLatin1Char('\n') + QString::fromStdString(describe(event.cause, m_view->workload));
    if (hit->merged > 1) text += tr("\nand %1 more in this pixel").arg(hit->merged - 1);
    QToolTip::showText(m_lanesView->mapToGlobal(position + QPoint(16, 16)), text, m_lanesView);
    return;
  }
  const PlanStepId step = m_view->layout.runAt(x, m_axis);
  if (!step.isValid()) return;
  const analysis::CurvePoint& point = m_view->curve()[static_cast<std::size_t>(step.index)];
  const auto& run = std::get<RunStep>(m_view->plan.steps[static_cast<std::size_t>(step.index)].action);
  QString text = tr("<b>step %1 \u00B7 %2</b><table>").arg(point.paperStep).arg(QString::fromStdString(opName(m_view->workload, run.op)));
  const auto row = [&](const QString& name, Bytes bytes, bool isBold) {
    text += QStringLiteral("<tr><td>%1</td><td align='right'>&nbsp;&nbsp;%2</td></tr>").arg(isBold ? "<b>" + name + "</b>" : name, isBold ? "<b>" + mibText(bytes) + "</b>" : mibText(bytes));
  };
  for (int kind = 0; kind < analysis::chartKindCount; ++kind)
    if (const Bytes bytes = point.byKind[static_cast<std::size_t>(kind)]; bytes > Bytes{}) row(tr(analysis::toString(static_cast<analysis::ChartKind>(kind))), bytes, false);
  row(tr("scheduled, MiB"), point.scheduled, true);
  row(tr("total, MiB"), point.total, true);
  const Bytes predicted = m_view->predicted[static_cast<std::size_t>(step.index)].total;
  text += QStringLiteral("</table>") + (predicted == point.total ? tr("equals the prediction") : tr("%1 bytes off the prediction").arg((point.total - predicted).count()));
  QToolTip::showText(m_memoryView->mapToGlobal(position + QPoint(16, 16)), text, m_memoryView);
}

void TimelinePanel::keyPressEvent(QKeyEvent* event) {
  const double in = 0.8;
  const ViewRange view = m_memoryView->view();
  const std::int64_t middle = view.first + static_cast<std::int64_t>(view.span() / 2), tenth = static_cast<std::int64_t>(view.span() / 10);
  switch (event->key()) {
    case Qt::Key_H: return showAll();
    case Qt::Key_P: return pinPeak();
    case Qt::Key_W: return m_memoryView->zoomBy(in, middle);
    case Qt::Key_S: return m_memoryView->zoomBy(1 / in, middle);
    case Qt::Key_A: return m_memoryView->panBy(-tenth);
    case Qt::Key_D: return m_memoryView->panBy(tenth);
    case Qt::Key_Left:
    case Qt::Key_Comma: return moveBy(-1);
    case Qt::Key_Right:
    case Qt::Key_Period: return moveBy(1);
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace peakscope::ui
