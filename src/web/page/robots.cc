// SPDX-License-Identifier: Apache-2.0
#include "web/page/robots.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

#include "base/ascii.h"
#include "web/url/percent.h"

namespace crivello::web {
namespace {

bool IsSpace(char c) { return IsAsciiSpace(c) || c == '\v'; }

std::string_view Strip(std::string_view text) {
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  return text;
}

enum class Key { kUnknown, kUserAgent, kAllow, kDisallow, kSitemap, kCrawlDelay, kContentUsage };

// The keys of lines, including misspellings common enough to accept.
Key KeyOf(std::string_view name) {
  struct Name {
    std::string_view text;
    Key key;
  };
  static constexpr std::array kNames = {
      Name{"disallow", Key::kDisallow},          Name{"allow", Key::kAllow},
      Name{"user-agent", Key::kUserAgent},       Name{"sitemap", Key::kSitemap},
      Name{"crawl-delay", Key::kCrawlDelay},     Name{"useragent", Key::kUserAgent},
      Name{"user agent", Key::kUserAgent},       Name{"site-map", Key::kSitemap},
      Name{"crawldelay", Key::kCrawlDelay},      Name{"dissallow", Key::kDisallow},
      Name{"dissalow", Key::kDisallow},          Name{"disalow", Key::kDisallow},
      Name{"diasllow", Key::kDisallow},          Name{"disallaw", Key::kDisallow},
      Name{"content-usage", Key::kContentUsage},
  };
  for (const Name& known : kNames) {
    if (EqualsIgnoringCase(name, known.text)) return known.key;
  }
  return Key::kUnknown;
}

// The product token at the start of a user-agent value.
std::string_view TokenOf(std::string_view value) {
  size_t end = 0;
  while (end < value.size() && ((AsciiLower(value[end]) >= 'a' && AsciiLower(value[end]) <= 'z') ||
                                value[end] == '-' || value[end] == '_')) {
    end++;
  }
  return value.substr(0, end);
}

std::string EscapedPattern(std::string_view value, bool decode_unreserved) {
  std::string encoded;
  for (size_t i = 0; i < value.size(); i++) {
    const int byte = EscapeAt(value, i);
    if (byte >= 0) {
      AppendEscape(static_cast<uint8_t>(byte), &encoded);
      i += 2;
    } else if (static_cast<uint8_t>(value[i]) >= 0x80) {
      AppendEscape(static_cast<uint8_t>(value[i]), &encoded);
    } else {
      encoded.push_back(value[i]);
    }
  }
  if (!decode_unreserved) return encoded;
  std::string normalized;
  AppendPercentNormalized(encoded, &normalized);
  return normalized;
}

std::optional<double> ParseDelay(std::string_view value) {
  double seconds = 0;
  const auto [end, error] =
      std::from_chars(value.data(), value.data() + value.size(), seconds, std::chars_format::fixed);
  if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(seconds) || seconds < 0) {
    return std::nullopt;
  }
  return seconds;
}

}  // namespace

// Parses a file once, line by line. Keeps the rules for us and those for "*", and finally drops the latter if
// some group names us.
class RobotsParser {
 public:
  RobotsParser(std::string_view agent, const Robots::Options& options) : agent_(agent), options_(options) {}

  void Read(std::string_view text);
  Robots Finish();

 private:
  struct Group {
    bool seen = false;
    bool open = false;  // whether the next rule belongs to it
    std::vector<RobotsMatcher::Rule> rules;
    std::vector<Robots::Line> lines;
    std::map<std::string, UsagePreferences> usage;  // by pattern, which may be empty
    std::optional<double> delay;
  };

  void ReadLine(std::string_view line);
  void OnUserAgent(std::string_view value);
  void OnRule(bool allow, std::string_view value, std::string_view line);
  void OnUsage(std::string_view value);
  void AddRule(Group* group, bool allow, std::string pattern, std::string_view line);

