// SPDX-License-Identifier: Apache-2.0
//
// Every op of the CPU backend against the reference, the reference against finite differences, and a runner with known
// faults, which must all be noticed.
#include "engine/backend_failure.h"
#include "engine/backends/cpu/cpu_op_runner.h"
#include "engine/selftest/conformance.h"
#include "engine/selftest/reference.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

namespace {

void addRows(const std::vector<ConformanceResult>& results) {
  QTest::addColumn<bool>("passed");
  QTest::addColumn<double>("error");
  QTest::addColumn<double>("tolerance");
  QTest::addColumn<QString>("detail");
  for (const ConformanceResult& r : results) QTest::newRow(r.name.c_str()) << r.passed << r.maxError << r.tolerance << QString::fromStdString(r.detail);
}

void checkRow() {
  QFETCH(bool, passed);
  QFETCH(double, error);
  QFETCH(double, tolerance);
  QFETCH(QString, detail);
  QVERIFY2(passed, qPrintable(QStringLiteral("%1: error %2, tolerance %3").arg(detail).arg(error).arg(tolerance)));
}

/// The reference as a backend, with one op spoilt.
class FaultyRunner final : public OpRunner {
 public:
  enum class Fault { None, WrongValue, NotWritten, Fails, ChangesWithEachRun };
  FaultyRunner(Fault fault, Phase phase) : m_fault(fault), m_phase(phase) {}
  std::string name() const override { return "faulty"; }
  OpLibrary& library() override { return m_library; }
  void run(const OpCall& call) override {
    runReference(call);
    if (!std::holds_alternative<ConvParams>(call.desc.params) || call.desc.phase != m_phase) return;
    if (m_fault == Fault::Fails) throw BackendFailure("out of order");
    for (const OpArg& arg : call.args) {
      if (!writesTensor(arg.access)) continue;
      double& value = call.tensors[arg.tensor].values.back();
      if (m_fault == Fault::WrongValue) value += 0.01;
      if (m_fault == Fault::NotWritten) value = std::numeric_limits<double>::quiet_NaN();
      if (m_fault == Fault::ChangesWithEachRun) value += 1e-9 * ++m_runs;
    }
  }

 private:
  Fault m_fault;
  Phase m_phase;
  int m_runs = 0;
  IdealLibrary m_library;
};

}  // namespace

class ConformanceTest : public QObject {
  Q_OBJECT
 private slots:
  void gradientsOfTheReferenceAreTheSlopesOfItsLoss_data() { addRows(checkReference()); }
  void gradientsOfTheReferenceAreTheSlopesOfItsLoss() { checkRow(); }

  void theCpuComputesWhatTheReferenceComputes_data() {
    cpu::CpuOpRunner runner(2);
    addRows(runConformance(runner));
  }
  void theCpuComputesWhatTheReferenceComputes() { checkRow(); }

  void theReferenceConformsToItself() {
    FaultyRunner runner(FaultyRunner::Fault::None, Phase::Forward);
    for (const ConformanceResult& r : runConformance(runner)) QVERIFY2(r.passed, qPrintable(QString::fromStdString(r.name + ": " + r.detail)));
  }

  void everyFaultOfAConvolutionIsNoticed_data() {
    QTest::addColumn<int>("fault");
    QTest::newRow("a wrong value") << static_cast<int>(FaultyRunner::Fault::WrongValue);
    QTest::newRow("an element not written") << static_cast<int>(FaultyRunner::Fault::NotWritten);
    QTest::newRow("a failure") << static_cast<int>(FaultyRunner::Fault::Fails);
    QTest::newRow("another value each time") << static_cast<int>(FaultyRunner::Fault::ChangesWithEachRun);
  }
  void everyFaultOfAConvolutionIsNoticed() {
    QFETCH(int, fault);
    for (const Phase phase : {Phase::Forward, Phase::Backward}) {
      FaultyRunner runner(static_cast<FaultyRunner::Fault>(fault), phase);
      int noticed = 0;
      for (const ConformanceResult& r : runConformance(runner)) {
        const bool hasConvolution = r.name.starts_with("conv ") && (phase == Phase::Forward || !r.name.ends_with("evaluation"));
        if (!hasConvolution) continue;
        QVERIFY2(!r.passed, r.name.c_str());
        ++noticed;
      }
      QVERIFY(noticed > 5);
    }
  }
};

PEAKSCOPE_TEST(ConformanceTest)
#include "conformance_test.moc"
