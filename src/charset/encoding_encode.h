// SPDX-License-Identifier: Apache-2.0
// UTF-8 to one of the web's encodings. The only remaining use is a link's query, which browsers send in the
// encoding of the page.
#pragma once

#include <string>
#include <string_view>

#include "charset/encoding.h"

namespace crivello::charset {

// Appends the text in an encoding: the first step of the URL standard's "percent-encode after encoding". A
// missing character becomes "%26%23N%3B" (N is its code point), that is, "&#N;". UTF-16 and replacement count
// as UTF-8, whose bytes are appended unchanged. For the others, invalid UTF-8 counts as U+FFFD.
//
// An encoder is the inverse of our own decoder (encoding_decode.h), with the standard's exceptions. The table
// of an East Asian encoding is built on first use, in a few milliseconds and at most 1 MB. Linear.
// Thread-safe.
void AppendEncodedQuery(std::string_view utf8, Encoding encoding, std::string* out);

}  // namespace crivello::charset
