// SPDX-License-Identifier: Apache-2.0
// Transfer-Encoding: chunked (RFC 9112, section 7.1), undone for archives.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crivello::web {

struct Dechunked {
  std::string body;
  bool complete = false;  // the last chunk was there
  bool chunked = false;   // the bytes began as chunks do; if not, `body` is empty and the bytes are as they
                          // are: many archives keep the header and store the body already joined
  size_t bytes = 0;       // of the input that were chunks, with the trailer
};

// Joins the chunks of a body.  Tolerates LF for CRLF, extensions, spaces after the size, an early end: what
// was there is returned.  The body is never longer than the input.  Linear.
Dechunked Dechunk(std::string_view bytes);

}  // namespace crivello::web
