// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "demo/built_in_web.h"

namespace crivello::demo {

// A request and what to send for it.
struct Exchange {
  size_t consumed = 0;   // bytes of the input that were this request; 0: its head is not whole yet
  std::string response;  // all of it, to be sent as it is
  bool close = false;    // after the response: the next request, if there is one, cannot be found

  int status = 0;
  std::string method;  // as sent, as is the target unless it named a host
  std::string host;    // in lower case, without port
  std::string target;
};

// HTTP/1.1 for the built-in web, without sockets: bytes in, bytes out (RFC 9110, RFC 9112).  GET and HEAD,
// with If-None-Match and If-Modified-Since; no bodies of requests, no ranges, no codings.  What is no such
// request gets 400, 405, 421, 431 or 505, and the connection ends if the next request could not be told
// apart.
//
// Any bytes may come.  Linear in the input; at most kMaxHeadBytes of it are looked at.  One thread at a time:
// it remembers which hosts were busy at first.
class Responder {
 public:
  static constexpr size_t kMaxHeadBytes = 16384;

  // Both outlive the responder.
  Responder(const BuiltInWeb& web, const Clock& clock) : web_(web), clock_(clock) {}

  // Answers the first request of `bytes`.  REQUIRES: kMaxHeadBytes bytes are offered before the caller gives
  // up on an incomplete head.
  Exchange Respond(std::string_view bytes);

 private:
  Answer Find(std::string_view host, std::string_view target);

  const BuiltInWeb& web_;
  const Clock& clock_;
  std::set<std::string, std::less<>> were_busy_;
};

}  // namespace crivello::demo
