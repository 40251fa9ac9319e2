// SPDX-License-Identifier: Apache-2.0
#include "tests/support/test_main.h"

int main(int argc, char** argv) { return peakscope::test::runAll(argc, argv); }
