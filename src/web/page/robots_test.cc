// SPDX-License-Identifier: Apache-2.0
#include "web/page/robots.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"

namespace crivello::web {
namespace {

bool Allows(std::string_view text, std::string_view path, std::string_view agent = "crivello") {
  return Robots::Parse(text, agent).Check(path).allowed;
}

TEST(RobotsTest, TellsTheRuleThatDecided) {
  const auto robots = Robots::Parse(
      "# ours\n\nUser-agent: crivello\r\n  Disallow : /private/*.html$  # why\rAllow: /private/\n",
      "Crivello/1.0");
  EXPECT_TRUE(robots.names_agent());
  const auto refused = robots.Check("/private/a.html");
  EXPECT_FALSE(refused.allowed);
  EXPECT_EQ(refused.line, 4u);
  EXPECT_EQ(refused.rule, "Disallow : /private/*.html$");
  const auto allowed = robots.Check("/private/a.html?x");
  EXPECT_TRUE(allowed.allowed);
  EXPECT_EQ(allowed.line, 5u);
  const auto free = robots.Check("/public");
  EXPECT_TRUE(free.allowed);
  EXPECT_EQ(free.line, 0u);
  EXPECT_EQ(free.rule, "");
}

TEST(RobotsTest, MergesTheGroupsOfAnAgent) {
  const std::string_view text =
      "user-agent: a\nuser-agent: CRIVELLO\ndisallow: /x\n"
      "user-agent: *\ndisallow: /\n"
      "user-agent: crivello # again\ndisallow: /y\n";
  EXPECT_FALSE(Allows(text, "/x"));
  EXPECT_FALSE(Allows(text, "/y"));
  EXPECT_TRUE(Allows(text, "/z"));
  EXPECT_FALSE(Allows(text, "/z", "other"));
  EXPECT_TRUE(Allows(text, "/z", "a"));
  EXPECT_TRUE(Allows("user-agent: crivello\nuser-agent: b\n", "/")) << "a group without rules";
  EXPECT_TRUE(Allows("disallow: /\n", "/")) << "a rule without a group";
  EXPECT_TRUE(Allows("user-agent: crivell\ndisallow: /\n", "/")) << "a token is matched whole";
}

TEST(RobotsTest, AllowWinsAmongEquallyLongRules) {
  EXPECT_TRUE(Allows("user-agent: *\ndisallow: /a\nallow: /a\n", "/a"));
  EXPECT_TRUE(Allows("user-agent: *\ndisallow: /ab\nallow: /*b\n", "/ab"));
  EXPECT_FALSE(Allows("user-agent: *\ndisallow: /ab*\nallow: /ab\n", "/abc"));
  EXPECT_TRUE(Allows("user-agent: *\ndisallow:\n", "/"));
}

TEST(RobotsTest, RobotsTxtItselfIsAlwaysAllowed) {
  EXPECT_TRUE(Allows("user-agent: *\ndisallow: /\n", "/robots.txt"));
  EXPECT_TRUE(Robots::DisallowAll().Check("/robots.txt").allowed);
  EXPECT_FALSE(Robots::DisallowAll().Check("/").allowed);
  EXPECT_FALSE(Robots::DisallowAll().Check("").allowed);
  EXPECT_TRUE(Robots::AllowAll().Check("/").allowed);
}

TEST(RobotsTest, CollectsDelaysAndSitemaps) {
  const auto robots = Robots::Parse(
      "Sitemap: https://a/1.xml\nuser-agent: *\ncrawl-delay: 3\nuser-agent: crivello\nCrawl-delay: 1.5\n"
      "disallow: /x\ncrawl-delay: bad\ncrawl-delay: -1\ncrawl-delay: inf\nuser-agent: z\ncrawl-delay: 99\n"
      "site-map: /2.xml # two\nsitemap:\n",
      "crivello");
  EXPECT_EQ(robots.crawl_delay_seconds(), 1.5);
  EXPECT_EQ(robots.sitemaps(), (std::vector<std::string>{"https://a/1.xml", "/2.xml"}));
  EXPECT_EQ(Robots::Parse("user-agent: *\ncrawl-delay: 3\n", "x").crawl_delay_seconds(), 3);
  EXPECT_EQ(Robots::Parse("user-agent: y\ncrawl-delay: 3\n", "x").crawl_delay_seconds(), std::nullopt);
}

TEST(RobotsTest, EscapesCompareInOneForm) {
  EXPECT_FALSE(Allows("user-agent: *\ndisallow: /\xc3\xa9%c3%a9\n", "/%C3%A9%C3%A9"));
  const auto decoded = Robots::Parse("user-agent: *\ndisallow: /%7ejoe\n", "x", {.decode_unreserved = true});
  EXPECT_FALSE(decoded.Check("/~joe/").allowed);
  EXPECT_FALSE(decoded.Check("/%7Ejoe/").allowed);
  EXPECT_FALSE(decoded.Check("/%7%65joe/").allowed == decoded.Check("/~joe/").allowed);
  EXPECT_TRUE(Allows("user-agent: *\ndisallow: /%7ejoe\n", "/~joe/"));
}

TEST(RobotsTest, ReadsNoMoreThanTheLimit) {
  const std::string rule = "\ndisallow: /a\n";
  const std::string start = "user-agent: *\n";
  const std::string filling(kRobotsMaxBytes - start.size() - rule.size() - 1, '#');
  EXPECT_FALSE(Allows(start + filling + rule + "#", "/a"));
  EXPECT_TRUE(Allows(start + filling + "##" + rule, "/a")) << "the line end is beyond the limit";
  EXPECT_TRUE(Allows(start + filling + "disallow: /abcdef\n", "/abcd")) << "a cut line is dropped";
}

TEST(RobotsTest, SurvivesStrangeBytes) {
  EXPECT_TRUE(Allows("", "/"));
  EXPECT_TRUE(Allows(std::string_view("\xef"), "/"));
  EXPECT_TRUE(Allows(std::string_view("\0\0\0", 3), "/"));
  EXPECT_FALSE(Allows(std::string_view("user-agent: *\0x\ndisallow: /\0y", 29), "/"));
  EXPECT_TRUE(Allows(":\n::\n : \nuser-agent:\ndisallow: /", "/"));
  std::string line = "user-agent: *\ndisallow: /", path = "/";
  line.append(20000, 'a');
  path.append(Robots::kMaxLineBytes - 11, 'a');
  EXPECT_FALSE(Allows(line, path)) << "cut, then matched";
}

TEST(RobotsTest, StatusCodesDecide) {
  EXPECT_EQ(RobotsAccessFor({.status = 200}), RobotsAccess::kParse);
  EXPECT_EQ(RobotsAccessFor({.status = 308, .redirects = 5}), RobotsAccess::kFollowRedirect);
  EXPECT_EQ(RobotsAccessFor({.status = 308, .redirects = 6}), RobotsAccess::kAllowAll);
  for (const int status : {400, 401, 403, 404, 410, 451}) {
    EXPECT_EQ(RobotsAccessFor({.status = status}), RobotsAccess::kAllowAll) << status;
  }
  for (const int status : {0, 100, 429, 500, 503, 599, 999, -1}) {
    EXPECT_EQ(RobotsAccessFor({.status = status, .days_unreachable = 30}), RobotsAccess::kDisallowAll)
        << status;
    EXPECT_EQ(RobotsAccessFor({.status = status, .days_unreachable = 31}), RobotsAccess::kAllowAll) << status;
  }
}

TEST(RobotsTest, CutsThePathOutOfAUrl) {
  for (const auto& [url, path] :
       std::vector<std::pair<std::string, std::string>>{{"http://a/b?c#d", "/b?c"},
                                                        {"http://a", "/"},
                                                        {"http://a?b", "?b"},
                                                        {"/x#y", "/x"},
                                                        {"", "/"},
                                                        {"//a/b", "/b"},
                                                        {"a/b://c", "/b://c"},
                                                        {"http://a#b/c", "/"},
                                                        {"?u=http://x", "?u=http://x"}}) {
    EXPECT_EQ(RobotsPathOf(url), path) << url;
  }
}

TEST(RobotsTest, StatesPreferencesOfUseAsTheExampleOfTheDraft) {
  constexpr std::string_view kText =
      "User-Agent: *\nAllow: /\nDisallow: /never/\nContent-Usage: train-ai=n\nContent-Usage: /ai-ok/ "
      "train-ai=y\n"
      "\nUser-Agent: ExampleBot\nAllow: /\nContent-Usage: train-ai=y\n";
  const Robots robots = Robots::Parse(kText, "crivello");
  EXPECT_EQ(robots.UsageOf("/test").ToString(), "train-ai=n");
  EXPECT_FALSE(robots.Check("/never/test").allowed);
  EXPECT_EQ(robots.UsageOf("/ai-ok/test").ToString(), "train-ai=y");
  EXPECT_EQ(Robots::Parse(kText, "ExampleBot").UsageOf("/test").ToString(), "train-ai=y");
}

TEST(RobotsTest, TakesThePreferencesWithTheLongestPatternAndJoinsThoseWithTheSame) {
  const Robots robots = Robots::Parse(
      "User-agent: crivello\n"
      "Content-Usage: search=y, train-ai=y\n"
      "  content-usage :  /a\tsearch=n # why not\n"
      "Content-Usage: /a train-ai=y\n"
      "Content-Usage: /%7Eb/*.pdf$ train-ai=n\n"
      "Content-Usage: /bad train-ai = n\n"
      "Content-Usage:\n"
      "User-agent: other\n"  // a new group, because a rule precedes it
      "Disallow: /\n",
      "crivello", {.decode_unreserved = true});
  EXPECT_EQ(robots.UsageOf("/").ToString(), "search=y, train-ai=y");
  EXPECT_EQ(robots.UsageOf("/a/x?y").ToString(), "search=n, train-ai=y");
  EXPECT_EQ(robots.UsageOf("/~b/c.pdf").ToString(), "train-ai=n");
  EXPECT_EQ(robots.UsageOf("/%7eb/c.pdf").ToString(), "train-ai=n");
  EXPECT_EQ(robots.UsageOf("/~b/c.pdf?").ToString(), "search=y, train-ai=y");
  // Unreadable preferences state nothing, and the shorter pattern does not replace them.
  EXPECT_EQ(robots.UsageOf("/bad").ToString(), "");
  EXPECT_TRUE(robots.Check("/").allowed);
  EXPECT_TRUE(Robots::AllowAll().UsageOf("/").empty());
}

// The obvious matcher: tries every way to match the wildcards.
bool ObviousMatch(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return true;
  if (pattern == "$") return path.empty();
  if (pattern[0] == '*') {
    for (size_t i = 0; i <= path.size(); i++) {
      if (ObviousMatch(pattern.substr(1), path.substr(i))) return true;
    }
    return false;
  }
  return !path.empty() && path[0] == pattern[0] && ObviousMatch(pattern.substr(1), path.substr(1));
}

TEST(RobotsMatcherTest, AgreesWithTheObviousMatcher) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const auto text = [&random](std::string_view alphabet, uint64_t size) {
    std::string out;
    while (out.size() < size) out.push_back(alphabet[random.Below(alphabet.size())]);
    return out;
  };
  for (int round = 0; round < 300; round++) {
    std::vector<RobotsMatcher::Rule> rules;
    for (uint32_t i = 0; i < 1 + random.Below(30); i++) {
      std::string pattern = text("/aab*$", random.Below(10));
      if (!pattern.empty() && random.Below(2) == 0) pattern[0] = '/';
      rules.push_back({.pattern = pattern, .allow = random.Below(2) == 0, .tag = i});
    }
    const RobotsMatcher matcher(rules);
    for (int i = 0; i < 40; i++) {
      std::string path = text("/aab$", 1 + random.Below(12));
      path[0] = '/';
      const RobotsMatcher::Rule* best = nullptr;
      for (const auto& rule : rules) {
        if (rule.pattern.empty() || !ObviousMatch(rule.pattern, path)) continue;
        if (best == nullptr || rule.pattern.size() > best->pattern.size() ||
            (rule.pattern.size() == best->pattern.size() && rule.allow && !best->allow)) {
          best = &rule;
        }
      }
      const auto* found = matcher.Find(path);
      ASSERT_EQ(found == nullptr, best == nullptr) << path;
      if (best != nullptr) {
        ASSERT_EQ(found->tag, best->tag) << path << " " << best->pattern << " " << found->pattern;
      }
    }
  }
}

TEST(RobotsMatcherTest, HostilePatternsTakeLinearTime) {
  // Backtracking over these would take longer than the age of the universe.
  std::string pattern = "/";
  for (int i = 0; i < 5000; i++) pattern += "*a";
  std::string path(4000, 'a');
  path[0] = '/';
  std::vector<RobotsMatcher::Rule> rules;
  for (uint32_t i = 0; i < 100; i++) rules.push_back({.pattern = pattern + "b", .allow = false, .tag = i});
  for (uint32_t i = 0; i < 100; i++) rules.push_back({.pattern = "/*aaa*aaab" + std::to_string(i), .tag = i});
  EXPECT_EQ(RobotsMatcher(rules).Find(path), nullptr);
}

}  // namespace
}  // namespace crivello::web
