// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "demo/built_in_web.h"

namespace crivello::demo {

// A request and its response.
struct Exchange {
  size_t consumed = 0;   // bytes of the input that formed this request; 0: its head is incomplete
  std::string response;  // the complete response, to be sent as is
  bool close = false;    // after the response, because the start of the next request cannot be found

  int status = 0;
  std::string method;  // as sent, like the target unless it named a host
  std::string host;    // in lower case, without port
  std::string target;
};

// HTTP/1.1 for the built-in web, without sockets: bytes in, bytes out (RFC 9110, RFC 9112).  Supports GET
// and HEAD, with If-None-Match and If-Modified-Since; no request bodies, ranges or codings.  Other requests
// get 400, 405, 421, 431 or 505, and the connection ends if the start of the next request could not be
// found.
//
// Safe on any bytes.  Linear in the input, of which at most kMaxHeadBytes are examined.  One thread at a
// time, because it remembers which hosts were busy.
class Responder {
 public:
  static constexpr size_t kMaxHeadBytes = 16384;

  // Both must outlive the responder.
  Responder(const BuiltInWeb& web, const Clock& clock) : web_(web), clock_(clock) {}

  // Answers the first request in `bytes`.  REQUIRES: the caller offers kMaxHeadBytes bytes before it gives up
  // on an incomplete head.
  Exchange Respond(std::string_view bytes);

 private:
  Answer Find(std::string_view host, std::string_view target);

  const BuiltInWeb& web_;
  const Clock& clock_;
  std::set<std::string, std::less<>> were_busy_;
};

}  // namespace crivello::demo
