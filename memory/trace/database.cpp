// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/database.h"

namespace peakscope::trace {
namespace {

/// Far above a ResNet of 10,000 layers, whose longest text is the order of its ops; as a JSON tree it takes 50 times that.
constexpr std::size_t largestText = std::size_t{1} << 24;

}  // namespace

Database::Database(const std::string& path, Mode mode) {
  const int flags = mode == Mode::Create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY;
  const int code = sqlite3_open_v2(path.c_str(), &m_handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (code != SQLITE_OK) {
    const std::string text = m_handle != nullptr ? sqlite3_errmsg(m_handle) : sqlite3_errstr(code);
    sqlite3_close(m_handle);
    throw DatabaseError(code, text);
  }
  sqlite3_extended_result_codes(m_handle, 0);
  // A trace is untrusted input: nothing in its schema may run.
  sqlite3_db_config(m_handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(m_handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(m_handle, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(m_handle, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(m_handle, SQLITE_LIMIT_LENGTH, 1 << 28);
}

Database::~Database() { sqlite3_close(m_handle); }

void Database::check(int code) const {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE) throw DatabaseError(code, sqlite3_errmsg(m_handle));
}

void Database::execute(const std::string& sql) { check(sqlite3_exec(m_handle, sql.c_str(), nullptr, nullptr, nullptr)); }

std::int64_t Database::number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

Statement::Statement(Database& database, const std::string& sql) : m_database(database) {
  m_database.check(sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &m_statement, nullptr));
}
Statement::~Statement() { sqlite3_finalize(m_statement); }

void Statement::bind(int column, std::int64_t value) { m_database.check(sqlite3_bind_int64(m_statement, column, value)); }
void Statement::bind(int column, double value) { m_database.check(sqlite3_bind_double(m_statement, column, value)); }
void Statement::bind(int column, const std::string& text) {
  m_database.check(sqlite3_bind_text(m_statement, column, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT));
}
void Statement::bind(int column, std::span<const std::uint8_t> blob) {
  m_database.check(sqlite3_bind_blob(m_statement, column, blob.data(), static_cast<int>(blob.size()), SQLITE_TRANSIENT));
}

void Statement::execute() {
  while (step()) {}
  m_database.check(sqlite3_reset(m_statement));
}

bool Statement::step() {
  const int code = sqlite3_step(m_statement);
  m_database.check(code);
  return code == SQLITE_ROW;
}

std::int64_t Statement::integer(int column) const {
  if (sqlite3_column_type(m_statement, column) != SQLITE_INTEGER) throw FieldError("a column does not hold a number");
  return sqlite3_column_int64(m_statement, column);
}
double Statement::real(int column) const {
  const int type = sqlite3_column_type(m_statement, column);
  if (type == SQLITE_NULL) return std::numeric_limits<double>::quiet_NaN();
  if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) throw FieldError("a column does not hold a number");
  return sqlite3_column_double(m_statement, column);
}
std::string Statement::text(int column) const {
  if (sqlite3_column_type(m_statement, column) != SQLITE_TEXT) throw FieldError("a column does not hold a text");
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(m_statement, column));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column));
  if (size > largestText) throw FieldError("a text is too long");
  return {data, size};
}
std::span<const std::uint8_t> Statement::blob(int column) const {
  if (sqlite3_column_type(m_statement, column) != SQLITE_BLOB) throw FieldError("a column does not hold a chunk");
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(m_statement, column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(m_statement, column))};
}

}  // namespace peakscope::trace
