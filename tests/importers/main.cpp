// SPDX-License-Identifier: Apache-2.0
//
// Runs every test class of this folder: networks from other programs' files.
#include "tests/support/test_main.h"

int main(int argc, char** argv) { return peakscope::test::runAll(argc, argv); }
