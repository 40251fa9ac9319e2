// SPDX-License-Identifier: Apache-2.0
//
// One test executable per folder, one test class per subject. Each class registers itself; the folder's main.cpp runs all.
//
//   class LivenessTest : public QObject { Q_OBJECT private slots: void aTensorIsFreedAfterItsLastReader(); };
//   PEAKSCOPE_TEST(LivenessTest)
//   #include "liveness_test.moc"
#pragma once

#include <QObject>
#include <QTest>
#include <functional>
#include <memory>
#include <vector>

namespace peakscope::test {

using Factory = std::function<std::unique_ptr<QObject>()>;

/// The one registry of a test executable; filled before main by PEAKSCOPE_TEST.
inline std::vector<Factory>& registry() {
  static std::vector<Factory> factories;
  return factories;
}

inline bool registerTest(Factory factory) {
  registry().push_back(std::move(factory));
  return true;
}

/// Runs every registered class; the exit code is the number of classes that failed.
/// With arguments `Class` or `Class::function`, Qt Test runs just those.
inline int runAll(int argc, char** argv) {
  int failures = 0;
  for (const Factory& make : registry()) {
    const auto test = make();
    failures += QTest::qExec(test.get(), argc, argv) != 0 ? 1 : 0;
  }
  return failures;
}

}  // namespace peakscope::test

#define PEAKSCOPE_TEST(Class) \
  static const bool registered##Class = ::peakscope::test::registerTest([] { return std::make_unique<Class>(); });
