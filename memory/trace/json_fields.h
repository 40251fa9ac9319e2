// SPDX-License-Identifier: Apache-2.0
//
// JSON for every value that fields.h lists. Reading is strict and never trusts: a wrong type, an unknown enumerator or a
// number out of range throws FieldError, which the callers turn into a Result.
//
//   const json text = toJson(plan.options);
//   PolicyOptions options;  fromJson(text, options);
#pragma once

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "memory/trace/fields.h"

namespace peakscope::trace {

struct FieldError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using nlohmann::json;

template <class T> struct IsVector : std::false_type {};
template <class T> struct IsVector<std::vector<T>> : std::true_type {};
template <class T> struct IsIdVector : std::false_type {};
template <class I, class T> struct IsIdVector<IdVector<I, T>> : std::true_type {};
template <class T> struct IsId : std::false_type {};
template <class Tag> struct IsId<Id<Tag>> : std::true_type {};
template <class T> struct IsOptional : std::false_type {};
template <class T> struct IsOptional<std::optional<T>> : std::true_type {};
template <class T> struct IsVariant : std::false_type {};
template <class... T> struct IsVariant<std::variant<T...>> : std::true_type {};

template <class T>
json toJson(const T& value) {
  if constexpr (std::is_same_v<T, Bytes>) return value.count();
  else if constexpr (IsId<T>::value) return value.index;
  else if constexpr (std::is_enum_v<T>) return static_cast<int>(value);
  else if constexpr (std::is_floating_point_v<T>) return std::isfinite(value) ? json(value) : json(nullptr);
  else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) return value;
  else if constexpr (IsOptional<T>::value) return value ? toJson(*value) : json(nullptr);
  else if constexpr (IsVector<T>::value || IsIdVector<T>::value) {
    json array = json::array();
    for (const auto& item : value) array.push_back(toJson(item));
    return array;
  } else if constexpr (IsVariant<T>::value) {
    json object = std::visit([](const auto& alternative) { return toJson(alternative); }, value);
    object["alternative"] = value.index();
    return object;
  } else {
    json object = json::object();
    visitFields(value, [&](const char* name, const auto& field) { object[name] = toJson(field); });
    return object;
  }
}

template <class T>
T integerFrom(const json& j) {
  if (j.is_boolean() || !j.is_number_integer()) throw FieldError("a number is missing");
  if constexpr (std::is_same_v<T, std::uint64_t>) {
    if (!j.is_number_unsigned()) throw FieldError("a number is negative");
    return j.get<std::uint64_t>();
  } else {
    if (j.is_number_unsigned() && j.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) throw FieldError("a number is too large");
    const auto wide = j.get<std::int64_t>();
    if (wide < static_cast<std::int64_t>(std::numeric_limits<T>::min()) || wide > static_cast<std::int64_t>(std::numeric_limits<T>::max())) throw FieldError("a number is out of range");
    return static_cast<T>(wide);
  }
}

template <class T>
void fromJson(const json& j, T& value);

template <std::size_t I = 0, class Variant>
void alternativeFromJson(const json& j, std::size_t index, Variant& value) {
  if constexpr (I < std::variant_size_v<Variant>) {
    if (index != I) return alternativeFromJson<I + 1>(j, index, value);
    std::variant_alternative_t<I, Variant> alternative;
    fromJson(j, alternative);
    value = std::move(alternative);
  } else {
    throw FieldError("an unknown kind of record or step");
  }
}

template <class T>
void fromJson(const json& j, T& value) {
  if constexpr (std::is_same_v<T, Bytes>) value = Bytes{integerFrom<std::int64_t>(j)};
  else if constexpr (IsId<T>::value) {
    value.index = integerFrom<std::int32_t>(j);
    if (value.index < -1) throw FieldError("an id is negative");
  } else if constexpr (std::is_enum_v<T>) {
    const int number = integerFrom<int>(j);
    if (number < 0 || number >= enumeratorCount<T>) throw FieldError("an unknown enumerator");
    value = static_cast<T>(number);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (!j.is_boolean()) throw FieldError("true or false is missing");
    value = j.get<bool>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (j.is_null()) value = std::numeric_limits<T>::quiet_NaN();
    else if (j.is_number()) value = j.get<T>();
    else throw FieldError("a number is missing");
  } else if constexpr (std::is_arithmetic_v<T>) value = integerFrom<T>(j);
  else if constexpr (std::is_same_v<T, std::string>) {
    if (!j.is_string()) throw FieldError("a text is missing");
    value = j.get<std::string>();
  } else if constexpr (IsOptional<T>::value) {
    if (j.is_null()) value.reset();
    else fromJson(j, value.emplace());
  } else if constexpr (IsVector<T>::value || IsIdVector<T>::value) {
    if (!j.is_array()) throw FieldError("a list is missing");
    value = T{};
    for (const json& item : j) {
      std::remove_cvref_t<decltype(*value.begin())> element;
      fromJson(item, element);
      value.push_back(std::move(element));
    }
  } else if constexpr (IsVariant<T>::value) {
    if (!j.is_object() || !j.contains("alternative")) throw FieldError("a kind is missing");
    alternativeFromJson(j, static_cast<std::size_t>(integerFrom<std::int32_t>(j["alternative"])), value);
  } else {
    if (!j.is_object()) throw FieldError("an object is missing");
    visitFields(value, [&](const char* name, auto& field) {
      const auto found = j.find(name);
      if (found == j.end() && isAddedInVersion2(name)) {
        field = {};
        return;
      }
      if (found == j.end()) throw FieldError(std::string("the field ") + name + " is missing");
      fromJson(*found, field);
    });
  }
}

}  // namespace peakscope::trace
