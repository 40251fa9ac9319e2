// SPDX-License-Identifier: Apache-2.0
// Runs the tests of data sets, executor, backends' lanes and sessions.
#include "tests/support/test_main.h"

int main(int argc, char** argv) { return peakscope::test::runAll(argc, argv); }
