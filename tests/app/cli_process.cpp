// SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"

#include <csignal>

namespace peakscope::test {
namespace {

constexpr int patienceMs = 300'000;

void configure(QProcess& process, const QString& folder) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
  environment.insert(QStringLiteral("CLI"), QStringLiteral(PEAKSCOPE_CLI));
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(folder);
}

CliResult resultOf(QProcess& process) {
  const bool hasEnded = process.state() == QProcess::NotRunning || process.waitForFinished(patienceMs);
  return {.exitCode = hasEnded && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
          .out = process.readAllStandardOutput(),
          .err = process.readAllStandardError()};
}

CliResult run(const QString& program, const QStringList& arguments, const QString& folder) {
  QProcess process;
  configure(process, folder);
  process.start(program, arguments);
  return resultOf(process);
}

}  // namespace

nlohmann::json CliResult::json() const {
  const auto parsed = nlohmann::json::parse(out.toStdString(), nullptr, false);
  return parsed.is_object() ? parsed : nlohmann::json();
}

nlohmann::json CliResult::jsonLines() const {
  nlohmann::json all = nlohmann::json::array();
  for (const QByteArray& line : out.split('\n')) {
    if (line.isEmpty()) continue;
    auto parsed = nlohmann::json::parse(line.toStdString(), nullptr, false);
    if (!parsed.is_object()) return {};
    all.push_back(std::move(parsed));
  }
  return all;
}

CliResult runCli(const QStringList& arguments, const QString& folder) { return run(QStringLiteral(PEAKSCOPE_CLI), arguments, folder); }

CliResult runInShell(const QString& line, const QString& folder) { return run(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), line}, folder); }

QByteArray errorProblem(const CliResult& result, int exitCode, const QByteArray& says) {
  const QByteArray seen = "; exit code " + QByteArray::number(result.exitCode) + ", stdout '" + result.out.left(200) + "', stderr '" + result.err + "'";
  if (result.exitCode != exitCode) return "not exit code " + QByteArray::number(exitCode) + seen;
  if (!result.out.isEmpty()) return "something on stdout" + seen;
  if (result.err.count('\n') != 1 || !result.err.endsWith('\n') || result.err.contains('\r')) return "not one line on stderr" + seen;
  if (!result.err.startsWith("peakscope: ")) return "does not begin with 'peakscope: '" + seen;
  if (!result.err.contains(says)) return "does not say '" + says + "'" + seen;
  return {};
}

RunningCli::RunningCli(const QStringList& arguments) {
  configure(m_process, {});
  m_process.start(QStringLiteral(PEAKSCOPE_CLI), arguments);
}

QByteArray RunningCli::readLine() {
  while (!m_process.canReadLine())
    if (!m_process.waitForReadyRead(patienceMs)) return {};
  return m_process.readLine();
}

void RunningCli::signal(int number) {
  if (m_process.processId() > 0) ::kill(static_cast<pid_t>(m_process.processId()), number);
}

CliResult RunningCli::finish() { return resultOf(m_process); }

}  // namespace peakscope::test
