// SPDX-License-Identifier: Apache-2.0
//
// Lowerings of all presets and option sets: complete and consistent, whatever the network.
#include <map>
#include <set>

#include "memory/plan_check.h"
#include "memory/policy.h"
#include "tests/engine/sample_lowerings.h"
#include "tests/support/oracle_workload.h"
#include "tests/support/test_main.h"

using namespace peakscope;
using namespace peakscope::engine;
using namespace peakscope::test;

namespace {

/// What is wrong with the order of accesses along the route; empty if nothing.
std::string problemOf(const Workload& workload) {
  IdVector<TensorId, bool> isWritten(workload.tensors.size(), false);
  for (const TensorId id : idsOf(workload.tensors))
    isWritten[id] = workload.tensors[id].isPersistent && workload.tensors[id].kind != TensorKind::Input && workload.tensors[id].kind != TensorKind::Staging;
  IdVector<TensorId, bool> isTouched(workload.tensors.size(), false);
  for (const OpId id : workload.route) {
    const Op& op = workload.ops[id];
    for (const OpArg& arg : op.args) {
      isTouched[arg.tensor] = true;
      if (readsTensor(arg.access) && !isWritten[arg.tensor]) return opName(workload, id) + " reads " + workload.tensors[arg.tensor].name + " before it is written";
    }
    if (op.rebuild.isValid())
      for (const OpArg& arg : workload.ops[op.rebuild].args) {
        bool isArg = false, isInPlace = false;
        for (const OpArg& own : op.args) {
          isArg = isArg || own.tensor == arg.tensor;
          isInPlace = isInPlace || (own.tensor == arg.tensor && own.access == Access::ReadWrite);
        }
        if (!isArg) return opName(workload, id) + ": its rebuild touches another tensor, " + workload.tensors[arg.tensor].name;
        if (arg.access == Access::ReadWrite && !isInPlace) return opName(workload, id) + ": its rebuild changes " + workload.tensors[arg.tensor].name;
      }
    for (const OpArg& arg : op.args)
      if (writesTensor(arg.access)) isWritten[arg.tensor] = true;
    if (op.candidates.empty()) return opName(workload, id) + " has no candidate";
    for (const OpCandidate& candidate : op.candidates)
      if (candidate.workspace < op.candidates[0].workspace) return opName(workload, id) + ": its first candidate does not take the least";
  }
  for (const TensorId id : idsOf(workload.tensors))
    if (!isTouched[id] && !workload.tensors[id].isPersistent) return workload.tensors[id].name + " is touched by nobody";
  return {};
}

const OpDesc& descOf(const Lowering& lowering, const std::string& name) {
  for (const OpId id : idsOf(lowering.workload.ops))
    if (opName(lowering.workload, id) == name) return lowering.ops[id];
  qFatal("no op %s", name.c_str());
}

std::set<std::string> namesOf(const Workload& workload) {
  std::set<std::string> names;
  for (const Tensor& tensor : workload.tensors) names.insert(tensor.name);
  return names;
}

}  // namespace

class LeanLoweringTest : public QObject {
  Q_OBJECT
 private slots:
  void everyTensorIsWrittenBeforeItIsRead_data() {
    QTest::addColumn<QString>("net");
    QTest::addColumn<QString>("options");
    for (const char* net : {"lenet", "minivgg", "alexnet", "vgg16", "cifar", "cifar10", "residual32", "resnet50", "googlenet", "inception4-bn", "densenet121"})
      for (const char* options : {"paper", "lean", "paper,fork-copies=off,join-copies=off", "lean,fork-copies=on,join-copies=on", "lean,relu-in-place=off,fused-batchnorm-relu=off",
                                  "lean,rebuilds-saved=off,updates-in-backward=off", "paper,relu-in-place=on,saves-argmax=on,fused-batchnorm-relu=on", "lean,input-gradient=on"})
        QTest::newRow((std::string(net) + " " + options).c_str()) << net << options;
  }
  void everyTensorIsWrittenBeforeItIsRead() {
    QFETCH(QString, net);
    QFETCH(QString, options);
    const Graph graph = sample(net.toStdString());
    for (const bool isTraining : {true, false}) {
      const Lowering lowering = lowered(graph, 8, options.toStdString(), isTraining);
      QCOMPARE(lowering.ops.size(), lowering.workload.ops.size());
      QCOMPARE(lowering.tensors.size(), lowering.workload.tensors.size());
      QCOMPARE(QString::fromStdString(problemOf(lowering.workload)), QString());
    }
  }

  void persistentTensorsComeFirstAndAreTheSameInEvaluation_data() { everyTensorIsWrittenBeforeItIsRead_data(); }
  void persistentTensorsComeFirstAndAreTheSameInEvaluation() {
    QFETCH(QString, net);
    QFETCH(QString, options);
    const Graph graph = sample(net.toStdString());
    const Workload training = lowered(graph, 8, options.toStdString()).workload, evaluation = lowered(graph, 8, options.toStdString(), false).workload;
    bool isBehind = false;
    for (const TensorId id : idsOf(training.tensors)) {
      isBehind = isBehind || !training.tensors[id].isPersistent;
      QCOMPARE(training.tensors[id].isPersistent, !isBehind);
      if (!isBehind) QVERIFY(training.tensors[id] == evaluation.tensors[id]);
      QCOMPARE(evaluation.tensors.contains(id) && evaluation.tensors[id].isPersistent, !isBehind);
    }
  }