  std::string_view agent_;
  Robots::Options options_;
  uint32_t line_number_ = 0;
  bool in_rules_ = false;  // a user agent after a rule starts a new group
  Group ours_, everyones_;
  std::vector<std::string> sitemaps_;
};

void RobotsParser::Read(std::string_view text) {
  constexpr std::string_view kMark = "\xef\xbb\xbf";
  const auto mark_end =
      std::mismatch(text.begin(), text.begin() + std::min<ptrdiff_t>(3, std::ssize(text)), kMark.begin())
          .first;
  text.remove_prefix(static_cast<size_t>(mark_end - text.begin()));
  const bool cut = text.size() > kRobotsMaxBytes;
  if (cut) text = text.substr(0, kRobotsMaxBytes);
  for (size_t start = 0; start < text.size();) {
    size_t end = start;
    while (end < text.size() && text[end] != '\n' && text[end] != '\r') end++;
    if (end == text.size() && cut) return;
    ReadLine(text.substr(start, std::min(end - start, Robots::kMaxLineBytes)));
    start = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
  }
}

void RobotsParser::ReadLine(std::string_view line) {
  line_number_++;
  line = line.substr(0, line.find('\0'));
  line = Strip(line.substr(0, line.find('#')));
  size_t separator = line.find(':');
  if (separator == line.npos) {
    // The colon may be missing if there are exactly two words.
    separator = line.find_first_of(" \t");
    if (separator == line.npos || Strip(line.substr(separator)).find_first_of(" \t") != line.npos) return;
  }
  const std::string_view value = Strip(line.substr(separator + 1));
  switch (KeyOf(Strip(line.substr(0, separator)))) {
    case Key::kUserAgent:
      return OnUserAgent(value);
    case Key::kAllow:
      return OnRule(true, value, line);
    case Key::kDisallow:
      return OnRule(false, value, line);
    case Key::kSitemap:
      if (!value.empty()) sitemaps_.emplace_back(value);
      return;
    case Key::kCrawlDelay:
      for (Group* group : {&ours_, &everyones_}) {
        const auto delay = ParseDelay(value);
        if (group->open && delay) group->delay = std::max(group->delay.value_or(0), *delay);
      }
      return;
    case Key::kContentUsage:
      return OnUsage(value);
    case Key::kUnknown:
      return;
  }
}

void RobotsParser::OnUserAgent(std::string_view value) {
  if (in_rules_) in_rules_ = ours_.open = everyones_.open = false;
  Group* group = nullptr;
  if (value.starts_with('*') && (value.size() == 1 || IsSpace(value[1]))) {
    group = &everyones_;
  } else if (const auto token = TokenOf(value); !token.empty() && EqualsIgnoringCase(token, agent_)) {
    group = &ours_;
  }
  if (group != nullptr) group->seen = group->open = true;
}

void RobotsParser::OnRule(bool allow, std::string_view value, std::string_view line) {
  in_rules_ = true;
  for (Group* group : {&ours_, &everyones_}) {
    if (!group->open || value.empty()) continue;
    const std::string pattern = EscapedPattern(value, options_.decode_unreserved);
    const size_t slash = pattern.rfind('/');
    if (allow && slash != pattern.npos && std::string_view(pattern).substr(slash).starts_with("/index.htm")) {
      AddRule(group, allow, pattern.substr(0, slash + 1).append(1, '$'), line);
    }
    AddRule(group, allow, pattern, line);
  }
}

// "/path preferences", or only preferences.
void RobotsParser::OnUsage(std::string_view value) {
  in_rules_ = true;
  std::string_view pattern;
  if (value.starts_with('/')) {
    pattern = value.substr(0, value.find_first_of(" \t"));
    value = Strip(value.substr(pattern.size()));
  }
  const UsagePreferences preferences = UsagePreferences::Parse(value);
  for (Group* group : {&ours_, &everyones_}) {
    if (!group->open) continue;
    group->usage[EscapedPattern(pattern, options_.decode_unreserved)].Add(preferences);
  }
}

