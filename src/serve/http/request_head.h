// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "serve/http/http.h"

namespace crivello::serve {

// A request before its body.
struct RequestHead {
  HttpRequest request;
  std::string host;  // by which the server was called, as it was sent
};

// `headers` have their names in lower case; `needs_host` is so from HTTP/1.1 on.  The target is a path, or as
// proxies are asked "http://host/path", whose host counts then (RFC 9112, 3.2.2).  Nothing if it is neither,
// or if it is not told once which host is meant.
std::optional<RequestHead> ReadRequestHead(std::string_view method, std::string_view target,
                                           HttpFields headers, bool needs_host);

}  // namespace crivello::serve
