// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace crivello::web {

// Where in a page a URL was found. The numbers are stored on disk, in link cells (docs/formats/table.md):
// never renumber or reuse one; a new kind takes the next number.
enum class LinkKind : uint8_t {
  kAnchor = 0,       // a href
  kArea = 1,         // area href
  kLink = 2,         // link href; rel says what it is
  kIframe = 3,       // iframe src
  kFrame = 4,        // frame src
  kImage = 5,        // img src
  kImageSource = 6,  // a candidate of img srcset or of (picture) source srcset
  kForm = 7,         // form action
  kRefresh = 8,      // meta http-equiv=refresh
};
std::string_view LinkKindName(LinkKind kind);

// A URL as written in the page: not resolved, only stripped of surrounding white space. The views point into
// the Page.
struct Link {
  LinkKind kind = LinkKind::kAnchor;
  bool in_noscript = false;
  std::string_view href;
  std::string_view
      text;              // of an anchor, with the alt of its images; alt of an area or image; title of a link
  std::string_view rel;  // as written: words in any case
  std::string_view type;      // of an anchor or link: media type; of a form: its method
  std::string_view hreflang;  // of an anchor or link

  // Whether rel has a word (given in lower case).
  bool HasRel(std::string_view word) const;
  bool nofollow() const;  // rel has nofollow, ugc or sponsored
  // <link rel=alternate> with a feed's type (RSS, Atom, RDF, JSON Feed), or rel=feed.
  bool IsFeed() const;
};

// Whether a space-separated list contains a word, ignoring ASCII case; `word` is in lower case.
bool HasWord(std::string_view list, std::string_view word);

// The value of meta refresh, by the standard's "shared declarative refresh steps"; nullopt if it is invalid.
// An empty URL means the page itself.
struct Refresh {
  uint32_t seconds = 0;  // at most 2^31 - 1
  std::string_view url;  // a view into the content
};
std::optional<Refresh> ParseRefresh(std::string_view content);

// A candidate of a srcset.  Without descriptor, density is 1.
struct ImageCandidate {
  std::string_view url;  // a view into the attribute
  uint32_t width = 0;    // of "640w", else 0
  double density = 0;    // of "2x", else 0
  friend bool operator==(const ImageCandidate&, const ImageCandidate&) = default;
};
// The candidates of a srcset, by the standard's algorithm; candidates with invalid descriptors are omitted.
// Linear.
std::vector<ImageCandidate> ParseSrcset(std::string_view srcset);

}  // namespace crivello::web
