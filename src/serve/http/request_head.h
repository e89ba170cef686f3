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
  std::string host;  // by which the server was called, as it was sent
};

// `headers` have their names in lower case; `version` is 10 or 11 for HTTP/1.0 or 1.1.  The target is a path,
// or, as proxies are asked, "http://host/path", whose host counts then (RFC 9112, 3.2.2).
//
// InvalidArgument if the target is neither, if there is not exactly one Host header (HTTP/1.0: more than
// one), or if the body could be framed in two ways: a Transfer-Encoding other than exactly "chunked", one
// beside a Content-Length, or one in HTTP/1.0 (RFC 9112, 6.3).  The connection must be closed after that:
// what follows could be taken for a request by one program and for a body by another.
Result<RequestHead> ReadRequestHead(std::string_view method, std::string_view target, HttpFields headers,
                                    unsigned version);

}  // namespace crivello::serve
