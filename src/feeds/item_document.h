// SPDX-License-Identifier: Apache-2.0
// Items of a feed that are complete in themselves: they have a text, and no page of their own.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "web/feed/feed.h"
#include "web/url/url.h"

namespace crivello::feeds {

// More of them are left out of one file.
inline constexpr size_t kMaxItemDocuments = 256;

// The items with a full text and without a page: without a link, or with one that is not of http or https.
// The full text is the content; in RSS, whose items may be "complete in themselves" (RSS 2.0), else the
// description.  In the order of the feed, at most kMaxItemDocuments.
std::vector<const web::FeedItem*> ItemsWithoutPage(const web::Feed& feed);

// The canonical URL under which such an item is kept: the feed's, with a parameter that no server knows, so
// whoever follows it gets the feed.  Made from the item's id, or from its texts if it has none.
Result<web::Url> ItemUrl(const web::Url& feed, const web::FeedItem& item);
// Whether a URL is of that form: it is the name of an item, and never fetched.
bool IsItemUrl(const web::Url& url);

// The item as an HTML page, with its title, date, language and base.  Its markup is its author's.
std::string ItemHtml(const web::FeedItem& item);

}  // namespace crivello::feeds
