// SPDX-License-Identifier: Apache-2.0
// Character references in feeds and sitemaps. Unlike in HTML pages, the ';' is required, so that the query
// "?a=1&copy=2" stays as it is. The names are HTML's (feeds use them without declaring them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::web {

// Appends `text` with its references resolved: &#38; &#x26; &amp;. Unknown or malformed references stay as
// they are. Linear, not recursive.
void AppendWithoutReferences(std::string_view text, std::string* out);

namespace internal {
// The length of the reference that starts at text[0] == '&', including its ';', or 0 if there is none. A
// numeric reference sets *code_point and empties *name; a named one sets *name, whether or not it is known.
size_t MeasureReference(std::string_view text, std::string_view* name, uint32_t* code_point);
}  // namespace internal

}  // namespace crivello::web
