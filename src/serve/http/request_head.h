// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "serve/http/http.h"

namespace crivello::serve {

// A request before its body.
struct RequestHead {
  HttpRequest request;
  std::string host;  // the host under which the client addressed the server, as it was sent
};

// `headers` have lower-case names; `version` is 10 or 11 for HTTP/1.0 or 1.1.  The target is a path, or, as
// in requests to proxies, "http://host/path"; then that host counts (RFC 9112, 3.2.2).
//
// InvalidArgument if the target is neither, if there is not exactly one Host header (HTTP/1.0: more than
// one), or if the body could be framed in two ways: a Transfer-Encoding other than exactly "chunked", one
// together with a Content-Length, or one in HTTP/1.0 (RFC 9112, 6.3).  The connection must be closed then,
// because one program could take what follows for a request and another for a body.
Result<RequestHead> ReadRequestHead(std::string_view method, std::string_view target, HttpFields headers,
                                    unsigned version);

}  // namespace crivello::serve