  void everyPlanIsProvenSafe_data() { everyTensorIsWrittenBeforeItIsRead_data(); }
  void everyPlanIsProvenSafe() {
    QFETCH(QString, net);
    QFETCH(QString, options);
    const Workload workload = lowered(sample(net.toStdString()), 8, options.toStdString()).workload;
    const CostTable costs = uniformCosts(workload);
    for (const char* configuration : {"baseline", "liveness", "conv_prefetch", "ckpt_demand", "recompute_memory", "conv_prefetch_cost", "ckpt_demand_speed"}) {
      const auto plan = makePlan({workload, roomyDevice(), costs}, optionsOf(configuration));
      QVERIFY2(plan.has_value(), configuration);
      const auto problems = checkPlan(*plan, workload);
      QVERIFY2(problems.empty(), problems.empty() ? "" : (std::string(configuration) + ": " + problems.front().text).c_str());
    }
  }

  void leanRunsReluInsideBatchNormAndInPlaceBehindConvolutions() {
    const auto miniVgg = lowered(sample("minivgg"), 8, "lean");
    QVERIFY(descOf(miniVgg, "bn1_1 forward").hasFusedRelu);
    QVERIFY(!namesOf(miniVgg.workload).contains("relu1_1.out"));
    const auto alexnet = lowered(sample("alexnet"), 8, "lean");
    QVERIFY(descOf(alexnet, "relu1 forward").isInPlace);
    QVERIFY(!namesOf(alexnet.workload).contains("relu1.out"));
  }

  void leanCopiesNothingAtForksAndJoins() {
    const auto lowering = lowered(sample("resnet50"), 8, "lean");
    for (const std::string& name : namesOf(lowering.workload)) {
      QVERIFY2(!name.starts_with("fork"), name.c_str());
      QVERIFY2(!name.starts_with("join") || name.ends_with(".out"), name.c_str());
    }
  }

  void aGradientSharedByBranchesIsNotOverwrittenWhileOneStillWaits() {
    // The ReLU of branch b comes first in backward and may not touch the gradient that branch a still needs.
    GraphBuilder b("shared");
    const LayerId data = b.add("data", DataParams{{0, 4, 8, 8}, 10}, {});
    const LayerId fork = b.add("fork", ForkParams{}, {b.add("conv", ConvParams{.outChannels = 4}, {data})});
    const LayerId left = b.add("reluA", ReluParams{}, {b.add("bnA", BatchNormParams{}, {fork})});
    const LayerId right = b.add("reluB", ReluParams{}, {b.add("lrnB", LrnParams{}, {fork})});
    const LayerId join = b.add("join", AddParams{}, {left, right});
    b.add("softmax", SoftmaxLossParams{}, {b.add("fc", FcParams{10}, {join})});
    const auto graph = b.build();
    QVERIFY(graph.has_value());
    const auto lowering = lowered(*graph, 2, "lean,fused-batchnorm-relu=off");
    QVERIFY(!descOf(lowering, "reluB backward").isInPlace);
    QVERIFY(descOf(lowering, "reluA backward").isInPlace);   // the last one to look at it
    QCOMPARE(QString::fromStdString(problemOf(lowering.workload)), QString());
  }

  void theFirstLayerHasNoInputGradientInLean() {
    const auto lean = lowered(sample("lenet"), 8, "lean"), paper = lowered(sample("lenet"), 8, "paper");
    QVERIFY(!descOf(lean, "conv1 backward").needsDiffSrc);
    QVERIFY(!namesOf(lean.workload).contains("conv1.dx"));
    QVERIFY(namesOf(paper.workload).contains("conv1.dx"));
  }

  void rebuildsOfBatchNormOnlyReadStatistics() {
    for (const char* options : {"paper", "lean"}) {
      const Lowering lowering = lowered(sample("minivgg"), 8, options);
      for (const Op& op : lowering.workload.ops) {
        if (op.phase != Phase::Rebuild) continue;
        for (const OpArg& arg : op.args) {
          QVERIFY(arg.role != ArgRole::RunningMean && arg.role != ArgRole::RunningVariance);
          if (arg.role == ArgRole::Mean || arg.role == ArgRole::Variance) QCOMPARE(arg.access, Access::Read);
          if (arg.role == ArgRole::Saved) QCOMPARE(std::string(options), std::string("lean"));
        }
      }
    }
  }

  void optionsRoundTripAsText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("canonical");
    QTest::newRow("paper") << "paper" << "paper";
    QTest::newRow("lean") << "lean" << "lean";
    QTest::newRow("no preset") << "relu-in-place=off" << "lean,relu-in-place=off";
    QTest::newRow("no difference") << "paper,fork-copies=on" << "paper";
    QTest::newRow("several") << "paper,saves-argmax=on,relu-in-place=on" << "paper,relu-in-place=on,saves-argmax=on";
  }
  void optionsRoundTripAsText() {
    QFETCH(QString, text);
    QFETCH(QString, canonical);
    const auto options = LoweringOptions::parse(text.toStdString());
    QVERIFY(options.has_value());
    QCOMPARE(QString::fromStdString(options->text()), canonical);
  }

  void unknownOptionsListTheKnownOnes() {
    for (const char* text : {"fat", "lean,relu-in-place", "lean,relu-in-place=yes", "", "lean,", "paper,lean"}) {
      const auto options = LoweringOptions::parse(text);
      QVERIFY2(!options.has_value(), text);
    }
    QVERIFY(QString::fromStdString(LoweringOptions::parse("fat").error().message).contains("fork-copies, join-copies, relu-in-place"));
  }
};

PEAKSCOPE_TEST(LeanLoweringTest)
#include "lean_lowering_test.moc"
