// SPDX-License-Identifier: Apache-2.0
// Character references in feeds and sitemaps.  Unlike a page's, they need their ';', so that the query
// "?a=1&copy=2" stays as it is; the names are HTML's (feeds use them without declaring them).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::web {

// Appends `text` with its references resolved: &#38; &#x26; &amp;.  One that is unknown or broken stays as it
// is.  Linear, not recursive.
void AppendWithoutReferences(std::string_view text, std::string* out);

namespace internal {
// The length of the reference that starts at text[0] == '&', with its ';', or 0 if it is none; for a numeric
// one *code_point is set and *name empty, for a named one *name, known or not.
size_t MeasureReference(std::string_view text, std::string_view* name, uint32_t* code_point);
}  // namespace internal

}  // namespace crivello::web
