// SPDX-License-Identifier: Apache-2.0
//
// What the conformance of single ops does not say about the CPU backend: presets agree to the bit, layouts do not matter,
// workspaces are stated.
#include "engine/backend_failure.h"
#include "engine/backends/cpu/cpu_op.h"
#include "engine/backends/cpu/cpu_op_runner.h"
#include "engine/data/random.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;

namespace {

constexpr Shape imageShape{4, 19, 13, 11};

Values randomValues(std::int64_t elements, const char* key) {
  Random random(hashOf(key));
  Values values;
  for (std::int64_t i = 0; i < elements; ++i) values.push_back(static_cast<double>(static_cast<float>(random.normal())));
  return values;
}

/// Runs single ops over tensors by name.
class Ops {
 public:
  explicit Ops(std::int32_t threads = 2) : m_runner(threads) {}
  TensorId add(const TensorDesc& desc, Values values = {}) { return m_tensors.push_back({.desc = desc, .bytes = desc.shape.bytes(), .values = std::move(values)}); }
  TensorId addSaved(Bytes bytes) { return m_tensors.push_back({.bytes = bytes}); }
  void run(const OpDesc& desc, const std::vector<OpArg>& args) { m_runner.run({.desc = desc, .args = args, .tensors = m_tensors, .input = m_input}); }
  const Values& operator[](TensorId id) { return m_tensors[id].values; }
  OpLibrary& library() { return m_runner.library(); }

 private:
  cpu::CpuOpRunner m_runner;
  HostTensors m_tensors;
  IterationInput m_input{.iteration = 3};
};

OpArg reads(ArgRole role, TensorId tensor) { return {role, 0, tensor, Access::Read}; }
OpArg writes(ArgRole role, TensorId tensor) { return {role, 0, tensor, Access::Write}; }

/// Values with many ties: small whole numbers.
Values tiedValues(std::int64_t elements) {
  Values values = randomValues(elements, "ties");
  for (double& value : values) value = std::floor(value);
  return values;
}

}  // namespace

class CpuOpTest : public QObject {
  Q_OBJECT
 private slots:
  void maxPoolGivesTheSameGradientFromItsArgmaxAndFromItsTensors() {
    const TensorDesc in{imageShape, Layout::ChannelsLast}, out{{4, 19, 6, 5}, Layout::ChannelsLast};
    OpDesc desc{.layer = "pool", .params = PoolParams{.kernelH = 3, .kernelW = 3}, .src = {in}, .dst = out};
    Ops ops;
    const TensorId src = ops.add(in, tiedValues(in.shape.elements())), dst = ops.add(out), dstToo = ops.add(out);
    const TensorId diffDst = ops.add(out, randomValues(out.shape.elements(), "dy")), fromArgmax = ops.add(in), fromTensors = ops.add(in);
    const TensorId saved = ops.addSaved(ops.library().describe(desc).saved);
    ops.run(desc, {reads(ArgRole::Src, src), writes(ArgRole::Dst, dst), writes(ArgRole::Saved, saved)});
    desc.phase = Phase::Backward;
    ops.run(desc, {reads(ArgRole::DiffDst, diffDst), reads(ArgRole::Saved, saved), writes(ArgRole::DiffSrc, fromArgmax)});

    desc.savesForBackward = false;
    desc.phase = Phase::Forward;
    QCOMPARE(ops.library().describe(desc).saved, Bytes{});
    ops.run(desc, {reads(ArgRole::Src, src), writes(ArgRole::Dst, dstToo)});
    desc.phase = Phase::Backward;
    ops.run(desc, {reads(ArgRole::Src, src), reads(ArgRole::Dst, dst), reads(ArgRole::DiffDst, diffDst), writes(ArgRole::DiffSrc, fromTensors)});
    QCOMPARE(ops[dstToo], ops[dst]);
    QCOMPARE(ops[fromTensors], ops[fromArgmax]);
  }

