// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the tests of what the window shows, without a window.
#include <QCoreApplication>

#include "tests/support/test_main.h"

int main(int argc, char** argv) {
  const QCoreApplication app(argc, argv);
  return peakscope::test::runAll(argc, argv);
}
