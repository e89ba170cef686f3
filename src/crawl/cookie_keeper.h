// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/mutex.h"
#include "fetch/cookie_jar.h"
#include "web/http/http_message.h"
#include "web/url/url.h"

namespace crivello::crawl {

// The cookies of a crawl, in memory: a jar of at most kHostBytes for each host that has set any, within a
// budget. Beyond the budget, the host with the least recent request is forgotten.  After a restart, the crawl
// has no cookies.  Most hosts set none and cost nothing.  Thread-safe.
class CookieKeeper {
 public:
  static constexpr size_t kHostBytes = 4096;

  explicit CookieKeeper(uint64_t budget_bytes = 16 << 20) : budget_bytes_(budget_bytes) {}

  // Takes the Set-Cookie fields of a response to `url`.  Time is seconds since 1970.
  void Store(const web::Url& url, const web::HttpFields& fields, int64_t now) CRV_EXCLUDES(mu_);
  // The value of the Cookie field for a request, or "".
  std::string Header(const web::Url& url, int64_t now) CRV_EXCLUDES(mu_);

  uint64_t hosts() const CRV_EXCLUDES(mu_);

 private:
  struct Entry {
    std::string host;
    fetch::CookieJar jar{kHostBytes};
  };

  void Drop(std::list<Entry>::iterator entry) CRV_REQUIRES(mu_);

  const uint64_t budget_bytes_;
  mutable Mutex mu_;
  std::list<Entry> recent_ CRV_GUARDED_BY(mu_);  // the most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> index_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::crawl
