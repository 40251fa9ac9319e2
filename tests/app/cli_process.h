// SPDX-License-Identifier: Apache-2.0
//
// The real peakscope-cli as a process.
//
//   const CliResult done = runCli({"plan", "lenet", "--json"});
//   QCOMPARE(done.exitCode, 0);
//
//   RunningCli cli({"train", "lenet", "--json"});
//   while (cli.readLine().contains("iteration")) ...
//   cli.signal(SIGINT);
//   const CliResult done = cli.finish();
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QStringList>
#include <nlohmann/json.hpp>

namespace peakscope::test {

struct CliResult {
  int exitCode = -1;          ///< -1: ended by a signal, or not at all
  QByteArray out, err;

  /// stdout as one JSON object; null if it is none.
  [[nodiscard]] nlohmann::json json() const;
  /// stdout as one JSON object a line; null if a line is none.
  [[nodiscard]] nlohmann::json jsonLines() const;
};

[[nodiscard]] CliResult runCli(const QStringList& arguments, const QString& folder = {});
/// A shell line in which "$CLI" is the program: for redirections and for names that are not UTF-8.
[[nodiscard]] CliResult runInShell(const QString& line, const QString& folder = {});

/// Why this is not what an error must look like, or "": that exit code, nothing on stdout, one line on stderr that begins with
/// "peakscope: " and holds `says`.
[[nodiscard]] QByteArray errorProblem(const CliResult& result, int exitCode, const QByteArray& says);

class RunningCli {
 public:
  explicit RunningCli(const QStringList& arguments);
  /// Waits for the next line of stdout; empty: the program has ended.
  [[nodiscard]] QByteArray readLine();
  void signal(int number);
  /// Waits for the end; `out` is what readLine() has not taken.
  [[nodiscard]] CliResult finish();

 private:
  QProcess m_process;
};

/// The data that come with the source: 1,600 images to train on, 400 to test.
inline const QString bundledData = QStringLiteral(PEAKSCOPE_SOURCE_DIR "/samples/data");

}  // namespace peakscope::test
