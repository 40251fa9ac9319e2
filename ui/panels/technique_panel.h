// SPDX-License-Identifier: GPL-3.0-or-later
//
// TechniquePanel (V9): network, batch, counting, and the techniques with what each of them does to the peak. It only says
// what the user wants; planning and running belong to others.
//
//   connect(panel, &TechniquePanel::optionsEdited, ...);   // techniques, budget: can change while it trains
//   connect(panel, &TechniquePanel::networkEdited, ...);   // network, batch, counting: another session
//   panel->showAnswer(answer);
#pragma once

#include <QWidget>

#include "ui/planner_service.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;
class QDoubleSpinBox;
class QGridLayout;

namespace peakscope::ui {

class TechniquePanel : public QWidget {
  Q_OBJECT

 public:
  explicit TechniquePanel(const QStringList& networks, QWidget* parent = nullptr);

  /// Shows these without saying that the user edited them.
  void setRequest(const PlanRequest& request);
  [[nodiscard]] const PlanRequest& request() const { return m_request; }
  void showAnswer(const PlanAnswer& answer);
  /// Where a change takes effect: "Changes apply at iteration 413".
  void setHint(const QString& text);

 signals:
  void optionsEdited(const peakscope::PolicyOptions& options);
  void networkEdited(const peakscope::ui::PlanRequest& request);

 private:
  struct Row {
    QCheckBox* box = nullptr;
    QLabel *peak = nullptr, *time = nullptr;   ///< what it changes
  };
  Row addTechnique(QGridLayout& grid, int row, const char* objectName, const QString& name, const QString& explanation);
  void editOptions();
  void editPolicy(const QString& policy);
  void editNetwork();
  void editLowering(int index);
  [[nodiscard]] Bytes shownBudget() const;
  void setEffect(const Row& row, const TechniqueEffect& effect, bool isOn);
  void showEffects(const PlanAnswer& answer);

  PlanRequest m_request;
  bool m_isSetting = false;
  Bytes m_need;                       ///< arena of the plan: the tick of the budget slider
  QComboBox *m_network, *m_lowering, *m_policy, *m_offloadSet, *m_prefetch, *m_recomputeMode, *m_eviction;
  QSpinBox* m_batch;
  QLabel *m_facts, *m_keepAll, *m_keepAllTime, *m_planned, *m_plannedTime, *m_hint;
  Row m_liveness, m_offload, m_recompute, m_cache, m_workspace;
  QCheckBox* m_hasBudget;
  QSlider* m_budgetSlider;
  QDoubleSpinBox* m_budget;
};

}  // namespace peakscope::ui
