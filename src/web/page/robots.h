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

// Where the file lies on each authority, how much of it is read (RFC 9309 §2.5), for how long a copy serves
// at most, and at least, whatever its Cache-Control says (§2.4), how many redirects are followed (§2.3.1.2),
// and after how long a site that does not answer is taken to have no file (§2.3.1.4).
inline constexpr std::string_view kRobotsPath = "/robots.txt";
inline constexpr size_t kRobotsMaxBytes = size_t{500} * 1024;
inline constexpr int kRobotsMaxAgeHours = 24;
inline constexpr int kRobotsMinAgeMinutes = 10;
inline constexpr int kRobotsMaxRedirects = 5;
inline constexpr int kRobotsMaxUnreachableDays = 30;

// What to do about the answer to a request for robots.txt.  The numbers are stored on disk, in robots records
// (docs/formats/collection.md): never renumber or reuse one.
enum class RobotsAccess : uint8_t { kParse = 0, kFollowRedirect = 1, kAllowAll = 2, kDisallowAll = 3 };

struct RobotsAnswer {
  int status = 0;            // of HTTP; 0 if there was no answer
  int redirects = 0;         // consecutive ones so far, this one included
  int days_unreachable = 0;  // since the last answer that was not a failure
};

// RFC 9309 §2.3.1: 2xx is parsed, up to five redirects are followed and then the file counts as missing, 4xx
// allows everything, anything else nothing, for thirty days.  429 is no "4xx" here: it tells us to go slower,
// and is a failure as 5xx is.
RobotsAccess RobotsAccessFor(const RobotsAnswer& answer);

// The rules of a robots.txt for one crawler (RFC 9309), compiled.
//
// Groups: lines "User-agent" name the crawlers that the rules below them are for.  All groups for our product
// token (compared without case) count as one; if there are none, those for "*" do.  Unknown lines, Sitemap
// and Crawl-delay lines do not end a list of user agents; a Crawl-delay is for the agents named before it.
// Rules: among the rules that match the path, the longest pattern decides, and of equal ones Allow (Check()).
// Content-Usage lines are rules too, which say nothing of fetching (UsageOf()).
// Forgiven, as Google does and as its published tests expect: a byte order mark or a part of one; a missing
// colon; common misspellings; anything after the token of a user agent; a NUL ends its line; lines are cut
// after kMaxLineBytes; "Allow: /x/index.html" also allows "/x/".
//
// Parse() is linear in the text, up to kRobotsMaxBytes of it (a line cut there is dropped, lest "/a" be read
// as
// "/").  An object owns what it needs.  Immutable, thread-safe.
class Robots {
 public:
  static constexpr size_t kMaxLineBytes = 16663;

  struct Options {
    // Whether "%7E" in a rule is "~", in rules and in paths (RFC 9309 §2.2.2).  Off, escapes are only put in
    // upper case, in rules alone, as Google does and its tests expect.  A crawler of canonical URLs wants it
    // on.
    bool decode_unreserved = false;
  };

  // The rules of `text` for the crawler `agent`: its product token; anything from a "/" on is ignored.
  static Robots Parse(std::string_view text, std::string_view agent, const Options& options);
  static Robots Parse(std::string_view text, std::string_view agent) { return Parse(text, agent, Options()); }
  // What the other answers of RobotsAccessFor mean.
  static Robots AllowAll() { return {}; }
  static Robots DisallowAll();

  // Whether a path (with its query, percent-encoded, as Url::path_and_query() gives it) may be fetched, and
  // by which rule.  About a microsecond for thousands of rules.  The text of the rule lives as long as this
  // object.
  struct Verdict {
    bool allowed = true;
    uint32_t line = 0;      // of the rule that decided, from 1; 0 if none did
    std::string_view rule;  // that line, without space at its ends
  };
  Verdict Check(std::string_view path_and_query) const;

  // What the Content-Usage lines state about a path that may be fetched (draft-ietf-aipref-attach-05, section
  // 3): those with the longest pattern that matches, joined; lines without a pattern are shorter than any
  // other.
  UsagePreferences UsageOf(std::string_view path_and_query) const;

  // The longest Crawl-delay for us, if any.
  std::optional<double> crawl_delay_seconds() const { return crawl_delay_seconds_; }
  // The values of Sitemap lines, which are for everyone, as they are written.
  const std::vector<std::string>& sitemaps() const { return sitemaps_; }
  // Whether some group names us and not just "*".
  bool names_agent() const { return names_agent_; }
  size_t rules() const { return lines_.size(); }

 private:
  friend class RobotsParser;
  struct Line {
    uint32_t number;
    std::string text;
  };

  // The path as patterns are written.  What it refers to is that, or `changed`.
  std::string_view Comparable(std::string_view path_and_query, std::string* changed) const;

  RobotsMatcher matcher_;
  std::vector<Line> lines_;  // by the tag of the rule
  RobotsMatcher usage_matcher_;
  std::vector<std::string> usage_;  // preferences as text, by the tag of the rule of usage_matcher_
  std::string general_usage_;       // of lines without a pattern
  std::vector<std::string> sitemaps_;
  std::optional<double> crawl_delay_seconds_;
  bool names_agent_ = false;
  bool decode_unreserved_ = false;
};

// The path and query of a URL or path as it is written, not parsed: what a caller without a Url can check.
std::string_view RobotsPathOf(std::string_view url);

}  // namespace crivello::web
