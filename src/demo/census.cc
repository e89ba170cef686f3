// SPDX-License-Identifier: Apache-2.0
#include "demo/census.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <set>

#include "web/feed/sitemap.h"
#include "web/page/page_scan.h"
#include "web/page/robots.h"
#include "web/url/canonical.h"
#include "web/url/url.h"

namespace crivello::demo {
namespace {

using UrlSet = std::set<std::string>;

std::vector<std::string> Sorted(const UrlSet& urls) { return {urls.begin(), urls.end()}; }

bool IsFollowed(web::LinkKind kind) {
  return kind == web::LinkKind::kAnchor || kind == web::LinkKind::kArea || kind == web::LinkKind::kIframe ||
         kind == web::LinkKind::kFrame || kind == web::LinkKind::kRefresh;
}

class Walk {
 public:
  Walk(const BuiltInWeb& web, std::string_view agent) : web_(web) {
    for (const HostAddress& host : BuiltInWeb::hosts()) {
      robots_[host.name] = web::Robots::Parse(web.Get(host.name, web::kRobotsPath).body, agent);
    }
  }

  Census Take() {
    for (const std::string& seed : web_.Seeds()) Add(seed, nullptr);
    Drain();
    const UrlSet by_links = reachable_;
    for (const auto& [host, robots] : robots_) {
      for (const std::string& sitemap : robots.sitemaps()) AddSitemap(sitemap);
    }
    Drain();
    Census census;
    std::set_difference(reachable_.begin(), reachable_.end(), by_links.begin(), by_links.end(),
                        std::back_inserter(census.only_in_sitemaps));
    std::set_difference(nofollow_.begin(), nofollow_.end(), seen_.begin(), seen_.end(),
                        std::back_inserter(census.unfollowed));
    census.reachable = Sorted(reachable_);
    census.redirects = Sorted(redirects_);
    census.dead = Sorted(dead_);
    census.disallowed = Sorted(disallowed_);
    return census;
  }

 private:
  void Add(std::string_view href, const web::Url* base) {
    const auto url = web::CanonicalUrl(href, base);
    if (url.ok() && !web_.IsTrap(url->href()) && seen_.insert(url->href()).second) queue_.push_back(*url);
  }

  void AddSitemap(std::string_view address) {
    const auto url = web::CanonicalUrl(address);
    if (!url.ok()) return;
    const Answer answer = web_.Get(url->hostname(), url->path_and_query());
    // An unreadable sitemap ends there; the entries before the error count.
    web::ReadSitemap(answer.body, {}, [&](const web::SitemapEntry& entry) { Add(entry.loc, nullptr); })
        .status()
        .IgnoreError();
  }

  void Drain() {
    for (; !queue_.empty(); queue_.pop_front()) Visit(queue_.front());
  }

  void Visit(const web::Url& url) {
    const auto robots = robots_.find(url.hostname());
    if (robots != robots_.end() && !robots->second.Check(url.path_and_query()).allowed) {
      disallowed_.insert(url.href());
      return;
    }
    const Answer answer = web_.Get(url.hostname(), url.path_and_query());
    if (!answer.location.empty()) {
      redirects_.insert(url.href());
      Add(answer.location, &url);
    } else if (answer.status != 200) {
      dead_.insert(url.href());
    } else {
      reachable_.insert(url.href());
      if (answer.content_type.starts_with("text/html")) Follow(url, answer.body);
    }
  }

  void Follow(const web::Url& url, std::string_view body) {
    const web::Page page = web::ScanPage(body);
    for (const web::Link& link : page.links) {
      if (!IsFollowed(link.kind)) continue;
      if (link.nofollow() || page.robots.nofollow) {
        const auto target = web::CanonicalUrl(link.href, &url);
        if (target.ok()) nofollow_.insert(target->href());
      } else {
        Add(link.href, &url);
      }
    }
  }

  const BuiltInWeb& web_;
  std::map<std::string, web::Robots, std::less<>> robots_;
  std::deque<web::Url> queue_;
  UrlSet seen_, reachable_, redirects_, dead_, disallowed_, nofollow_;
};

}  // namespace

Census TakeCensus(const BuiltInWeb& web, std::string_view agent) { return Walk(web, agent).Take(); }

std::vector<std::string> ReachablePages(const BuiltInWeb& web) { return TakeCensus(web).reachable; }

}  // namespace crivello::demo
