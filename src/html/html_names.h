// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "html/html_tags.inc"

namespace crivello::html {

// The names of the elements for which the tokenizer's users have rules; all other names are kUnknown and are
// compared as bytes. SVG and MathML names use the same enumeration, in lower case.
enum class Tag : uint8_t {
  kUnknown,
#define CRV_TAG(id, name, kinds) id,
  CRV_HTML_TAGS(CRV_TAG)
#undef CRV_TAG
      kCount
};

// Kinds of HTML elements, as bits.
enum TagKinds : uint8_t {
  kNone = 0,
  kSpecial = 1 << 0,     // "special" in the standard's sense
  kFormatting = 1 << 1,  // kept in the list of active formatting elements
  kImpliedEnd = 1 << 2,  // its end tag may be implied
  kTableEnd = 1 << 3,    // its end tag may be implied "thoroughly" (table parts)
  kVoid = 1 << 4,        // has no content
  kBlock = 1 << 5,       // begins and ends a line of text
};

namespace internal {
inline constexpr uint8_t kTagKinds[] = {kNone,
#define CRV_TAG(id, name, kinds) (kinds),
                                        CRV_HTML_TAGS(CRV_TAG)
#undef CRV_TAG
};
}  // namespace internal

inline bool HasKind(Tag tag, unsigned kinds) {
  return (internal::kTagKinds[static_cast<size_t>(tag)] & kinds) != 0;
}

// The tag of a lower-case name. One hash and usually one comparison.
Tag FindTag(std::string_view name);

// The name of a tag, "" of kUnknown.
std::string_view TagName(Tag tag);

}  // namespace crivello::html
