// SPDX-License-Identifier: Apache-2.0
// Shared by the readers of the feed formats; for feed*.cc only.
#pragma once

#include <string>
#include <string_view>

#include "web/feed/feed.h"

namespace crivello::web::internal {

// Whether a text contains something that only makes sense as HTML: a tag, a comment or a reference.
bool LooksLikeMarkup(std::string_view text);

// Decodes base64 (white space allowed). Returns false if it is not base64 or not UTF-8 once decoded.
bool DecodeBase64Text(std::string_view base64, std::string* out);

// "me@example.com (Name)", "Name (me@example.com)", "Name <me@example.com>", "Name", "me@example.com".
FeedPerson ParsePerson(std::string_view text);

// Resolves a link as browsers do. An invalid URL is returned trimmed but otherwise unchanged; "" stays "".
std::string ResolveLink(std::string_view base, std::string_view reference);

FeedDate MakeDate(std::string_view text);

// Chooses the item's link among its links and its id.
void ChooseItemLink(FeedItem* item);
// Chooses the feed's link, self, hubs and next among its links.
void ChooseFeedLinks(Feed* feed);

Result<Feed> ParseXmlFeed(std::string_view utf8, const FeedOptions& options);
Result<Feed> ParseJsonFeed(std::string_view utf8, const FeedOptions& options);

}  // namespace crivello::web::internal
