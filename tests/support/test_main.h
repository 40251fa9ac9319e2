// SPDX-License-Identifier: Apache-2.0
//
// One test executable per folder, one test class per subject. Each class registers itself; the folder's main.cpp runs all.
//
//   class LivenessTest : public QObject { Q_OBJECT private slots: void aTensorIsFreedAfterItsLastReader(); };
//   PEAKSCOPE_TEST(LivenessTest)
//   #include "liveness_test.moc"
#pragma once

#include <QObject>
#include <QStringList>
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

/// Runs every registered class; the exit code is the number of classes that failed. `Class` and `Class::function` run just
/// those; everything else (-v2, -o file) goes to Qt Test.
inline int runAll(int argc, char** argv) {
  QStringList options, wanted;
  for (int i = 0; i < argc; ++i) {
    const QString argument = QString::fromLocal8Bit(argv[i]);
    const bool isClass = i > 0 && !argument.startsWith(u'-') && argument.front().isUpper();
    (isClass ? wanted : options) += argument;
  }
  int failures = 0;
  for (const Factory& make : registry()) {
    const auto test = make();
    const QString name = QString::fromLatin1(test->metaObject()->className());
    QStringList arguments = options;
    for (const QString& one : wanted)
      if (one.section(QStringLiteral("::"), 0, 0) == name && one.contains(u':')) arguments += one.section(QStringLiteral("::"), 1);
    const bool isWanted = wanted.isEmpty() || wanted.contains(name) || arguments.size() > options.size();
    if (isWanted) failures += QTest::qExec(test.get(), arguments) != 0 ? 1 : 0;
  }
  return failures;
}

}  // namespace peakscope::test

#define PEAKSCOPE_TEST(Class) \
  static const bool registered##Class = ::peakscope::test::registerTest([] { return std::make_unique<Class>(); });
