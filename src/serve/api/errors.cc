// SPDX-License-Identifier: Apache-2.0
#include "serve/api/errors.h"

#include <array>
#include <cassert>

namespace crivello::serve {
namespace {

constexpr auto kKinds = std::to_array<ErrorKind>({
    {Error::kBadRequest, 400, "bad_request", "the request is not valid HTTP",
     "check the request line, the header fields and the body"},
    {Error::kInvalidParameter, 400, "invalid_parameter", "a parameter, or a member of the body, is wrong",
     "/api/v1/openapi.json lists the parameters with their limits"},
    {Error::kInvalidQuery, 400, "invalid_query", "the query is not well formed",
     "omit syntax=strict to accept any text as a query"},
    {Error::kUnauthorized, 401, "unauthorized", "an API key is required, or the given key is wrong",
     "send the header 'Authorization: Bearer KEY'"},
    {Error::kForbidden, 403, "forbidden", "the key, or the address of the client, does not permit this",
     "send the request from the machine itself, or set an admin key and send it"},
    {Error::kCrossSite, 403, "cross_site", "the request may come from a page of another site",
     "send the header 'Content-Type: application/json' ('application/x-ndjson' to import), or a key"},
    {Error::kNotFound, 404, "not_found", "there is no such page or endpoint",
     "/api/v1/openapi.json lists the endpoints"},
    {Error::kMethodNotAllowed, 405, "method_not_allowed", "the endpoint does not support this method",
     "the Allow header lists the supported methods"},
    {Error::kNoCrawl, 409, "no_crawl", "this process does not run a crawl",
     "start the server with 'crivello up'"},
    {Error::kNoSink, 409, "no_import", "this process cannot write to the collection",
     "use 'crivello import', or start the server with 'crivello up'"},
    {Error::kBusy, 409, "busy", "another forget, backup or check is running, and only one can run at a time",
     "retry when it is complete; /api/v1/forgotten shows the progress of deletions"},
    {Error::kBodyTooLarge, 413, "body_too_large", "the request body exceeds the limit",
     "send it in several requests"},
    {Error::kUnsupportedMediaType, 415, "unsupported_media_type",
     "the endpoint does not accept this content type",
     "/api/v1/openapi.json lists the accepted content types"},
    {Error::kMisdirected, 421, "misdirected", "the server does not have the name given in the Host header",
     "use the address that it listens on, or start it with --name HOST"},
    {Error::kTooManyRequests, 429, "too_many_requests", "documents arrive faster than they can be written",
     "wait as long as Retry-After says, then continue from next_line"},
    {Error::kHeadTooLarge, 431, "head_too_large", "the request line and header fields exceed the limit",
     "send a shorter URL, or fewer cookies"},
    {Error::kInternal, 500, "internal", "the program failed", "please report this with the message"},
    {Error::kDamagedData, 500, "damaged_data", "a file of the collection is damaged", "run 'crivello check'"},
    {Error::kOverloaded, 503, "overloaded", "the server is overloaded: too many requests are waiting",
     "retry after the number of seconds given in Retry-After"},
    {Error::kUnavailable, 503, "unavailable", "temporarily unavailable",
     "retry after the number of seconds given in Retry-After"},
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
