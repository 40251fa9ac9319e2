// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table as CSV, in the order in which it is shown: exact values (Qt::EditRole) where the model has them, else its texts.
//
//   clipboard->setText(tableCsv(*view->model()));
#pragma once

#include <QString>

class QAbstractItemModel;

namespace peakscope::ui {

[[nodiscard]] QString tableCsv(const QAbstractItemModel& model);

}  // namespace peakscope::ui
