// SPDX-License-Identifier: GPL-3.0-or-later
//
// All chart tests, offscreen.
#include <QApplication>

#include "tests/support/test_main.h"

int main(int argc, char** argv) {
  const QApplication application(argc, argv);
  return peakscope::test::runAll(argc, argv);
}
