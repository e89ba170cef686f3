// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "web/url/url.h"

namespace crivello::fetch {

// The cookies of one host (RFC 6265bis, draft 12: sections 5.6 to 5.8), within a byte limit.
//
// A jar belongs to the host that filled it, and its cookies are sent only to that host.  A
// Domain attribute is checked (it must cover the host and not be a public suffix; otherwise the
// cookie is refused), but it never widens where the cookie goes.  So the state of a host is all
// that a fetch from it needs.  Secure, Path, Expires, Max-Age and the __Secure- and __Host-
// prefixes are obeyed; HttpOnly and SameSite concern only browsers.  Session cookies live as
// long as the jar.
//
// If a new cookie does not fit, expired ones are dropped first, then those set longest ago.  Some hundred
// bytes per cookie; operations are linear in the jar.  Times are seconds since 1970.  One thread at a time.
class CookieJar {
 public:
  explicit CookieJar(size_t max_bytes = 4096) : max_bytes_(max_bytes) {}

  // Processes the value of a Set-Cookie field in a response to `url`.  True if the jar changed.
  bool Store(const web::Url& url, std::string_view set_cookie, int64_t now);
  // The value of the Cookie field for a request to `url`, or "".
  std::string Header(const web::Url& url, int64_t now) const;

  bool empty() const { return cookies_.empty(); }
  size_t size() const { return cookies_.size(); }

  // Serialises the jar (docs/formats/cookies.md), without expired cookies.
  std::string Serialize(int64_t now) const;
  // Corruption if the bytes are not a jar.  Cookies beyond `max_bytes` are dropped, oldest first.
  static Result<CookieJar> Parse(std::string_view bytes, size_t max_bytes = 4096);

 private:
  struct Cookie {
    std::string name;
    std::string value;
    std::string path;
    int64_t expires = 0;  // kSession: when the jar is dropped
    bool secure = false;
    size_t bytes() const { return name.size() + value.size() + path.size() + kOverheadBytes; }
  };
  static constexpr int64_t kSession = INT64_MAX;
  static constexpr size_t kOverheadBytes = 16;

  // Drops cookies until the jar is within its limit.
  void Shrink(int64_t now);

  size_t max_bytes_;
  std::vector<Cookie> cookies_;  // in the order in which they were first set
};

}  // namespace crivello::fetch
