// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello::jobs {

// How a page refers to another.  The numbers are stored on disk (docs/formats/links.md): never renumber or
// reuse one.  Those of links in a page equal the numbers of web::LinkKind, which link cells contain.
enum class LinkKind : uint8_t {
  kAnchor = 0,
  kArea = 1,
  kLink = 2,
  kIframe = 3,
  kFrame = 4,
  kImage = 5,
  kImageSource = 6,
  kForm = 7,
  kRefresh = 8,
  kRedirect = 64,  // the source responded with a redirect to the target
};
inline constexpr uint8_t kMaxLinkKind = 127;

// Properties of a link and of its page.  Bits, stored on disk like the kinds.
namespace link_flag {
inline constexpr uint8_t kNofollow = 1;        // the link itself is nofollow
inline constexpr uint8_t kSourceNofollow = 2;  // the page marks all of its links as nofollow
inline constexpr uint8_t kSourceNoindex = 4;   // the page asks not to be indexed
inline constexpr uint8_t kSourceFailed = 8;    // the page's response did not have status 2xx
inline constexpr uint8_t kAll = 15;
}  // namespace link_flag

// A link, as read by target.  Views of the data it was read from.
struct LinkRecord {
  std::string_view target;  // row key; the row may not exist
  std::string_view source;  // row key
  LinkKind kind = LinkKind::kAnchor;
  uint8_t flags = 0;
  std::string_view text = {};  // of the anchor

  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

}  // namespace crivello::jobs
