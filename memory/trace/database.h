// SPDX-License-Identifier: Apache-2.0
//
// A thin owner of an SQLite connection and its statements, and rows of the values in fields.h.
//
//   Statement insert(database, "INSERT INTO epochs VALUES (?, ?, ...)");
//   insert.bind(1, sequence); bindFields(insert, 2, epoch); insert.execute();
#pragma once

#include <memory>
#include <span>
#include <sqlite3.h>
#include <string>

#include "memory/trace/json_fields.h"

namespace peakscope::trace {

/// What SQLite says, with its code; becomes one line with the file's name.
struct DatabaseError : std::runtime_error {
  DatabaseError(int resultCode, const std::string& text) : std::runtime_error(text), code(resultCode) {}
  int code;
};

class Database {
 public:
  enum class Mode { Create, Read };
  Database(const std::string& path, Mode mode);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void execute(const std::string& sql);
  [[nodiscard]] std::int64_t number(const std::string& sql);   ///< first column of the first row
  [[nodiscard]] sqlite3* handle() const { return m_handle; }
  void check(int code) const;

 private:
  sqlite3* m_handle = nullptr;
};

class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int column, std::int64_t value);
  void bind(int column, double value);   ///< NaN becomes NULL
  void bind(int column, const std::string& text);
  void bind(int column, std::span<const std::uint8_t> blob);
  void execute();                        ///< to its end, then ready to be bound again
  [[nodiscard]] bool step();             ///< true: there is a row

  /// Strict: throws FieldError if the column holds another type.
  [[nodiscard]] std::int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] std::span<const std::uint8_t> blob(int column) const;

 private:
  Database& m_database;
  sqlite3_stmt* m_statement = nullptr;
};

/// How a field is stored: whole numbers, reals and texts as such, everything else as JSON text.
template <class T>
inline constexpr bool isStoredAsInteger = std::is_same_v<T, Bytes> || IsId<T>::value || std::is_enum_v<T> || std::is_integral_v<T>;

template <class T>
std::string columnsOf() {
  std::string sql;
  const T value{};
  visitFields(value, [&](const char* name, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const char* type = isStoredAsInteger<Field> ? "INTEGER" : std::is_floating_point_v<Field> ? "REAL" : "TEXT";
    sql += (sql.empty() ? "" : ", ") + std::string(name) + " " + type;
  });
  return sql;
}
/// As a file of this version has them; a number that it lacks reads as 0, a list as an empty one.
template <class T>
std::string columnNamesOf(std::int64_t version) {
  std::string sql;
  const T value{};
  visitFields(value, [&](const char* name, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    const bool isThere = version >= 2 || !isAddedInVersion2(name);
    sql += (sql.empty() ? "" : ", ") + std::string(isThere ? name : std::is_floating_point_v<Field> ? "0.0" : isStoredAsInteger<Field> ? "0" : "'[]'");
  });
  return sql;
}

template <class T>
void bindFields(Statement& statement, int column, const T& value) {
  visitFields(value, [&](const char*, const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, bool>) statement.bind(column++, std::int64_t{field ? 1 : 0});
    else if constexpr (isStoredAsInteger<Field>) statement.bind(column++, toJson(field).template get<std::int64_t>());
    else if constexpr (std::is_floating_point_v<Field>) statement.bind(column++, static_cast<double>(field));
    else if constexpr (std::is_same_v<Field, std::string>) statement.bind(column++, field);
    else statement.bind(column++, toJson(field).dump(-1, ' ', false, json::error_handler_t::replace));
  });
}

template <class T>
void readFields(const Statement& statement, int column, T& value) {
  visitFields(value, [&](const char*, auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (std::is_same_v<Field, bool>) field = statement.integer(column++) != 0;
    else if constexpr (isStoredAsInteger<Field>) fromJson(json(statement.integer(column++)), field);
    else if constexpr (std::is_floating_point_v<Field>) field = static_cast<Field>(statement.real(column++));
    else if constexpr (std::is_same_v<Field, std::string>) field = statement.text(column++);
    else {
      const json parsed = json::parse(statement.text(column++), nullptr, false);
      if (parsed.is_discarded()) throw FieldError("a column does not hold JSON");
      fromJson(parsed, field);
    }
  });
}

}  // namespace peakscope::trace
