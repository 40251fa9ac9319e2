// SPDX-License-Identifier: Apache-2.0
//
// A folder for one test's traces, and traces written into it.
//
//   TraceFolder folder;
//   const auto path = folder.write("run.peakscope", tinyRecords(tinyWorkload()));
#pragma once

#include <QTemporaryDir>
#include <filesystem>
#include <string>
#include <vector>

#include "memory/trace/serialize.h"
#include "memory/trace/trace_file.h"

namespace peakscope::test {

class TraceFolder {
 public:
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return std::filesystem::path(m_folder.path().toStdString()) / name; }

  /// The records as a closed trace; qFatal if it cannot be written.
  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::vector<LogRecord>& records) const {
    const auto path = *this / name;
    auto writer = TraceWriter::create(path);
    if (!writer) qFatal("%s", writer.error().message.c_str());
    for (const LogRecord& record : records)
      if (const auto written = writer->append(record); !written) qFatal("%s", written.error().message.c_str());
    if (const auto closed = writer->close(); !closed) qFatal("%s", closed.error().message.c_str());
    return path;
  }

 private:
  QTemporaryDir m_folder;
};

/// Records are equal if their bytes are: NaN equals NaN.
[[nodiscard]] inline bool areEqual(const std::vector<LogRecord>& a, const std::vector<LogRecord>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (encodeRecord(a[i]) != encodeRecord(b[i])) return false;
  return true;
}

/// One line for a person, with the file's name in it.
[[nodiscard]] inline bool isOneLineAbout(const std::string& message, const std::string& name) {
  return message.find('\n') == std::string::npos && message.find(name) != std::string::npos;
}

}  // namespace peakscope::test
