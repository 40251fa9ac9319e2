// SPDX-License-Identifier: Apache-2.0
//
// Lists of dimensions: Reshape's rules, axes, and numbers that are too large.
#include <limits>

#include "engine/importers/onnx_dims.h"
#include "tests/support/test_main.h"

using namespace peakscope::engine;

class OnnxDimsTest : public QObject {
  Q_OBJECT
 private slots:
  void reshapeCopiesAndFillsIn() {
    QCOMPARE(reshaped({2, 64, 7, 7}, {0, -1}, false), (OnnxDims{2, 3136}));
    QCOMPARE(reshaped({2, 6}, {3, 4}, false), (OnnxDims{3, 4}));
    QVERIFY(!reshaped({2, 6}, {5, -1}, false));
    QVERIFY(!reshaped({2, 6}, {-1, -1}, false));
    QVERIFY(!reshaped({2, 6}, {2, 6, 0}, false));   // nothing to copy
    QVERIFY(!reshaped({2, 6}, {0, -1}, true));      // a zero that means zero
  }

  void squeezeAndUnsqueezeAreInverse() {
    QCOMPARE(unsqueezed({64}, OnnxDims{0, -1}), (OnnxDims{1, 64, 1}));
    QCOMPARE(squeezed({1, 64, 1}, OnnxDims{0, -1}), (OnnxDims{64}));
    QCOMPARE(squeezed({2, 64, 1, 1}, std::nullopt), (OnnxDims{2, 64}));
    QVERIFY(!squeezed({2, 64}, OnnxDims{1}));
    QVERIFY(!unsqueezed({64}, OnnxDims{0, 0}));
    QVERIFY(!unsqueezed({64}, OnnxDims{5}));
  }

  void elementsThatDoNotFitHaveNoNumber() {
    constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
    QCOMPARE(elementsOf({2, 3, 4}), std::int64_t{24});
    QVERIFY(!elementsOf({largest, 2}));
    QVERIFY(!elementsOf({2, -1}));
    QVERIFY(!reshaped({largest, 2}, {-1}, false));
    QVERIFY(!axisOf(std::numeric_limits<std::int64_t>::min(), 4));
  }
};

PEAKSCOPE_TEST(OnnxDimsTest)
#include "onnx_dims_test.moc"