  void gradientsOfReluAndLrnAreTheSameInPlace_data() {
    QTest::addColumn<bool>("isLrn");
    QTest::newRow("relu") << false;
    QTest::newRow("lrn") << true;
  }
  void gradientsOfReluAndLrnAreTheSameInPlace() {
    QFETCH(bool, isLrn);
    const TensorDesc image{imageShape, Layout::ChannelsLast};
    OpDesc desc{.layer = "layer", .params = ReluParams{}, .phase = Phase::Backward, .src = {image}, .dst = image};
    if (isLrn) desc.params = LrnParams{.alpha = 0.5F};
    Ops ops;
    const std::int64_t elements = imageShape.elements();
    const TensorId x = ops.add(image, randomValues(elements, "x")), diffDst = ops.add(image, randomValues(elements, "dy"));
    const TensorId apart = ops.add(image), inPlace = ops.add(image, randomValues(elements, "dy"));
    const std::vector<OpArg> inputs{reads(ArgRole::Src, x), reads(ArgRole::Dst, x)};
    ops.run(desc, {inputs[0], inputs[1], reads(ArgRole::DiffDst, diffDst), writes(ArgRole::DiffSrc, apart)});
    desc.isInPlace = true;
    ops.run(desc, {inputs[0], inputs[1], {ArgRole::DiffDst, 0, inPlace, Access::ReadWrite}, {ArgRole::DiffSrc, 0, inPlace, Access::ReadWrite}});
    QCOMPARE(ops[inPlace], ops[apart]);
  }

  void dropoutKeepsTheSameElementsInEveryLayout() {
    Ops ops;
    const Values values = randomValues(imageShape.elements(), "x");
    std::vector<Values> results;
    for (const Layout layout : {Layout::Plain, Layout::ChannelsLast}) {
      const TensorDesc image{imageShape, layout};
      const OpDesc desc{.layer = "drop", .params = DropoutParams{}, .src = {image}, .dst = image};
      const TensorId src = ops.add(image, values), dst = ops.add(image);
      ops.run(desc, {reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)});
      results.push_back(ops[dst]);
    }
    QCOMPARE(results[0], results[1]);
  }

  void dropoutDropsItsShareAndNothingInEvaluation() {
    const TensorDesc scores{{100, 1000, 1, 1}, Layout::Plain};
    OpDesc desc{.layer = "drop", .params = DropoutParams{.rate = 0.3F}, .src = {scores}, .dst = scores};
    Ops ops;
    const TensorId src = ops.add(scores, Values(100000, 1.0)), dst = ops.add(scores);
    ops.run(desc, {reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)});
    const auto dropped = std::count(ops[dst].begin(), ops[dst].end(), 0.0);
    QVERIFY2(std::abs(dropped - 30000) < 1000, qPrintable(QString::number(dropped)));
    desc.isTraining = false;
    ops.run(desc, {reads(ArgRole::Src, src), writes(ArgRole::Dst, dst)});
    QCOMPARE(ops[dst], ops[src]);
  }

  void theCandidateWithTheFewestWorkspaceBytesComesFirst() {
    Ops ops;
    const TensorDesc image{{8, 64, 28, 28}, Layout::ChannelsLast};
    for (const Phase phase : {Phase::Forward, Phase::Backward}) {
      const OpDesc desc{.layer = "conv", .params = ConvParams{.outChannels = 64, .kernelH = 3, .kernelW = 3, .padH = 1, .padW = 1}, .phase = phase, .src = {image}, .dst = image};
      const OpNeeds needs = ops.library().describe(desc);
      for (std::size_t k = 0; k < needs.candidates.size(); ++k) {
        QVERIFY(needs.candidates[0].workspace <= needs.candidates[k].workspace);
        QCOMPARE(cpu::makeCpuOp(desc, static_cast<std::int32_t>(k), 2)->workspace(), needs.candidates[k].workspace);
      }
      QVERIFY_EXCEPTION_THROWN((void)cpu::makeCpuOp(desc, static_cast<std::int32_t>(needs.candidates.size()), 2), BackendFailure);
    }
  }
};

PEAKSCOPE_TEST(CpuOpTest)
#include "cpu_op_test.moc"
