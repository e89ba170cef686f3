// SPDX-License-Identifier: Apache-2.0
// UTF-8 to one of the web's encodings, for the one thing that still wants it: a link's query, which a browser
// sends in the encoding of the page.
#pragma once

#include <string>
#include <string_view>

#include "charset/encoding.h"

namespace crivello::charset {

// Appends the text in an encoding, as the URL standard's "percent-encode after encoding" begins: what the
// encoding lacks becomes "%26%23N%3B" (N the code point), which is "&#N;".  UTF-16 and replacement count as
// UTF-8, whose bytes are appended as they are.  Otherwise bytes that are no UTF-8 count as U+FFFD.
//
// An encoder is the inverse of our own decoder (encoding_decode.h), with the standard's exceptions; a table
// of the East Asian ones is made when it is first asked for, in some milliseconds and at most 1 MB.  Linear.
// Thread-safe.
void AppendEncodedQuery(std::string_view utf8, Encoding encoding, std::string* out);

}  // namespace crivello::charset
