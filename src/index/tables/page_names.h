// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/tables/inlinks.h"
#include "web/url/url.h"

namespace crivello::index {

// A page has names: if a whole query is one of them, it asks for this page.  They are keywords of the field
// "name", prefixed with the letter of their kind ("t:git commit"), so that a search finds the pages of a name
// with one list per kind.
enum class NameKind : char {
  kTitle = 't',   // its title
  kPart = 'p',    // each part of a compound title ("git-commit - Git Manual"); a title without its chapter's
                  // number; the last part of its path
  kHome = 'h',    // of a home page: its host, and the word of its domain without the suffix
  kAnchor = 'a',  // the text of a link to it
};
inline constexpr std::string_view kNameKinds = "tpha";

// Normalises a text for comparing names: folded, only words and numbers, separated by one blank, without
// English articles and prepositions.  Empty if there is no word, or if it is too long for a name.
std::string NameKey(std::string_view text);
// The keyword for a key.
std::string NameTerm(NameKind kind, std::string_view key);

// The keywords of a page, without repetitions.  inlinks may be nullptr.
std::vector<std::string> NamesOf(const web::Url& url, std::string_view title, const Inlinks* inlinks);

}  // namespace crivello::index
