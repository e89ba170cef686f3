// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "web/page/page_scan.h"
#include "web/url/url.h"

namespace crivello::feeds {

// The feeds that a page names: <link rel=alternate> with a feed's type, canonical, each once, in the page's
// order, at most kMaxNamed.
inline constexpr size_t kMaxNamed = 16;
std::vector<std::string> NamedFeeds(const web::Page& page, const web::Url& url);

// Where sites that name no feed often have one: /feed, /rss.xml, ... of the page's origin.
std::vector<std::string> UsualFeeds(const web::Url& url);

}  // namespace crivello::feeds
