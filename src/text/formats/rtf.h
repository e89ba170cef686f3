// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "text/formats/document.h"

namespace crivello::text {

// Rich Text Format: its text in paragraphs, table rows, title and author; fonts, styles, pictures and objects
// are ignored. Bytes beyond ASCII are in the document's code page (\ansicpg), \u escapes are Unicode. Fails
// only if the bytes do not begin like RTF; malformed content after that is read as far as possible. Linear;
// groups nested more than 1024 deep are ignored. Thread-safe.
Result<Document> ConvertRtf(std::string_view bytes, size_t max_text_bytes);

}  // namespace crivello::text
