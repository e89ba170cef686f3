// SPDX-License-Identifier: Apache-2.0
// Heads, dates, header values and chunks from any bytes: views stay inside the input, and formatted dates
// parse as the same time.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "web/http/http_chunked.h"
#include "web/http/http_date.h"
#include "web/http/http_headers.h"
#include "web/http/http_link.h"
#include "web/http/http_message.h"
#include "web/http/http_robots_tag.h"
#include "web/http/usage_preferences.h"

namespace {

using namespace crivello::web;

void Inside(std::string_view part, std::string_view whole) {
  if (part.empty()) return;
  if (part.data() < whole.data() || part.data() + part.size() > whole.data() + whole.size()) std::abort();
}

void ReadValues(std::string_view value) {
  constexpr int64_t kNow = 1794700800;
  ParseMediaType(value);
  if (ParseContentDisposition(value).filename.find('/') != std::string::npos) std::abort();
  ParseCacheControl(value);
  if (const auto seconds = ParseRetryAfter(value, kNow); seconds && *seconds < 0) std::abort();
  ParseEntityTag(value);
  ParseLinks(value);
  const UsagePreferences usage = UsagePreferences::Parse(value);
  if (UsagePreferences::Parse(usage.ToString()) != usage) std::abort();
  RobotsDirectives directives;
  AddRobotsDirectives(value, "crivello", kNow, directives);
  if (const auto time = ParseHttpDate(value, kNow)) {
    if (ParseHttpDate(FormatHttpDate(*time), kNow) != time && *time > -11000000000 && *time < 250000000000) {
      std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const HttpResponse response = ParseHttpResponse(bytes, {.max_fields = 100, .max_head_bytes = 10000});
  Inside(response.body, bytes);
  Inside(response.reason, bytes);
  for (const HttpField& field : response.fields.all()) {
    Inside(field.name, bytes);
    Inside(field.value, bytes);
    field.Unfolded();
    ReadValues(field.value);
  }
  FindValidators(response.fields, 0);
  FindContentLength(response.fields);
  if (const auto fresh = FreshSeconds(response.fields, 1794700800); fresh && *fresh < 0) std::abort();
  const HttpRequest request = ParseHttpRequest(bytes);
  Inside(request.target, bytes);
  Inside(request.body, bytes);
  ReadValues(bytes);
  const Dechunked body = Dechunk(bytes);
  if (body.body.size() > size || body.bytes > size) std::abort();
  return 0;
}
