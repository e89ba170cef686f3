// SPDX-License-Identifier: Apache-2.0
// Character references in feeds and sitemaps: what stands between '&' and ';'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace crivello::web {

// Finds what a named reference stands for, in UTF-8, or "" if the name is unknown.  The name comes without
// '&' and ';'; the text found must live as long as the program.
using XmlEntityLookup = std::string_view (*)(std::string_view name);

// The 253 names of HTML 4 and XML (feeds use XHTML's without declaring them), case-sensitive; O(log n).
std::string_view LookupHtml4Entity(std::string_view name);

// Appends a code point in UTF-8 as browsers do for &#N;: 128 to 159 are taken as windows-1252, and what is no
// character (0, surrogates, above 0x10FFFF) becomes U+FFFD.
void AppendReferencedCodePoint(uint32_t code_point, std::string* out);

// Appends `text` with its references resolved: &#38; &#x26; &amp;.  A reference needs its ';' (so that the
// query
// "?a=1&copy=2" stays as it is), and one that is unknown or broken stays as it is.  Linear, not recursive.
void AppendWithoutReferences(std::string_view text, XmlEntityLookup lookup, std::string* out);

namespace internal {
// The length of the reference that starts at text[0] == '&', with its ';', or 0 if it is none; for a numeric
// one *code_point is set and *name empty, for a named one *name.
size_t MeasureReference(std::string_view text, std::string_view* name, uint32_t* code_point);
}  // namespace internal

}  // namespace crivello::web
