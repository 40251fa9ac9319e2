// SPDX-License-Identifier: Apache-2.0
#include "memory/trace/message_pack.h"

#include "memory/trace/json_fields.h"

namespace peakscope::trace {
namespace {

/// Deeper than any record or command: a plan's steps are objects in lists in objects.
constexpr int deepest = 32;

/// Counts the levels and keeps nothing.
class DepthCheck final : public nlohmann::json_sax<json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool key(string_t&) override { return true; }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  /// False: the second pass says what is wrong.
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

  [[nodiscard]] bool isTooDeep() const { return m_isTooDeep; }

 private:
  bool enter() {
    m_isTooDeep = m_isTooDeep || ++m_depth > deepest;
    return !m_isTooDeep;
  }
  bool leave() {
    --m_depth;
    return true;
  }

  int m_depth = 0;
  bool m_isTooDeep = false;
};

}  // namespace

nlohmann::json parseMessagePack(std::span<const std::uint8_t> bytes) {
  DepthCheck check;
  (void)json::sax_parse(bytes.begin(), bytes.end(), &check, json::input_format_t::msgpack);
  if (check.isTooDeep()) throw FieldError("it is nested too deeply");
  return json::from_msgpack(bytes.begin(), bytes.end());
}

}  // namespace peakscope::trace
