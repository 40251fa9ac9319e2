// SPDX-License-Identifier: Apache-2.0
//
// Result: a value, or the reason why there is none. Expected failures travel as values; bugs assert; vendor failures throw.
//
//   Result<Graph> graph = readNetworkFile(path);
//   if (!graph) return fail(graph.error());
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace peakscope {

/// Decides the exit code of the command line (the contract in DESIGN section 7).
enum class ErrorKind {
  CannotBeMet = 1,   ///< the request is well formed but does not fit
  BadInput = 2,      ///< wrong use or unreadable input
  DeviceFailed = 3,  ///< a device, a library or a write failed
};

/// One line for a person: the thing, the need, the remedy.
/// "samples/lenet.json:12: layer conv2: unknown type 'convv'; known types: conv, fc, ..."
struct Error {
  ErrorKind kind = ErrorKind::BadInput;
  std::string message;

  friend bool operator==(const Error&, const Error&) = default;
};

template <class T, class E = Error>
using Result = tl::expected<T, E>;

template <class E>
[[nodiscard]] auto fail(E error) { return tl::unexpected<E>(std::move(error)); }
[[nodiscard]] inline auto badInput(std::string message) { return fail(Error{ErrorKind::BadInput, std::move(message)}); }
[[nodiscard]] inline auto cannotBeMet(std::string message) { return fail(Error{ErrorKind::CannotBeMet, std::move(message)}); }
[[nodiscard]] inline auto deviceFailed(std::string message) { return fail(Error{ErrorKind::DeviceFailed, std::move(message)}); }

}  // namespace peakscope
