// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace crivello {

// What the caller can do about an error. There are no finer codes; the message has the details.
enum class StatusCode : uint8_t {
  kOk,
  kInvalidArgument,  // fix the call
  kNotFound,         // it is not there
  kCorruption,       // damaged, or not of this format: check, repair
  kUnavailable,      // try again later
  kIoError,          // the system failed: stop and report it to the operator
};

std::string_view StatusCodeName(StatusCode code);

// The outcome of an operation that may fail. A value type; the compiler warns if one is dropped. The message
// names the thing (file, URL), the place in it, what was found and what was expected.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusCode code, std::string message) : code_(code), message_(std::move(message)) {}

  static Status Ok() { return {}; }
  static Status InvalidArgument(std::string m) { return {StatusCode::kInvalidArgument, std::move(m)}; }
  static Status NotFound(std::string m) { return {StatusCode::kNotFound, std::move(m)}; }
  static Status Corruption(std::string m) { return {StatusCode::kCorruption, std::move(m)}; }
  static Status Unavailable(std::string m) { return {StatusCode::kUnavailable, std::move(m)}; }
  static Status IoError(std::string m) { return {StatusCode::kIoError, std::move(m)}; }
  // An IoError (NotFound for ENOENT) made from the operation, its target and errno.
  static Status FromErrno(std::string_view doing, std::string_view to, int error);

  bool ok() const { return code_ == StatusCode::kOk; }
  StatusCode code() const { return code_; }
  const std::string& message() const { return message_; }
  // "corruption: web.ef: ...", or "ok".
  std::string ToString() const;
  // The same status with "context: " in front of its message; ok stays ok.
  Status WithContext(std::string_view context) const;
  // Drops the status explicitly.
  void IgnoreError() const {}

  friend bool operator==(const Status&, const Status&) = default;

 private:
  StatusCode code_ = StatusCode::kOk;
  std::string message_;
};

// A T, or a Status with the reason why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}  // NOLINT: implicit, so that `return value;` works
  Result(Status status) : status_(std::move(status)) { assert(!status_.ok()); }  // NOLINT: likewise

  bool ok() const { return value_.has_value(); }
  const Status& status() const& { return status_; }
  Status status() && { return std::move(status_); }

  // REQUIRES: ok().
  T& value() & { return *value_; }
  const T& value() const& { return *value_; }
  T value() && { return *std::move(value_); }
  T& operator*() & { return *value_; }
  const T& operator*() const& { return *value_; }
  T operator*() && { return *std::move(value_); }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  Status status_;
  std::optional<T> value_;
};

namespace internal {
inline const Status& AsStatus(const Status& status) { return status; }
template <typename T>
const Status& AsStatus(const Result<T>& result) {
  return result.status();
}
}  // namespace internal
}  // namespace crivello

#define CRV_CONCAT_INNER(a, b) a##b
#define CRV_CONCAT(a, b) CRV_CONCAT_INNER(a, b)

// Returns from the enclosing function with the status of `expr` unless it is ok.
#define CRV_TRY(expr)                                                    \
  do {                                                                   \
    const auto& crv_try_ = (expr);                                       \
    if (!crv_try_.ok()) return ::crivello::internal::AsStatus(crv_try_); \
  } while (false)

// CRV_ASSIGN(auto x, Open(path)): x is the value, or the enclosing function returns the status.
#define CRV_ASSIGN(declaration, expr) CRV_ASSIGN_INNER(CRV_CONCAT(crv_result_, __LINE__), declaration, expr)
#define CRV_ASSIGN_INNER(result, declaration, expr)    \
  auto result = (expr);                                \
  if (!result.ok()) return std::move(result).status(); \
  declaration = std::move(result).value()
