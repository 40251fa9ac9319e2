// SPDX-License-Identifier: Apache-2.0
// Runs the tests of the trace file and of records as bytes.
#include "tests/support/test_main.h"

int main(int argc, char** argv) { return peakscope::test::runAll(argc, argv); }
