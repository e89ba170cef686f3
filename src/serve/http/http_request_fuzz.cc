// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the parts of a request that we parse ourselves: targets, keys, and the lists in its
// header fields.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "serve/api/api_keys.h"
#include "serve/api/result_formats.h"
#include "serve/http/access_line.h"
#include "serve/http/host_names.h"
#include "serve/http/http.h"
#include "serve/http/http_answer.h"
#include "serve/http/request_head.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace crivello::serve;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);

  HttpRequest request;
  ParseTarget(bytes, &request);
  if (request.path.empty() || request.path.front() != '/' || request.path.size() > size + 1) std::abort();
  HttpRequest again;
  ParseTarget("/?" + QueryString(request.parameters), &again);
  if (again.parameters != request.parameters) std::abort();

  if (const auto head = ReadRequestHead("GET", bytes, {{"host", "localhost"}}, 11); head.ok()) {
    if (!head->request.path.starts_with('/')) std::abort();
  }
  IsLoopbackHost(bytes);
  HostNames(false, {"search.example"}).Admits(bytes);
  AcceptsGzip(bytes);
  MatchesTag(bytes, "\"a\"");
  ShortenedAddress(bytes);
  if (FormatAccessLine({.client = "", .method = "GET", .path = std::string(bytes)}).find('\n') !=
      std::string::npos) {
    std::abort();
  }

  request.headers = {
      {"authorization", std::string(bytes)}, {"origin", std::string(bytes)}, {"content-type", "a/b"}};
  if (const auto keys = ApiKeys::FromText(bytes); keys.ok()) {
    Refusal(*keys, Role::kAdmin, request);
    MayBeForged(*keys, request);
  }
  return 0;
}
