// SPDX-License-Identifier: Apache-2.0
//
// Names of layers: what people call the module, whatever the exporter wrote around it.
#include "engine/importers/onnx_names.h"
#include "tests/support/test_main.h"

using namespace peakscope::engine;

namespace {

OnnxNode node(const std::string& name, const std::string& op) { return {.name = name, .op = op, .domain = {}, .inputs = {}, .outputs = {"y"}, .attributes = {}}; }

}  // namespace

class OnnxNamesTest : public QObject {
  Q_OBJECT
 private slots:
  void aModulesPathIsItsName_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("op");
    QTest::addColumn<QString>("expected");
    for (const auto& [name, op, expected] : {std::tuple{"/conv1/Conv", "Conv", "conv1"},
                                             {"/features/features.1/conv/conv.0/conv.0.0/Conv", "Conv", "features.1.conv.0.0"},
                                             {"/features/denseblock1/denselayer1/norm1/BatchNormalization", "BatchNormalization", "features.denseblock1.denselayer1.norm1"},
                                             {"/Flatten", "Flatten", "flatten"},
                                             {"/relu_1/Relu", "Relu", "relu_1"},
                                             {"Conv_12", "Conv", "conv_12"},
                                             {"", "MaxPool", "maxpool"},
                                             {"//", "MaxPool", "maxpool"},
                                             {"a b\n\"c\"", "Conv", "a_b__c_"},
                                             {"Convolution", "Conv", "Convolution"}})
      QTest::newRow(name) << name << op << expected;
  }
  void aModulesPathIsItsName() {
    QFETCH(QString, name);
    QFETCH(QString, op);
    QFETCH(QString, expected);
    const OnnxNode one = node(name.toStdString(), op.toStdString());
    OnnxNames names({one});
    QCOMPARE(names.unique(names.nameFor(one)), expected.toStdString());
  }

  void whatAModuleDoesBesideItsPartsIsNamedAfterTheOperator() {
    const std::vector nodes{node("/layer1/layer1.0/conv1/Conv", "Conv"), node("/layer1/layer1.0/Add", "Add")};
    OnnxNames names(nodes);
    QCOMPARE(names.nameFor(nodes[0]), std::string("layer1.0.conv1"));
    QCOMPARE(names.nameFor(nodes[1]), std::string("layer1.0.add"));
  }

  void namesAreUniqueAndShort() {
    OnnxNames names({});
    QCOMPARE(names.unique("relu"), std::string("relu"));
    QCOMPARE(names.unique("relu"), std::string("relu_2"));
    QCOMPARE(names.unique("relu_2"), std::string("relu_2_2"));
    QCOMPARE(names.unique("relu"), std::string("relu_3"));
    QVERIFY(names.unique(std::string(10'000, 'x')).size() <= 64);
    QVERIFY(names.unique(std::string(10'000, 'x')).size() <= 70);
    QCOMPARE(names.unique(""), std::string("layer"));
  }
};

PEAKSCOPE_TEST(OnnxNamesTest)
#include "onnx_names_test.moc"
