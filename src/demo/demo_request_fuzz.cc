// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes from clients: each answer is a complete HTTP response; the connection continues or ends.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "demo/responder.h"
#include "web/http/http_headers.h"
#include "web/http/http_message.h"

namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

void CheckResponse(const crivello::demo::Exchange& exchange) {
  const auto response = crivello::web::ParseHttpResponse(exchange.response);
  Check(response.complete_head && response.status == exchange.status && response.status >= 200);
  Check(response.fields.malformed() == 0);
  const auto length = crivello::web::FindContentLength(response.fields);
  const bool without_body = exchange.method == "HEAD" || exchange.status == 304;
  Check(without_body ? response.body.empty() : length == response.body.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const crivello::demo::BuiltInWeb web(8080);
  static const crivello::ManualClock clock{};
  crivello::demo::Responder responder(web, clock);
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  while (!rest.empty()) {
    const crivello::demo::Exchange exchange = responder.Respond(rest);
    if (exchange.consumed == 0) {
      Check(rest.size() < crivello::demo::Responder::kMaxHeadBytes && exchange.response.empty());
      break;
    }
    Check(exchange.consumed <= rest.size());
    CheckResponse(exchange);
    if (exchange.close) break;
    rest.remove_prefix(exchange.consumed);
  }
  return 0;
}