void RobotsParser::AddRule(Group* group, bool allow, std::string pattern, std::string_view line) {
  const auto tag = static_cast<uint32_t>(group->lines.size());
  group->rules.push_back({.pattern = std::move(pattern), .allow = allow, .tag = tag});
  group->lines.push_back({.number = line_number_, .text = std::string(line)});
}

Robots RobotsParser::Finish() {
  Group& group = ours_.seen ? ours_ : everyones_;
  Robots robots;
  robots.matcher_ = RobotsMatcher(std::move(group.rules));
  robots.lines_ = std::move(group.lines);
  robots.sitemaps_ = std::move(sitemaps_);
  std::vector<RobotsMatcher::Rule> usage_rules;
  for (const auto& [pattern, preferences] : group.usage) {
    if (pattern.empty()) {
      robots.general_usage_ = preferences.ToString();
      continue;
    }
    usage_rules.push_back({.pattern = pattern, .tag = static_cast<uint32_t>(robots.usage_.size())});
    robots.usage_.push_back(preferences.ToString());
  }
  robots.usage_matcher_ = RobotsMatcher(std::move(usage_rules));
  robots.crawl_delay_seconds_ = group.delay;
  robots.names_agent_ = ours_.seen;
  robots.decode_unreserved_ = options_.decode_unreserved;
  return robots;
}

RobotsAccess RobotsAccessFor(const RobotsAnswer& answer) {
  const int status = answer.status;
  if (status >= 200 && status < 300) return RobotsAccess::kParse;
  if (status >= 300 && status < 400) {
    return answer.redirects <= kRobotsMaxRedirects ? RobotsAccess::kFollowRedirect : RobotsAccess::kAllowAll;
  }
  if (status >= 400 && status < 500 && status != 429) return RobotsAccess::kAllowAll;
  return answer.days_unreachable > kRobotsMaxUnreachableDays ? RobotsAccess::kAllowAll
                                                             : RobotsAccess::kDisallowAll;
}

Robots Robots::Parse(std::string_view text, std::string_view agent, const Options& options) {
  RobotsParser parser(agent.substr(0, agent.find('/')), options);
  parser.Read(text);
  return parser.Finish();
}

Robots Robots::DisallowAll() { return Parse("User-agent: *\nDisallow: /", "*"); }

std::string_view Robots::Comparable(std::string_view path_and_query, std::string* changed) const {
  if (decode_unreserved_ && path_and_query.find('%') != path_and_query.npos) {
    AppendPercentNormalized(path_and_query, changed);
    path_and_query = *changed;
  }
  if (!path_and_query.starts_with('/')) {
    std::string rooted(1, '/');
    rooted.append(path_and_query);
    *changed = std::move(rooted);
    path_and_query = *changed;
  }
  return path_and_query;
}

Robots::Verdict Robots::Check(std::string_view path_and_query) const {
  if (path_and_query == kRobotsPath) return {};
  std::string changed;
  const RobotsMatcher::Rule* rule = matcher_.Find(Comparable(path_and_query, &changed));
  if (rule == nullptr) return {};
  const Line& line = lines_[rule->tag];
  return {.allowed = rule->allow, .line = line.number, .rule = line.text};
}

UsagePreferences Robots::UsageOf(std::string_view path_and_query) const {
  std::string changed;
  const RobotsMatcher::Rule* rule = usage_matcher_.Find(Comparable(path_and_query, &changed));
  return UsagePreferences::Parse(rule == nullptr ? general_usage_ : usage_[rule->tag]);
}

std::string_view RobotsPathOf(std::string_view url) {
  url = url.substr(0, url.find('#'));
  size_t start = url.starts_with("//") ? 2 : 0;
  const size_t scheme_end = url.find("://");
  if (scheme_end < url.find_first_of("/?;")) start = scheme_end + 3;
  const size_t path = url.find_first_of("/?;", start);
  return path == url.npos ? "/" : url.substr(path);
}

}  // namespace crivello::web
