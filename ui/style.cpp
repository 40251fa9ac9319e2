// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style.h"

namespace peakscope::ui {

QString styleSheet(const ChartTheme& theme) {
  using report::Colour;
  QString sheet = QStringLiteral(R"(
    QWidget { font-size: 12px; color: %text; }
    QMainWindow, QMainWindow::separator { background: %window; }
    QMainWindow::separator { width: 8px; height: 8px; }
    QMenuBar, QToolBar, QStatusBar { background: %header; border: none; }
    QToolBar { border-bottom: 1px solid %border; spacing: 6px; padding: 6px 8px; }
    QStatusBar { border-top: 1px solid %border; }
    QStatusBar::item { border: none; }
    QDockWidget { font-weight: bold; }
    QDockWidget::title { background: %header; padding: 7px 12px; border: 1px solid %border; }
    QDockWidget > QWidget, #timeline, #runDock QTabWidget::pane, QTabWidget > QWidget { background: %panel; }
    #timeline, #techniquesPanel, #livePanel, #trainingPanel, #policyPanel { background: %panel; border: 1px solid %border; }
    QTabWidget::pane { border: none; }
    QTabBar::tab { background: %header; padding: 6px 14px; border: none; border-bottom: 2px solid transparent; color: %muted; }
    QTabBar::tab:selected { background: %panel; border-bottom: 2px solid %accent; color: %text; font-weight: bold; }
    QPushButton, QToolButton, QComboBox, QSpinBox, QDoubleSpinBox, QLineEdit {
      background: %control; border: 1px solid %border; border-radius: 3px; min-height: 22px; padding: 0 8px; }
    QPushButton:checked { background: %soft; border-color: %accent; color: %accent; font-weight: bold; }
    QPushButton:focus, QToolButton:focus, QComboBox:focus, QSpinBox:focus, QDoubleSpinBox:focus, QLineEdit:focus, QTableView:focus { border-color: %accent; }
    QToolButton:disabled, QComboBox:disabled, QCheckBox:disabled, QLabel:disabled, QDoubleSpinBox:disabled { color: %disabled; }
    QToolButton:hover, QPushButton:hover { background: %soft; }
    QTableView, QTextEdit { background: %panel; alternate-background-color: %alternate; border: none; selection-background-color: %soft; selection-color: %text; }
    QHeaderView::section { background: %panel; border: none; border-bottom: 1px solid %border; padding: 4px 6px; color: %muted; font-weight: normal; }
    QScrollBar { background: %panel; border: none; }
    QScrollBar:vertical { width: 10px; }
    QScrollBar:horizontal { height: 10px; }
    QScrollBar::handle { background: %border; border-radius: 3px; min-height: 24px; min-width: 24px; }
    QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
    QScrollBar::add-page, QScrollBar::sub-page { background: %panel; }
    QTabBar { background: %header; }
    QMenu, QDialog, QMessageBox { background: %panel; }
    QMenu { border: 1px solid %border; padding: 4px 0; }
    QMenu::item { padding: 4px 24px; }
    QMenu::item:selected, QMenuBar::item:selected { background: %soft; }
    QMenu::item:disabled { color: %disabled; }
    QMenu::separator { height: 1px; background: %border; margin: 4px 8px; }
    QComboBox QAbstractItemView, QDialog QAbstractItemView { background: %control; selection-background-color: %soft; selection-color: %text; }
    QToolBar::separator { background: %border; width: 1px; margin: 2px 6px; }
    QToolTip { background: %tooltip; color: %text; border: 1px solid %border; padding: 4px; }
    #separator { color: %border; background: %border; border: none; max-height: 1px; }
    #hint { background: %soft; border-radius: 3px; padding: 8px; }
    #hint:empty { background: transparent; }
    #figure { font-size: 13px; }
    #badge { color: %warning; font-weight: bold; }
    #message { color: %muted; padding-right: 8px; }
  )");
  const std::pair<const char*, Colour> names[] = {
      {"%text", Colour::Text},     {"%window", Colour::Window},       {"%header", Colour::Header},   {"%border", Colour::Border},
      {"%panel", Colour::Panel},   {"%muted", Colour::MutedText},     {"%accent", Colour::Accent},   {"%control", Colour::Control},
      {"%soft", Colour::AccentSoft}, {"%disabled", Colour::DisabledText}, {"%alternate", Colour::AlternateRow}, {"%tooltip", Colour::Tooltip},
      {"%warning", Colour::Budget}};
  for (const auto& [name, colour] : names) sheet.replace(QLatin1String(name), theme.colour(colour).name());
  return sheet;
}

}  // namespace peakscope::ui
