// SPDX-License-Identifier: Apache-2.0
//
// Files that cannot be read are exit code 2, files that cannot be written 3; either way every file stays as it was.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <map>

#include "tests/app/cli_process.h"
#include "tests/support/test_main.h"

using namespace peakscope::test;

namespace {

struct Case {
  int exitCode;
  const char* arguments;      ///< separated by spaces; names are those of initTestCase
  const char* says;
};

constexpr Case cases[] = {
    // traces to read
    {2, "report missing.peakscope --json new.json", "missing.peakscope: does not exist"},
    {2, "report empty.peakscope --json new.json", "empty.peakscope: is empty"},
    {2, "report garbage.peakscope --json new.json", "garbage.peakscope"},
    {2, "report foreign.txt --json new.json", "foreign.txt"},
    {2, "report folder --json new.json", "folder: is a folder"},
    {2, "report cut.peakscope --json new.json", "cut.peakscope"},
    {2, "report foreign.txt/below --json new.json", "foreign.txt/below"},
    // reports that make no sense
    {2, "report good.peakscope", "nothing to write"},
    {2, "report missing.peakscope", "nothing to write"},
    {2, "report good.peakscope --html good.peakscope", "is the trace itself"},
    {2, "report good.peakscope --json folder/../good.peakscope", "is the trace itself"},
    {2, "report good.peakscope --html new --json ./new", "--html and --json"},
    // reports that cannot be written
    {3, "report good.peakscope --html foreign.txt/x.html", "foreign.txt/x.html"},
    {3, "report good.peakscope --html missing/x.html", "missing/x.html"},
    {3, "report good.peakscope --html folder", "folder"},
    {3, "report good.peakscope --json foreign.txt/x.json", "foreign.txt/x.json"},
    {3, "report good.peakscope --csv foreign.txt", "foreign.txt"},
    {3, "report good.peakscope --csv foreign.txt/x", "foreign.txt/x"},
    {3, "report good.peakscope --svg foreign.txt/x", "foreign.txt/x"},
    {3, "report good.peakscope --pdf foreign.txt/x", "foreign.txt/x"},
    {3, "report good.peakscope --png foreign.txt/x", "foreign.txt/x"},
    {3, "report good.peakscope --html pipe", "pipe"},
    {3, "report good.peakscope --json pipe", "pipe"},
    // traces to write
    {2, "simulate lenet --trace folder", "folder"},
    {2, "simulate lenet --trace foreign.txt", "foreign.txt: exists and is not a trace"},
    {2, "simulate lenet --trace pipe", "pipe"},
    {3, "simulate lenet --trace missing/x.peakscope", "missing/x.peakscope"},
    {3, "simulate lenet --trace foreign.txt/x.peakscope", "foreign.txt/x.peakscope"},
    {2, "train lenet --iterations 1 --trace folder", "folder"},
    {2, "train lenet --iterations 1 --trace foreign.txt", "foreign.txt: exists and is not a trace"},
    {3, "train lenet --iterations 1 --trace missing/x.peakscope", "missing/x.peakscope"},
    {3, "train lenet --iterations 1 --json --trace foreign.txt/x.peakscope", "foreign.txt/x.peakscope"},
    // refused requests leave an older trace alone, and make no new one
    {2, "simulate missing --trace good.peakscope", "missing"},
    {2, "simulate missing --trace new.peakscope", "missing"},
    {1, "simulate lenet --budget 1MiB --trace good.peakscope", "does not fit"},
    {2, "train missing --trace good.peakscope", "missing"},
    {2, "train missing --trace new.peakscope", "missing"},
    {2, "train lenet --data folder --trace good.peakscope", "folder"},
    {1, "train lenet --budget 1MiB --trace new.peakscope", "does not fit"},
    // data
    {2, "train lenet --data missing", "missing"},
    {2, "train lenet --data folder", "folder"},
    {2, "train lenet --data foreign.txt", "foreign.txt"},
    {2, "train lenet --data baddata", "baddata"},
    // networks and devices
    {2, "plan folder", "folder"},
    {2, "plan ./bad.json", "bad.json:1"},
    {2, "plan ./object.json", "object.json:1"},
    {2, "plan ./empty.peakscope", "empty.peakscope"},
    {2, "plan ./garbage.peakscope", "garbage.peakscope"},
    {2, "plan model.onnx", "model.onnx"},
    {2, "plan lenet --device folder", "folder"},
    {2, "plan lenet --device ./bad.json", "bad.json:1"},
    {2, "plan lenet --device ./object.json", "object.json:1"},
    {2, "plan lenet --device ./negative.json", "memoryMiB"},
    {2, "plan lenet --device ./empty.peakscope", "empty.peakscope"},
    {2, "simulate lenet --device ./garbage.peakscope", "garbage.peakscope"},
};

}  // namespace

class FileErrorTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QDir(m_folder.path()).mkdir("folder");
    QDir(m_folder.path()).mkdir("baddata");
    write("foreign.txt", "somebody's work\n");
    write("empty.peakscope", "");
    write("garbage.peakscope", QByteArray("\x01\xff\n\"{", 5).repeated(1000));
    write("bad.json", "{");
    write("object.json", "{}");
    write("negative.json", R"({"name": "x", "source": "x", "memoryMiB": -1, "hostMemoryMiB": 1, "teraflops": 1, "memoryGBps": 1, "linkGBps": 1, "launchNs": 1})");
    for (const char* name : {"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
      write(QStringLiteral("baddata/") + name, "not pixels");
    QCOMPARE(runInShell("mkfifo pipe", m_folder.path()).exitCode, 0);
    QCOMPARE(runCli({"simulate", "lenet", "--iterations", "2", "--trace", "good.peakscope"}, m_folder.path()).exitCode, 0);
    write("cut.peakscope", read("good.peakscope").left(20'000));
    m_before = contents();
  }

  void anErrorIsOneLineAndChangesNothing_data() {
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QByteArray>("says");
    for (const Case& c : cases) QTest::newRow(c.arguments) << c.exitCode << QString::fromLatin1(c.arguments) << QByteArray(c.says);
  }
  void anErrorIsOneLineAndChangesNothing() {
    QFETCH(int, exitCode);
    QFETCH(QString, arguments);
    QFETCH(QByteArray, says);
    const QByteArray problem = errorProblem(runCli(arguments.split(QLatin1Char(' ')), m_folder.path()), exitCode, says);
    QVERIFY2(problem.isEmpty(), problem.constData());
    QCOMPARE(changes(), QStringList());
  }

  void aLineBreakInATargetsNameStaysOnTheLine() {
    const QByteArray problem = errorProblem(runCli({"report", "good.peakscope", "--html", "foreign.txt/a\nb"}, m_folder.path()), 3, "foreign.txt/a b");
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void aFullDiskBehindStdoutIsAFailedWrite_data() {
    QTest::addColumn<QString>("arguments");
    for (const char* arguments : {"nets", "policies --json", "devices", "plan lenet", "plan lenet --json --steps", "simulate lenet --json",
                                  "train lenet --iterations 2 --json", "train lenet --iterations 2", "--help", "--version"})
      QTest::newRow(arguments) << QString::fromLatin1(arguments);
  }
  void aFullDiskBehindStdoutIsAFailedWrite() {
    QFETCH(QString, arguments);
    const QByteArray problem = errorProblem(runInShell("\"$CLI\" " + arguments + " > /dev/full", m_folder.path()), 3, "standard output");
    QVERIFY2(problem.isEmpty(), problem.constData());
  }

  void aNameThatIsNotUtf8IsStillJson() {
    const QString line = QStringLiteral("name=\"./$(printf 'n\\377.json')\"; sed '/\"name\": \"lenet\"/d' '%1' > \"$name\" && \"$CLI\" plan \"$name\" --json; code=$?; rm \"$name\"; exit $code");
    const CliResult result = runInShell(line.arg(QStringLiteral(PEAKSCOPE_SOURCE_DIR "/samples/networks/lenet.json")), m_folder.path());
    QVERIFY2(result.exitCode == 0, result.err.constData());
    QVERIFY2(!result.json().is_null(), result.out.constData());
  }

 private:
  void write(const QString& name, const QByteArray& bytes) {
    QFile file(m_folder.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
  }
  [[nodiscard]] QByteArray read(const QString& name) const {
    QFile file(m_folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  /// Every name below the folder, with the bytes of files.
  [[nodiscard]] std::map<QString, QByteArray> contents() const {
    std::map<QString, QByteArray> all;
    QDirIterator it(m_folder.path(), QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot, QDirIterator::Subdirectories);
    while (it.hasNext()) {
      it.next();
      const QString name = QDir(m_folder.path()).relativeFilePath(it.filePath());
      all[name] = it.fileInfo().isFile() ? read(name) : QByteArray("no file");
    }
    return all;
  }

  [[nodiscard]] QStringList changes() const {
    const auto now = contents();
    QStringList names;
    for (const auto& [name, bytes] : now)
      if (const auto was = m_before.find(name); was == m_before.end() || was->second != bytes) names << name;
    for (const auto& [name, bytes] : m_before)
      if (!now.contains(name)) names << name + " is gone";
    return names;
  }

  QTemporaryDir m_folder;
  std::map<QString, QByteArray> m_before;
};

PEAKSCOPE_TEST(FileErrorTest)
#include "file_error_test.moc"
