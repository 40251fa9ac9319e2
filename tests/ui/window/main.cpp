// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QStandardPaths>

#include "tests/support/test_main.h"

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QStandardPaths::setTestModeEnabled(true);
  return peakscope::test::runAll(argc, argv);
}
