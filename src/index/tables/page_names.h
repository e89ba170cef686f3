// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "index/tables/inlinks.h"
#include "web/url/url.h"

namespace crivello::index {

// A page has names: a query that is one of them as a whole asks for this page.  They are the keywords of the
// field "name", each with the letter of its kind before it ("t:git commit"), so that a search finds the pages
// of a name by one list for each kind.
enum class NameKind : char {
  kTitle = 't',   // its title
  kPart = 'p',    // of a title that is put together ("git-commit - Git Manual") each part; a title without
                  // its chapter's number; the last part of its path
  kHome = 'h',    // of a home page: its host, and the word of its domain without the suffix
  kAnchor = 'a',  // the text of a link to it
};
inline constexpr std::string_view kNameKinds = "tpha";

// A text as names are compared: folded, words and numbers alone, one blank between them, without the English
// articles and prepositions.  Empty if there is no word, or if it is too long for a name.
std::string NameKey(std::string_view text);
// The keyword of a key.
std::string NameTerm(NameKind kind, std::string_view key);

// The keywords of a page, each once.  inlinks may be nullptr.
std::vector<std::string> NamesOf(const web::Url& url, std::string_view title, const Inlinks* inlinks);

}  // namespace crivello::index
