// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/live_panel.h"

#include <QHeaderView>
#include <QLineEdit>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "ui/models/number_text.h"

namespace peakscope::ui {

/// Paints the kind's colour, with the pattern of the tensor's state, in front of its name; headings in bold.
class LivePanel::Swatches final : public QStyledItemDelegate {
 public:
  explicit Swatches(LivePanel& panel) : QStyledItemDelegate(&panel), m_panel(panel) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    if (index.data(LiveModel::headingRole).toBool()) {
      option->font.setBold(index.column() != LiveModel::State);
      option->backgroundBrush = m_panel.m_theme.colour(report::Colour::Header);
      return;
    }
    if (index.column() != LiveModel::Name) return;
    const auto kind = static_cast<analysis::ChartKind>(index.data(LiveModel::kindRole).toInt());
    const auto state = static_cast<analysis::TensorState>(index.data(LiveModel::stateRole).toInt());
    const Pattern pattern = state == analysis::TensorState::CopyingOut  ? Pattern::StripesOut
                            : state == analysis::TensorState::CopyingIn ? Pattern::StripesIn
                            : state == analysis::TensorState::OnHost    ? Pattern::Outline
                            : kind == analysis::ChartKind::Recomputed   ? Pattern::Dots
                                                                        : Pattern::Solid;
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = QIcon(QPixmap::fromImage(fillImage(m_panel.m_theme.fill(report::colourOf(kind), pattern), {12, 12})));
    option->decorationSize = {12, 12};
  }

 private:
  LivePanel& m_panel;
};

LivePanel::LivePanel(QWidget* parent) : QWidget(parent), m_filter(new QLineEdit(this)), m_table(new QTableView(this)), m_sum(new QLabel(this)) {
  setObjectName("livePanel");
  setAttribute(Qt::WA_StyledBackground);
  m_filter->setObjectName("liveFilter");
  m_filter->setPlaceholderText(tr("name, kind or state"));
  m_filter->setAccessibleName(tr("Filter of the live list"));
  m_filter->setClearButtonEnabled(true);
  m_table->setObjectName("liveTable");
  m_table->setAccessibleName(tr("Live tensors"));
  m_table->setModel(&m_model);
  m_table->setItemDelegate(new Swatches(*this));
  m_table->verticalHeader()->hide();
  m_table->verticalHeader()->setDefaultSectionSize(24);
  m_table->setShowGrid(false);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setWordWrap(false);
  auto* header = m_table->horizontalHeader();
  header->setHighlightSections(false);
  header->setMinimumSectionSize(40);
  header->setSectionResizeMode(LiveModel::Name, QHeaderView::Stretch);
  header->resizeSection(LiveModel::MiB, 64);
  header->resizeSection(LiveModel::State, 86);
  header->resizeSection(LiveModel::NextUse, 68);
  m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  m_sum->setObjectName("liveSum");
  m_sum->setTextFormat(Qt::RichText);
  m_sum->setWordWrap(true);
  m_sum->setText(tr("Nothing is live: load a network."));

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->addWidget(m_filter);
  layout->addWidget(m_table, 1);
  layout->addWidget(m_sum);
  connect(m_filter, &QLineEdit::textChanged, &m_model, &LiveModel::setFilter);
}

void LivePanel::setTheme(const ChartTheme& theme) {
  m_theme = theme;
  m_table->viewport()->update();
}

void LivePanel::show(const RunViewPointer& view, PlanStepId step) {
  if (!view || !step.isValid() || step.index >= static_cast<std::int32_t>(view->curve().size())) return m_model.clear();
  m_model.show(view->workload, view->plan, step, view->deviations);
  const analysis::CurvePoint& point = view->curve()[static_cast<std::size_t>(step.index)];
  const auto check = [&](const QString& name, Bytes sum, Bytes curve) {
    const QString good = m_theme.colour(report::Colour::Good).name(), bad = m_theme.colour(report::Colour::Budget).name();
    return sum == curve ? tr("%1 <b>%2 MiB</b> <span style='color:%3'>\u2713 equals the curve</span>").arg(name, mibText(sum), good)
                        : tr("%1 <b>%2 MiB</b> <span style='color:%3'>\u2717 %4 bytes off the curve</span>").arg(name, mibText(sum), bad).arg((sum - curve).count());
  };
  m_sum->setText(check(tr("scheduled \u03A3 ="), m_model.scheduledSum(), point.scheduled) + QStringLiteral("<br>") + check(tr("total \u03A3 ="), m_model.totalSum(), point.total));
  emit titleChanged(tr("Live at step %1").arg(point.paperStep));
}

}  // namespace peakscope::ui
