// SPDX-License-Identifier: Apache-2.0
//
// The arrows of the module map, read off the includes: app -> ui -> ui/models -> memory, app -> engine -> memory,
// backends -> engine; vendor headers stay in their room. Also that each file says its licence.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include "tests/support/test_main.h"

namespace {

struct SourceFile {
  QString path;       ///< from the root: "memory/plan.h"
  QString text;
};

QList<SourceFile> sources(const QStringList& folders) {
  const QDir root(QStringLiteral(PEAKSCOPE_SOURCE_DIR));
  QList<SourceFile> files;
  for (const QString& folder : folders) {
    QDirIterator it(root.filePath(folder), {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      QFile file(it.next());
      if (file.open(QIODevice::ReadOnly)) files.append({root.relativeFilePath(file.fileName()), QString::fromUtf8(file.readAll())});
    }
  }
  return files;
}

QStringList includes(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("^\\s*#include\\s*[<\"]([^>\"]+)[>\"]"), QRegularExpression::MultilineOption);
  QStringList found;
  for (auto it = pattern.globalMatch(text); it.hasNext();) found.append(it.next().captured(1));
  return found;
}

bool startsWithAny(const QString& text, const QStringList& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const QString& prefix) { return text.startsWith(prefix); });
}

/// Files of `from` (but not of `except`) must not include anything that starts with one of `forbidden`.
struct Arrow {
  const char* name;
  QString from;
  QStringList except;
  QStringList forbidden;
};

const QStringList qt{QStringLiteral("Q"), QStringLiteral("qcustomplot")};
const QStringList vendors{QStringLiteral("oneapi/"), QStringLiteral("dnnl"), QStringLiteral("cuda"), QStringLiteral("cudnn"), QStringLiteral("cupti")};

QList<Arrow> arrows() {
  return {
      {"memory knows nobody", QStringLiteral("memory/"), {}, QStringList{QStringLiteral("engine/"), QStringLiteral("ui/"), QStringLiteral("app/")} + qt + vendors},
      {"engine knows memory only", QStringLiteral("engine/"), {QStringLiteral("engine/backends/")},
       QStringList{QStringLiteral("ui/"), QStringLiteral("app/"), QStringLiteral("engine/backends/")} + qt + vendors},
      {"the virtual backend has no vendor", QStringLiteral("engine/backends/virtual/"), {}, QStringList{QStringLiteral("ui/"), QStringLiteral("app/")} + qt + vendors},
      {"the cpu backend has oneDNN only", QStringLiteral("engine/backends/cpu/"), {},
       QStringList{QStringLiteral("ui/"), QStringLiteral("app/"), QStringLiteral("cuda"), QStringLiteral("engine/backends/virtual/")} + qt},
      {"models need no widgets", QStringLiteral("ui/models/"), {},
       {QStringLiteral("engine/backends/"), QStringLiteral("app/"), QStringLiteral("ui/panels/"), QStringLiteral("ui/charts/"), QStringLiteral("QWidget"), QStringLiteral("qcustomplot")}},
      {"charts know models, not panels", QStringLiteral("ui/charts/"), {}, {QStringLiteral("app/"), QStringLiteral("engine/"), QStringLiteral("ui/panels/")}},
      {"panels know no backend", QStringLiteral("ui/panels/"), {}, {QStringLiteral("app/"), QStringLiteral("engine/backends/"), QStringLiteral("qcustomplot")}},
      {"the command line has no Qt", QStringLiteral("app/cli/"), {}, QStringList{QStringLiteral("ui/")} + qt},
  };
}

}  // namespace

class LayeringTest : public QObject {
  Q_OBJECT
 private slots:
  void arrowsPointOneWay_data() {
    QTest::addColumn<int>("index");
    for (int i = 0; i < arrows().size(); ++i) QTest::newRow(arrows()[i].name) << i;
  }
  void arrowsPointOneWay() {
    QFETCH(int, index);
    const Arrow arrow = arrows()[index];
    QStringList broken;
    for (const SourceFile& file : sources({QStringLiteral("memory"), QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app")})) {
      if (!file.path.startsWith(arrow.from) || startsWithAny(file.path, arrow.except)) continue;
      for (const QString& header : includes(file.text))
        if (startsWithAny(header, arrow.forbidden)) broken.append(file.path + QStringLiteral(" includes ") + header);
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
  }

  void qcustomplotStaysInChartSources() {
    QStringList broken;
    for (const SourceFile& file : sources({QStringLiteral("ui"), QStringLiteral("app")}))
      if (includes(file.text).contains(QStringLiteral("qcustomplot.h")) && !(file.path.startsWith(QStringLiteral("ui/charts/"))))
        broken.append(file.path);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
  }

  void protobufStaysInOneImporterSource() {
    QStringList broken;
    for (const SourceFile& file : sources({QStringLiteral("memory"), QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app")}))
      for (const QString& header : includes(file.text))
        if (startsWithAny(header, {QStringLiteral("onnx/"), QStringLiteral("google/")}) && file.path != QStringLiteral("engine/importers/onnx_file.cpp"))
          broken.append(file.path + QStringLiteral(" includes ") + header);
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
  }

  void everyFileNamesItsLicence() {
    QStringList broken;
    for (const SourceFile& file : sources({QStringLiteral("memory"), QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app"), QStringLiteral("tests")})) {
      const bool isGpl = file.path.startsWith(QStringLiteral("ui/")) || file.path == QStringLiteral("app/window_main.cpp");
      const QString wanted = QStringLiteral("SPDX-License-Identifier: ") + (isGpl ? QStringLiteral("GPL-3.0-or-later") : QStringLiteral("Apache-2.0"));
      const QString firstLine = file.text.section(QLatin1Char('\n'), 0, 0);
      const bool isTest = file.path.startsWith(QStringLiteral("tests/"));
      if (!firstLine.contains(isTest ? QStringLiteral("SPDX-License-Identifier: ") : wanted)) broken.append(file.path + QStringLiteral(": ") + firstLine);
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
  }

  /// Past 400 lines a file gives its reason in its header: a line that begins with "// Long because".
  void longFilesGiveTheirReason() {
    QStringList broken;
    for (const SourceFile& file : sources({QStringLiteral("memory"), QStringLiteral("engine"), QStringLiteral("ui"), QStringLiteral("app"), QStringLiteral("tests")})) {
      const auto lines = file.text.count(QLatin1Char('\n'));
      if (lines > 400 && !file.text.contains(QStringLiteral("// Long because"))) broken.append(QStringLiteral("%1: %2 lines").arg(file.path).arg(lines));
    }
    QVERIFY2(broken.isEmpty(), qPrintable(broken.join(QLatin1Char('\n'))));
  }
};

PEAKSCOPE_TEST(LayeringTest)
#include "layering_test.moc"
