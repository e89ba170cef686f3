// SPDX-License-Identifier: Apache-2.0
#include "crawl/cookie_keeper.h"

namespace crivello::crawl {

void CookieKeeper::Store(const web::Url& url, const web::HttpFields& fields, int64_t now) {
  if (!fields.Find("set-cookie")) return;
  MutexLock lock(mu_);
  auto found = index_.find(url.hostname());
  if (found == index_.end()) {
    recent_.push_front({.host = std::string(url.hostname())});
    found = index_.emplace(recent_.front().host, recent_.begin()).first;
  }
  fetch::CookieJar& jar = found->second->jar;
  fields.ForEach("set-cookie", [&](std::string_view value) { jar.Store(url, value, now); });
  if (jar.empty()) Drop(found->second);
  // A jar is counted as full, so that the sum needs no keeping.
  while (recent_.size() * kHostBytes > budget_bytes_) Drop(std::prev(recent_.end()));
}

void CookieKeeper::Drop(std::list<Entry>::iterator entry) {
  index_.erase(entry->host);
  recent_.erase(entry);
}

std::string CookieKeeper::Header(const web::Url& url, int64_t now) {
  MutexLock lock(mu_);
  const auto found = index_.find(url.hostname());
  if (found == index_.end()) return {};
  recent_.splice(recent_.begin(), recent_, found->second);
  return found->second->jar.Header(url, now);
}

uint64_t CookieKeeper::hosts() const {
  MutexLock lock(mu_);
  return recent_.size();
}

}  // namespace crivello::crawl
