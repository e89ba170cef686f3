// SPDX-License-Identifier: Apache-2.0
// Items of a feed that are complete in themselves: they have their full text in the feed, and no page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "web/feed/feed.h"
#include "web/url/url.h"

namespace crivello::feeds {

// The maximum for one file; later ones are ignored.
inline constexpr size_t kMaxItemDocuments = 256;

// The items that have a full text but no page: no link, or one that is not http or https.  The full text is
// the content.  In RSS, whose items may be "complete in themselves" (RSS 2.0), it is the description if there
// is no content.  In the order of the feed, at most kMaxItemDocuments.
std::vector<const web::FeedItem*> ItemsWithoutPage(const web::Feed& feed);

// The canonical URL under which such an item is kept: that of the feed with a parameter that servers ignore,
// so following it leads to the feed.  Derived from the item's id, or from its texts if it has none.
Result<web::Url> ItemUrl(const web::Url& feed, const web::FeedItem& item);
// Whether a URL has that form: it names an item and is never fetched.
bool IsItemUrl(const web::Url& url);

// The item as an HTML page, with its title, date, language and base.  Its markup is unchanged.
std::string ItemHtml(const web::FeedItem& item);

}  // namespace crivello::feeds
