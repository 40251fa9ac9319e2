// SPDX-License-Identifier: Apache-2.0
//
// The trace fuzz target on seeded damage: bytes of the file, and hostile values in every column of every table.
#include <sqlite3.h>

#include <fstream>
#include <random>

#include "tests/fuzz/trace_fuzz.h"
#include "tests/support/test_main.h"
#include "tests/support/tiny_run.h"
#include "tests/trace/trace_folder.h"

using namespace peakscope;
using test::TraceFolder;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Rows = std::vector<std::vector<std::string>>;

/// Runs SQL on a file; the rows as text. A statement that a constraint refuses leaves the file as it was.
Rows sql(const std::filesystem::path& path, const std::string& text) {
  sqlite3* database = nullptr;
  if (sqlite3_open(path.string().c_str(), &database) != SQLITE_OK) qFatal("cannot open");
  Rows rows;
  const auto collect = [](void* out, int count, char** values, char**) {
    std::vector<std::string> row;
    for (int i = 0; i < count; ++i) row.emplace_back(values[i] != nullptr ? values[i] : "");
    static_cast<Rows*>(out)->push_back(std::move(row));
    return 0;
  };
  const int code = sqlite3_exec(database, text.c_str(), collect, &rows, nullptr);
  if (code != SQLITE_OK && code != SQLITE_MISMATCH && code != SQLITE_CONSTRAINT) qFatal("%s: %s", text.c_str(), sqlite3_errmsg(database));
  sqlite3_close(database);
  return rows;
}

const std::vector<std::string> hostileValues{"NULL", "-1", "7", "9223372036854775807", "-9223372036854775808", "1e300", "'text'", "x'00ff'", "'[1,2,3]'", "'[[[[['", "''"};

}  // namespace

class TraceFuzzTest : public QObject {
  Q_OBJECT
 private slots:
  void damagedFilesNeverCrashAReader() {
    const TraceFolder folder;
    const auto path = folder.write("whole.peakscope", test::tinyRecords(test::tinyWorkload()));
    std::ifstream file(path, std::ios::binary);
    const std::vector<std::uint8_t> whole{std::istreambuf_iterator<char>(file), {}};
    std::mt19937 random(5);
    for (int i = 0; i < 300; ++i) {
      auto bytes = whole;
      for (auto flips = 1 + random() % 8; flips > 0; --flips) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
      if (i % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
      QCOMPARE(LLVMFuzzerTestOneInput(bytes.data(), bytes.size()), 0);
    }
  }

  void hostileColumnsNeverCrashAFold() {
    const TraceFolder folder;
    const auto whole = folder.write("whole.peakscope", test::tinyRecords(test::tinyWorkload()));
    const auto damaged = folder / "damaged.peakscope";
    int opened = 0, tried = 0;
    for (const auto& table : sql(whole, "SELECT name FROM sqlite_schema WHERE type = 'table'"))
      for (const auto& column : sql(whole, "SELECT name FROM pragma_table_info('" + table[0] + "')"))
        for (const std::string& value : hostileValues) {
          std::filesystem::copy_file(whole, damaged, std::filesystem::copy_options::overwrite_existing);
          // One row in the middle, or all of them.
          const std::string where = tried % 2 == 0 ? "" : " WHERE rowid = (SELECT max(rowid) / 2 + 1 FROM " + table[0] + ")";
          sql(damaged, "UPDATE OR IGNORE " + table[0] + " SET " + column[0] + " = " + value + where);
          opened += test::openAndFold(damaged) ? 1 : 0;
          ++tried;
        }
    QVERIFY2(opened > 0 && tried > 1000, qPrintable(QStringLiteral("%1 of %2 opened").arg(opened).arg(tried)));
  }
};
PEAKSCOPE_TEST(TraceFuzzTest)
#include "trace_fuzz_test.moc"
