// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "web/http/usage_preferences.h"
#include "web/page/robots_matcher.h"

namespace crivello::web {

// Where the file is on each authority; how much of it is read (RFC 9309 §2.5); how long at most, and at
// least, a copy is used, whatever its Cache-Control says (§2.4); how many redirects are followed (§2.3.1.2);
// and after how long a site that does not respond is assumed to have no such file (§2.3.1.4).
inline constexpr std::string_view kRobotsPath = "/robots.txt";
inline constexpr size_t kRobotsMaxBytes = size_t{500} * 1024;
inline constexpr int kRobotsMaxAgeHours = 24;
inline constexpr int kRobotsMinAgeMinutes = 10;
inline constexpr int kRobotsMaxRedirects = 5;
inline constexpr int kRobotsMaxUnreachableDays = 30;

// What to do with the response to a request for robots.txt. The numbers are stored on disk, in robots records
// (docs/formats/collection.md): never renumber or reuse one.
enum class RobotsAccess : uint8_t { kParse = 0, kFollowRedirect = 1, kAllowAll = 2, kDisallowAll = 3 };

struct RobotsAnswer {
  int status = 0;            // HTTP status; 0 if there was no response
  int redirects = 0;         // consecutive redirects so far, including this one
  int days_unreachable = 0;  // since the last response that was not a failure
};

// RFC 9309 §2.3.1: 2xx is parsed. Up to five redirects are followed; after that the file counts as missing.
// 4xx allows everything; anything else disallows everything, for thirty days. 429 is not treated as 4xx: it
// tells us to slow down, and is a failure like 5xx.
RobotsAccess RobotsAccessFor(const RobotsAnswer& answer);

// The rules of a robots.txt for one crawler (RFC 9309), compiled.
//
// Groups: "User-agent" lines name the crawlers that the rules below them apply to. All groups for our product
// token (in any case) count as one; if there are none, those for "*" apply. Unknown lines, Sitemap and
// Crawl-delay lines do not end a list of user agents; a Crawl-delay applies to the agents named before it.
// Rules: the longest pattern that matches the path decides; of equally long ones, Allow wins (Check()).
// Content-Usage lines are rules too, but do not affect fetching (UsageOf()).
// Tolerated, as Google does and its published tests expect: a complete or partial byte order mark; a missing
// colon; common misspellings; anything after a user agent's token; a NUL, which ends its line; long lines,
// which are cut after kMaxLineBytes. "Allow: /x/index.html" also allows "/x/".
//
// Parse() is linear in the text and reads up to kRobotsMaxBytes of it.  A line cut at that limit is dropped,
// so that "/a" is not read as "/".
// An object owns what it needs.  Immutable, thread-safe.
class Robots {
 public:
  static constexpr size_t kMaxLineBytes = 16663;

  struct Options {
    // Whether "%7E" equals "~", in rules and in paths (RFC 9309 §2.2.2). If false, escapes are only converted
    // to upper case, and only in rules, as Google does and its tests expect. A crawler of canonical URLs
    // should set it.
    bool decode_unreserved = false;
  };

  // The rules of `text` for the crawler `agent`, a product token; anything from a "/" on is ignored.
  static Robots Parse(std::string_view text, std::string_view agent, const Options& options);
  static Robots Parse(std::string_view text, std::string_view agent) { return Parse(text, agent, Options()); }
  // The results for the other values of RobotsAccess.
  static Robots AllowAll() { return {}; }
  static Robots DisallowAll();

  // Whether a path (with its query, percent-encoded, as Url::path_and_query() returns it) may be fetched, and
  // which rule decided. About a microsecond, even for thousands of rules. The text of the rule is valid as
  // long as this object.
  struct Verdict {
    bool allowed = true;
    uint32_t line = 0;      // line number of the deciding rule, from 1; 0 if no rule matched
    std::string_view rule;  // that line, trimmed
  };
  Verdict Check(std::string_view path_and_query) const;

  // What the Content-Usage lines state about a path that may be fetched (draft-ietf-aipref-attach-05, section
  // 3): those with the longest matching pattern, joined. A line without a pattern counts as shorter than any
  // other.
  UsagePreferences UsageOf(std::string_view path_and_query) const;

  // The longest Crawl-delay that applies to us, if any.
  std::optional<double> crawl_delay_seconds() const { return crawl_delay_seconds_; }
  // The values of Sitemap lines, as written. They apply to every crawler.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  // Whether some group names us explicitly, not just "*".
  bool names_agent() const { return names_agent_; }
  size_t rules() const { return lines_.size(); }

 private:
  friend class RobotsParser;
  struct Line {
    uint32_t number;
    std::string text;
  };

  // The path in the form of the patterns. The result refers to the path itself or to `changed`.
  std::string_view Comparable(std::string_view path_and_query, std::string* changed) const;

  RobotsMatcher matcher_;
  std::vector<Line> lines_;  // by the tag of the rule
  RobotsMatcher usage_matcher_;
  std::vector<std::string> usage_;  // preferences as text, by the tag of their rule in usage_matcher_
  std::string general_usage_;       // from lines without a pattern
  std::vector<std::string> sitemaps_;
  std::optional<double> crawl_delay_seconds_;
  bool names_agent_ = false;
  bool decode_unreserved_ = false;
};

// The path and query of a URL or path as written, without parsing: for callers without a Url.
std::string_view RobotsPathOf(std::string_view url);

}  // namespace crivello::web
