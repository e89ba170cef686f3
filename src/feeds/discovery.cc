// SPDX-License-Identifier: Apache-2.0
#include "feeds/discovery.h"

#include <algorithm>

#include "web/url/canonical.h"
#include "web/url/link_resolver.h"

namespace crivello::feeds {

std::vector<std::string> NamedFeeds(const web::Page& page, const web::Url& url) {
  std::vector<std::string> feeds;
  const web::LinkResolver resolver(url, page.base, charset::Encoding::kUtf8);
  web::Url resolved;
  web::Url canonical;
  for (const web::Link& link : page.links) {
    if (feeds.size() == kMaxNamed) break;
    if (link.kind != web::LinkKind::kLink || !link.IsFeed()) continue;
    if (!resolver.Resolve(link.href, &resolved) || !web::Canonicalize(resolved, &canonical)) continue;
    std::string feed(canonical.href());
    if (std::find(feeds.begin(), feeds.end(), feed) == feeds.end()) feeds.push_back(std::move(feed));
  }
  return feeds;
}

std::vector<std::string> UsualFeeds(const web::Url& url) {
  std::vector<std::string> feeds;
  for (const std::string_view path :
       {"/feed", "/rss.xml", "/atom.xml", "/feed.xml", "/index.xml", "/feed.json", "/rss"}) {
    feeds.push_back(std::string(url.origin()) + std::string(path));
  }
  return feeds;
}

}  // namespace crivello::feeds
