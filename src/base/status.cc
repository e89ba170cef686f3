// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace crivello {

std::string_view StatusCodeName(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid argument";
    case StatusCode::kNotFound:
      return "not found";
    case StatusCode::kCorruption:
      return "corruption";
    case StatusCode::kUnavailable:
      return "unavailable";
    case StatusCode::kIoError:
      return "I/O error";
  }
  return "unknown";
}

Status Status::FromErrno(std::string_view doing, std::string_view to, int error) {
  auto message = fmt::format("cannot {} {}: {}", doing, to, std::generic_category().message(error));
  return {error == ENOENT ? StatusCode::kNotFound : StatusCode::kIoError, std::move(message)};
}

std::string Status::ToString() const {
  if (ok()) return "ok";
  return fmt::format("{}: {}", StatusCodeName(code_), message_);
}

Status Status::WithContext(std::string_view context) const {
  if (ok()) return *this;
  return {code_, fmt::format("{}: {}", context, message_)};
}

}  // namespace crivello
