// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/policy_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/models/number_text.h"
#include "ui/panels/copyable_table.h"

namespace peakscope::ui {

/// The arena as a bar on one scale for all rows; a frame where the policy does not fit; the budget as a line through all rows.
class PolicyPanel::Bars final : public QStyledItemDelegate {
 public:
  explicit Bars(PolicyPanel& panel) : QStyledItemDelegate(&panel), m_panel(panel) {}

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->font.setBold(index.data(PolicyModel::isCurrentRole).toBool());
    if (!index.data(PolicyModel::fitsRole).toBool()) option->palette.setColor(QPalette::Text, m_panel.m_theme.colour(report::Colour::MutedText));
    if (index.column() == PolicyModel::Bar) option->text.clear();
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyledItemDelegate::paint(painter, option, index);
    if (index.column() != PolicyModel::Bar) return;
    using report::Colour;
    const ChartTheme& theme = m_panel.m_theme;
    // A refusal spans more columns, but its bar is on the scale of the others.
    const QRect cell(option.rect.left(), option.rect.top(), m_panel.m_table->columnWidth(PolicyModel::Bar), option.rect.height());
    const QRect place = cell.adjusted(4, 3, -4, -3);
    const auto at = [&](double share) { return place.left() + static_cast<int>(share * (place.width() - 1)); };
    const QRect bar(place.left(), place.top(), std::max(at(index.data(PolicyModel::shareRole).toDouble()) - place.left(), 1), place.height());
    painter->save();
    const bool fits = index.data(PolicyModel::fitsRole).toBool();
    const bool isCurrent = index.data(PolicyModel::isCurrentRole).toBool();
    if (fits) {
      painter->fillRect(bar, theme.colour(isCurrent ? Colour::Accent : Colour::ComputePale));
    } else {
      painter->setPen(theme.colour(Colour::Budget));
      painter->drawRect(bar.adjusted(0, 0, -1, -1));
    }
    if (const double budget = index.data(PolicyModel::budgetShareRole).toDouble(); budget >= 0) {
      painter->setPen(QPen(theme.colour(Colour::Budget), 1, Qt::DashLine));
      painter->drawLine(at(budget), option.rect.top(), at(budget), option.rect.bottom());
    }
    if (!fits) {
      painter->setPen(theme.colour(Colour::Text));
      QRect line = option.rect.adjusted(0, 0, -4, 0);
      line.setLeft(cell.right() + 8);
      painter->drawText(line, Qt::AlignLeft | Qt::AlignVCenter, painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, line.width()));
    }
    painter->restore();
  }

 private:
  PolicyPanel& m_panel;
};

PolicyPanel::PolicyPanel(QWidget* parent) : QWidget(parent), m_headline(new QLabel(this)), m_sorted(new QSortFilterProxyModel(this)) {
  setObjectName("policyPanel");
  setAttribute(Qt::WA_StyledBackground);
  m_headline->setObjectName("policyHeadline");
  m_headline->setTextFormat(Qt::RichText);
  m_headline->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  m_sorted->setSourceModel(&m_model);
  m_sorted->setSortRole(PolicyModel::sortRole);
  m_table = copyableTable(m_sorted, "policyTable", tr("Policies"), this);
  m_table->setItemDelegate(new Bars(*this));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setTabKeyNavigation(false);
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(-1, Qt::AscendingOrder);
  auto* header = m_table->horizontalHeader();
  header->setStretchLastSection(false);
  header->setSectionResizeMode(PolicyModel::Bar, QHeaderView::Stretch);
  for (const auto& [column, width] : {std::pair{PolicyModel::Policy, 128}, {PolicyModel::Scheduled, 112}, {PolicyModel::Arena, 84}, {PolicyModel::Host, 76},
                                      {PolicyModel::Copied, 84}, {PolicyModel::Rebuilt, 60}, {PolicyModel::Time, 76}, {PolicyModel::Stalls, 72}})
    header->resizeSection(column, width);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 4, 8, 0);
  layout->setSpacing(4);
  layout->addWidget(m_headline);
  layout->addWidget(m_table, 1);
  connect(m_sorted, &QAbstractItemModel::modelReset, this, &PolicyPanel::spanRefusals);
  connect(m_sorted, &QAbstractItemModel::layoutChanged, this, &PolicyPanel::spanRefusals);
  connect(m_sorted, &QAbstractItemModel::rowsInserted, this, &PolicyPanel::spanRefusals);
  connect(m_table, &QTableView::activated, this, &PolicyPanel::choose);
  showNothing(tr("no network is loaded"));
}

void PolicyPanel::show(const PolicyAnswer& answer) {
  if (!answer.error.empty()) return showNothing(QString::fromStdString(answer.error).toHtmlEscaped());
  m_model.show(answer.table);
  const QString budget = answer.request.options.budget ? tr("budget %1 MiB").arg(mibText(*answer.request.options.budget)) : tr("no budget");
  const QString progress = answer.isDone() ? tr("Enter or a double click trains with a policy")
                                           : tr("planning %1 of %2: %3").arg(answer.table.rows.size() + 1).arg(answer.count).arg(QString::fromStdString(answer.working));
  m_headline->setText(tr("<b>Policies</b>&nbsp;&nbsp; %1, batch %2, %3&nbsp;&nbsp; %4")
                          .arg(QString::fromStdString(answer.request.net).toHtmlEscaped(), QString::number(answer.batch), budget, progress));
  m_headline->setToolTip(tr("times %1, copies and stalls included").arg(QString::fromStdString(answer.costs)));
}

void PolicyPanel::showNothing(const QString& reason) {
  m_model.show({});
  m_headline->setText(tr("<b>Policies</b>&nbsp;&nbsp; nothing to compare: %1").arg(reason));
}

void PolicyPanel::setTheme(const ChartTheme& theme) {
  m_theme = theme;
  m_table->viewport()->update();
}

/// What does not fit has no figures: there its words have room.
void PolicyPanel::spanRefusals() {
  m_table->clearSpans();
  for (int row = 0; row < m_sorted->rowCount(); ++row)
    if (!m_sorted->index(row, 0).data(PolicyModel::fitsRole).toBool()) m_table->setSpan(row, PolicyModel::Bar, 1, PolicyModel::ColumnCount - PolicyModel::Bar);
}

void PolicyPanel::choose(const QModelIndex& index) {
  const PolicyRow& row = m_model.row(m_sorted->mapToSource(index).row());
  if (row.fits()) emit chosen(QString::fromStdString(row.policy));
  else emit refused(QString::fromStdString(row.policy + " " + row.refused));
}

}  // namespace peakscope::ui
