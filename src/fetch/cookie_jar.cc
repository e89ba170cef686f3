// SPDX-License-Identifier: Apache-2.0
#include "fetch/cookie_jar.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "web/http/http_date.h"
#include "web/url/ip_address.h"
#include "web/url/public_suffix.h"

namespace crivello::fetch {
namespace {

// Section 5.6 of the draft.
constexpr size_t kMaxNameAndValueBytes = 4096;
constexpr size_t kMaxAttributeBytes = 1024;
constexpr int64_t kMaxAgeSeconds = int64_t{400} * 24 * 3600;

std::string_view TrimBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7f;
  });
}

// Splits "name=value", both trimmed; without "=", all of it is the value.
std::pair<std::string_view, std::string_view> SplitPair(std::string_view pair) {
  const size_t equals = pair.find('=');
  if (equals == pair.npos) return {"", TrimBlanks(pair)};
  return {TrimBlanks(pair.substr(0, equals)), TrimBlanks(pair.substr(equals + 1))};
}

// Section 5.1.4.
std::string_view DefaultPath(const web::Url& url) {
  const std::string_view path = url.pathname();
  const size_t slash = path.rfind('/');
  if (path.empty() || path.front() != '/' || slash == 0) return "/";
  return path.substr(0, slash);
}

bool PathMatches(std::string_view request, std::string_view cookie) {
  if (!request.starts_with(cookie)) return false;
  return request.size() == cookie.size() || cookie.ends_with('/') || request[cookie.size()] == '/';
}

// The Max-Age attribute: the time of expiry, if it is a number.
std::optional<int64_t> ReadMaxAge(std::string_view value, int64_t now) {
  int64_t seconds = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), seconds);
  if (value.empty() || end != value.data() + value.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) seconds = value[0] == '-' ? -1 : kMaxAgeSeconds;
  if (seconds <= 0) return INT64_MIN;
  return now + std::min(seconds, kMaxAgeSeconds);
}

bool IsSecure(const web::Url& url) { return url.scheme_type() == web::SchemeType::kHttps; }

// Whether a host may set a cookie for this domain; "" if none was given.
bool MayNameDomain(std::string_view host, std::string_view domain) {
  if (domain.empty() || domain == host) return true;
  if (web::IsIpLiteral(host)) return false;
  const bool covers =
      host.size() > domain.size() && host.ends_with(domain) && host[host.size() - domain.size() - 1] == '.';
  return covers && web::PublicSuffixList::BuiltIn().PublicSuffix(domain) != domain;
}

}  // namespace

bool CookieJar::Store(const web::Url& url, std::string_view set_cookie, int64_t now) {
  if (HasControl(set_cookie)) return false;
  const size_t semicolon = std::min(set_cookie.find(';'), set_cookie.size());
  const auto [name, value] = SplitPair(set_cookie.substr(0, semicolon));
  if (name.empty() && value.empty()) return false;
  if (name.size() + value.size() > kMaxNameAndValueBytes) return false;

  Cookie cookie;
  cookie.name = name;
  cookie.value = value;
  cookie.expires = kSession;
  cookie.path = DefaultPath(url);
  bool has_max_age = false, has_path = false, has_domain = false;
  std::string domain;
  std::string_view rest = set_cookie.substr(semicolon);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // ';'
    const std::string_view attribute = rest.substr(0, rest.find(';'));
    rest.remove_prefix(attribute.size());
    const size_t equals = attribute.find('=');
    const std::string_view key = TrimBlanks(attribute.substr(0, equals));
    const std::string_view given = equals == attribute.npos ? "" : TrimBlanks(attribute.substr(equals + 1));
    if (given.size() > kMaxAttributeBytes) continue;
    if (EqualsIgnoringCase(key, "expires") && !has_max_age) {
      if (const auto date = web::ParseHttpDate(given, now))
        cookie.expires = std::min(*date, now + kMaxAgeSeconds);
    } else if (EqualsIgnoringCase(key, "max-age")) {
      if (const auto expires = ReadMaxAge(given, now)) {
        cookie.expires = *expires;
        has_max_age = true;
      }
    } else if (EqualsIgnoringCase(key, "domain")) {
      domain = ToAsciiLower(given.starts_with('.') ? given.substr(1) : given);
      has_domain = !domain.empty();
    } else if (EqualsIgnoringCase(key, "path")) {
      has_path = given.starts_with('/');
      cookie.path = has_path ? given : DefaultPath(url);
    } else if (EqualsIgnoringCase(key, "secure")) {
      cookie.secure = true;
    }
  }

  if (!MayNameDomain(url.hostname(), domain)) return false;
  if (cookie.secure && !IsSecure(url)) return false;
  const std::string prefix = ToAsciiLower(name.substr(0, std::min<size_t>(name.size(), 9)));
  if (prefix.starts_with("__secure-") && !cookie.secure) return false;
  if (prefix.starts_with("__host-") && (!cookie.secure || has_domain || !has_path || cookie.path != "/")) {
    return false;
  }
  // A cookie without a name must not look like one with a prefix when it is sent.
  if (name.empty()) {
    const std::string start = ToAsciiLower(value.substr(0, std::min<size_t>(value.size(), 9)));
    if (start.starts_with("__secure-") || start.starts_with("__host-")) return false;
  }

  const auto old = std::find_if(cookies_.begin(), cookies_.end(), [&](const Cookie& other) {
    return other.name == cookie.name && other.path == cookie.path;
  });
  if (old != cookies_.end() && old->secure && !IsSecure(url)) return false;  // section 5.7, step 15
  if (cookie.expires <= now) {
    if (old == cookies_.end()) return false;
    cookies_.erase(old);
    return true;
  }
  if (cookie.path.size() > kMaxAttributeBytes || cookie.bytes() > max_bytes_) return false;
  if (old != cookies_.end()) {
    *old = std::move(cookie);
  } else {
    cookies_.push_back(std::move(cookie));
  }
  Shrink(now);
  return true;
}

void CookieJar::Shrink(int64_t now) {
  size_t bytes = 0;
  for (const Cookie& cookie : cookies_) bytes += cookie.bytes();
  if (bytes <= max_bytes_) return;
  std::erase_if(cookies_, [&](const Cookie& cookie) {
    const bool gone = cookie.expires <= now;
    if (gone) bytes -= cookie.bytes();
    return gone;
  });
  size_t dropped = 0;
  while (bytes > max_bytes_) bytes -= cookies_[dropped++].bytes();
  cookies_.erase(cookies_.begin(), cookies_.begin() + static_cast<ptrdiff_t>(dropped));
}

std::string CookieJar::Header(const web::Url& url, int64_t now) const {
  std::vector<const Cookie*> sent;
  for (const Cookie& cookie : cookies_) {
    if (cookie.expires <= now || (cookie.secure && !IsSecure(url))) continue;
    if (PathMatches(url.pathname(), cookie.path)) sent.push_back(&cookie);
  }
  // Longer paths first, then older cookies (section 5.8.3).
  std::stable_sort(sent.begin(), sent.end(),
                   [](const Cookie* a, const Cookie* b) { return a->path.size() > b->path.size(); });
  std::string header;
  for (const Cookie* cookie : sent) {
    if (!header.empty()) header.append("; ");
    if (!cookie->name.empty()) header.append(cookie->name).append("=");
    header.append(cookie->value);
  }
  return header;
}

}  // namespace crivello::fetch
