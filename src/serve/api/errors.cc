// SPDX-License-Identifier: Apache-2.0
#include "serve/api/errors.h"

#include <array>
#include <cassert>

namespace crivello::serve {
namespace {

constexpr auto kKinds = std::to_array<ErrorKind>({
    {Error::kBadRequest, 400, "bad_request", "the request is no HTTP that can be read",
     "check the request line, the header fields and the body"},
    {Error::kInvalidParameter, 400, "invalid_parameter", "a parameter, or a member of the body, is wrong",
     "/api/v1/openapi.json lists the parameters with their limits"},
    {Error::kInvalidQuery, 400, "invalid_query", "the query is not well formed, in strict syntax",
     "leave out syntax=strict to have any text taken as a query"},
    {Error::kUnauthorized, 401, "unauthorized", "a key is needed, or the one given is wrong",
     "send the header 'Authorization: Bearer KEY'"},
    {Error::kForbidden, 403, "forbidden", "the key, or the place the request comes from, does not suffice",
     "ask from the machine itself, or set an admin key and send it"},
    {Error::kCrossSite, 403, "cross_site", "a page of another site may have sent this",
     "send 'Content-Type: application/json', or a key"},
    {Error::kNotFound, 404, "not_found", "there is no such page or endpoint",
     "/api/v1/openapi.json lists the endpoints"},
    {Error::kMethodNotAllowed, 405, "method_not_allowed", "the endpoint has other methods",
     "the header Allow has them"},
    {Error::kNoCrawl, 409, "no_crawl", "no crawl runs in this process",
     "start the server with 'crivello up' to crawl in it"},
    {Error::kNoSink, 409, "no_import", "this process cannot write to the collection",
     "use 'crivello import', or start the server with 'crivello up'"},
    {Error::kBusy, 409, "busy",
     "other care of the collection is under way, and one has to come after the other",
     "try again when it is done: for what is being forgotten /api/v1/forgotten tells"},
    {Error::kBodyTooLarge, 413, "body_too_large", "the body is beyond the limit", "send it in parts"},
    {Error::kUnsupportedMediaType, 415, "unsupported_media_type",
     "the body is of a type that is not read here",
     "the endpoint's entry in /api/v1/openapi.json has the type"},
    {Error::kMisdirected, 421, "misdirected", "the server is not known by the name in the header Host",
     "use the address it listens on, or name the host when you start it"},
    {Error::kTooManyRequests, 429, "too_many_requests", "documents come faster than they can be written",
     "wait as long as Retry-After says, then go on from next_line"},
    {Error::kHeadTooLarge, 431, "head_too_large", "the request line and header fields are beyond the limit",
     "send a shorter URL, or fewer cookies"},
    {Error::kInternal, 500, "internal", "the program failed", "please report it, with the message"},
    {Error::kDamagedData, 500, "damaged_data", "a file of the collection is damaged", "run 'crivello check'"},
    {Error::kOverloaded, 503, "overloaded", "more requests wait than can be answered soon",
     "try again after as many seconds as Retry-After says"},
    {Error::kUnavailable, 503, "unavailable", "it cannot be answered now",
     "try again after as many seconds as Retry-After says"},
});

constexpr bool InOrder() {
  for (size_t i = 0; i < kKinds.size(); i++) {
    if (kKinds[i].error != static_cast<Error>(i)) return false;
  }
  return true;
}
static_assert(InOrder());

Error ErrorOf(StatusCode code) {
  switch (code) {
    case StatusCode::kInvalidArgument:
      return Error::kInvalidParameter;
    case StatusCode::kNotFound:
      return Error::kNotFound;
    case StatusCode::kCorruption:
      return Error::kDamagedData;
    case StatusCode::kUnavailable:
      return Error::kUnavailable;
    case StatusCode::kIoError:
    case StatusCode::kOk:
      break;
  }
  return Error::kInternal;
}

}  // namespace

std::span<const ErrorKind> ErrorKinds() { return kKinds; }

Json ErrorJson(Error error, std::string_view message, std::string_view hint) {
  const ErrorKind& kind = KindOf(error);
  return {{"error", {{"code", kind.code}, {"message", message}, {"hint", hint.empty() ? kind.hint : hint}}}};
}

HttpResponse ErrorAnswerOf(Error error, const Json& json) {
  HttpResponse answer = JsonAnswer(json);
  answer.status = KindOf(error).status;
  if (answer.status == 429 || answer.status == 503) answer.headers.emplace_back("Retry-After", "1");
  return answer;
}

HttpResponse ErrorAnswer(Error error, std::string_view message, std::string_view hint) {
  return ErrorAnswerOf(error, ErrorJson(error, message, hint));
}

HttpResponse ErrorAnswer(const Status& status) {
  assert(!status.ok());
  return ErrorAnswer(ErrorOf(status.code()), status.message());
}

}  // namespace crivello::serve
