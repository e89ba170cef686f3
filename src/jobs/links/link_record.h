// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace crivello::jobs {

// How a page points to another.  The numbers are stored on disk (docs/formats/links.md): never renumber or
// reuse one.  Those of links in a page are the numbers of web::LinkKind, which link cells hold.
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
  kRedirect = 64,  // the source answered with a redirect to the target
};
inline constexpr uint8_t kMaxLinkKind = 127;

// What is known of a link and of the page that it is on.  Bits, stored on disk like the kinds.
namespace link_flag {
inline constexpr uint8_t kNofollow = 1;        // the link itself is not vouched for
inline constexpr uint8_t kSourceNofollow = 2;  // the page does not vouch for any of its links
inline constexpr uint8_t kSourceNoindex = 4;   // the page asks not to be indexed
inline constexpr uint8_t kSourceFailed = 8;    // the page did not answer with a status of 2xx
inline constexpr uint8_t kAll = 15;
}  // namespace link_flag

// A link, as it is read by target.  Views of what it was read from.
struct LinkRecord {
  std::string_view target;  // row key; there need not be such a row
  std::string_view source;  // row key
  LinkKind kind = LinkKind::kAnchor;
  uint8_t flags = 0;
  std::string_view text = {};  // of the anchor

  friend bool operator==(const LinkRecord&, const LinkRecord&) = default;
};

}  // namespace crivello::jobs
