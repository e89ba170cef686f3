// SPDX-License-Identifier: Apache-2.0
// Decodes Transfer-Encoding: chunked (RFC 9112, section 7.1), for archives.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace crivello::web {

struct Dechunked {
  std::string body;
  bool complete = false;  // the last chunk was present
  bool chunked = false;   // the bytes began with a chunk. If false, `body` is empty: many archives keep the
                          // header but store the body already joined
  size_t bytes = 0;       // bytes of input that were chunks, including the trailer
};

// Joins the chunks of a body. Tolerates LF for CRLF, extensions, spaces after the size, and an early end,
// where it returns what was there. The body is never longer than the input. Linear.
Dechunked Dechunk(std::string_view bytes);

}  // namespace crivello::web
