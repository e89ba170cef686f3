// SPDX-License-Identifier: Apache-2.0
// The encoding that a document declares itself: byte order mark, <meta>, XML declaration.
#pragma once

#include <optional>
#include <string_view>

#include "charset/encoding.h"

namespace crivello::charset {

// UTF-8, UTF-16BE or UTF-16LE, judged by the first two or three bytes.
std::optional<Encoding> SniffByteOrderMark(std::string_view bytes);

// "Prescan a byte stream to determine its encoding" of the HTML standard
// (https://html.spec.whatwg.org/#prescan-a-byte-stream-to-determine-its-encoding), over the first 1024 bytes;
// then on to `limit` bytes, as the parser would when a later <meta> changes the encoding, that is, outside
// scripts, styles and other raw text. An XML declaration counts if no <meta> does. UTF-16 declared in ASCII
// means UTF-8; x-user-defined means windows-1252. Linear in `limit`, no allocation.
std::optional<Encoding> PrescanEncoding(std::string_view bytes, size_t limit);

// "Extracting a character encoding from a meta element": the label in `text/html; charset=label`, as browsers
// read the content attribute.
std::optional<Encoding> EncodingFromMetaContent(std::string_view content);

}  // namespace crivello::charset
