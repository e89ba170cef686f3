// SPDX-License-Identifier: Apache-2.0
// What the readers of the feed formats share; for feed*.cc only.
#pragma once

#include <string>
#include <string_view>

#include "web/feed/feed.h"

namespace crivello::web::internal {

// Whether a text has something in it that only makes sense as HTML: a tag, a comment or a reference.
bool LooksLikeMarkup(std::string_view text);

// Decodes base64 (white space allowed) if it is that and decodes to text in UTF-8; else returns false.
bool DecodeBase64Text(std::string_view base64, std::string* out);

// "me@example.com (Name)", "Name (me@example.com)", "Name <me@example.com>", "Name", "me@example.com".
FeedPerson ParsePerson(std::string_view text);

// A link as browsers resolve it; as it stands, trimmed, if that gives no URL.  "" stays "".
std::string ResolveLink(std::string_view base, std::string_view reference);

FeedDate MakeDate(std::string_view text);

// The item's link from its links and id.
void ChooseItemLink(FeedItem* item);
// The feed's link, self, hubs and next from its links.
void ChooseFeedLinks(Feed* feed);

Result<Feed> ParseXmlFeed(std::string_view utf8, const FeedOptions& options);
Result<Feed> ParseJsonFeed(std::string_view utf8, const FeedOptions& options);

}  // namespace crivello::web::internal
