// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/status.h"
#include "serve/api/json.h"
#include "serve/http/http.h"

namespace crivello::serve {

// What can go wrong with a request.  Programs rely on the codes, which keep their meaning.
enum class Error : uint8_t {
  kBadRequest,
  kInvalidParameter,
  kInvalidQuery,
  kUnauthorized,
  kForbidden,
  kCrossSite,
  kNotFound,
  kMethodNotAllowed,
  kNoCrawl,
  kNoSink,
  kBusy,
  kBodyTooLarge,
  kUnsupportedMediaType,
  kMisdirected,
  kTooManyRequests,
  kHeadTooLarge,
  kInternal,
  kDamagedData,
  kOverloaded,
  kUnavailable,
};

struct ErrorKind {
  Error error;
  unsigned status;
  std::string_view code;
  std::string_view meaning;
  std::string_view hint;  // what to do, unless the caller gives a better hint
};

// All of them, in the order of Error.
std::span<const ErrorKind> ErrorKinds();
inline const ErrorKind& KindOf(Error error) { return ErrorKinds()[static_cast<size_t>(error)]; }

// {"error":{"code":…,"message":…,"hint":…}}
Json ErrorJson(Error error, std::string_view message, std::string_view hint = {});
// The same, or an object that begins with it, as an answer with the status of its kind.
HttpResponse ErrorAnswerOf(Error error, const Json& json);
HttpResponse ErrorAnswer(Error error, std::string_view message, std::string_view hint = {});
// The answer for the Status that a lower layer returned.  REQUIRES: !status.ok().
HttpResponse ErrorAnswer(const Status& status);

}  // namespace crivello::serve
