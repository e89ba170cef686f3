// SPDX-License-Identifier: Apache-2.0
#include "crawl/decision.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "web/url/canonical.h"

namespace crivello::crawl {
namespace {

using Moment = Candidate::Moment;
using What = Decision::What;
using frontier::UrlKind;
using store::EventKind;

// A crawl of a.test that wants no zips, and has forgotten /secret and all of gone.test.
class DecisionTest : public testing::Test {
 protected:
  DecisionTest()
      : policy_{policy::Scope(policy::ScopeKind::kHost), {}},
        forgotten_({{.target = *collection::ForgetTarget::Parse("http://a.test/secret")},
                    {.target = *collection::ForgetTarget::Parse("gone.test")}}),
        visited_(traps_) {
    policy_.scope.AddSeed(*web::CanonicalUrl("http://a.test/"));
    EXPECT_TRUE(policy_.filters.Add("fetch=not path_ends_with(.zip)").ok());
    EXPECT_TRUE(policy_.filters.Add("schedule=not path_ends_with(.exe)").ok());
    rules_.robots = web::Robots::Parse("User-agent: *\nDisallow: /private\n", "crivello");
  }
  // What is decided, in a word, and what the ledger would say.
  std::string Of(const std::string& text, const std::function<void(Candidate&)>& change = {}) {
    const web::Url url = *web::CanonicalUrl(text);
    Candidate candidate = {
        .url = url, .in_scope = policy_.scope.Contains(url), .queued = 1000, .rules = &rules_};
    if (change) change(candidate);
    const Decision decision = Decide(
        candidate, {.policy = policy_, .forgotten = forgotten_, .traps = traps_, .visited = &visited_});
    switch (decision.what) {
      case What::kYes:
        return "yes";
      case What::kNever:
        return "never";
      case What::kAskRobots:
        return "ask robots";
      case What::kNo:
        break;
    }
    const store::Event event = decision.ToEvent(7);
    EXPECT_EQ(event.time, 7);
    return "no: " + store::Explain(event);
  }
  static void Found(Candidate& candidate) {
    static const web::Url from = *web::CanonicalUrl("http://a.test/from");
    candidate.moment = Moment::kFound;
    candidate.from = &from;
    candidate.rules = nullptr;
  }

  CrawlPolicy policy_;
  collection::ForgottenSet forgotten_;
  policy::TrapOptions traps_;
  policy::TrapMemory visited_;
  collection::RobotsKeeper::Rules rules_;
};

TEST_F(DecisionTest, JudgesAPageWhoseTurnHasCome) {
  EXPECT_EQ(Of("http://a.test/page"), "yes");
  EXPECT_EQ(Of("http://a.test/setup.exe"), "yes") << "a filter of another moment";
  EXPECT_NE(Of("http://a.test/x.zip").find("path_ends_with(.zip)"), std::string::npos);
  EXPECT_NE(Of("http://b.test/").find("out of scope"), std::string::npos);
  EXPECT_NE(Of("http://a.test/private/1").find("Disallow: /private"), std::string::npos);
  EXPECT_EQ(Of("http://a.test/secret"), "never");
  EXPECT_EQ(Of("http://a.test/page", [](Candidate& c) { c.rules = nullptr; }), "ask robots");
}

TEST_F(DecisionTest, NeverFetchesTheNameOfAnItemOfAFeed) {
  const std::string name = "http://a.test/feed?crivello-item=0123456789abcdef";
  EXPECT_NE(Of(name).find("names an item of a feed"), std::string::npos);
  EXPECT_NE(Of(name, Found).find("names an item of a feed"), std::string::npos);
}

TEST_F(DecisionTest, FetchesAPageAgainOnlyIfItWasAskedForSince) {
  EXPECT_EQ(Of("http://a.test/page", [](Candidate& c) { c.newest = 999; }), "yes");
  EXPECT_TRUE(Of("http://a.test/page", [](Candidate& c) { c.newest = 1000; }).starts_with("no"));
}

TEST_F(DecisionTest, JudgesALinkThatWasFound) {
  EXPECT_EQ(Of("http://a.test/page", Found), "yes");
  EXPECT_EQ(Of("http://a.test/x.zip", Found), "yes") << "a filter of another moment";
  EXPECT_EQ(Of("http://a.test/private/1", Found), "yes") << "robots.txt is asked when its turn comes";
  EXPECT_NE(Of("http://a.test/setup.exe", Found).find("path_ends_with(.exe)"), std::string::npos);
  EXPECT_NE(Of("http://b.test/", Found).find("out of scope"), std::string::npos);
  EXPECT_EQ(Of("http://a.test/secret", Found), "never");
  EXPECT_TRUE(Of("http://a.test/x/y/x/y/x/y/x/y/x/y/", Found).starts_with("no"));
}

TEST_F(DecisionTest, FetchesRulesOfEveryHostThatIsNotForgotten) {
  const auto robots = [](Candidate& c) {
    c.kind = UrlKind::kRobots;
    c.rules = nullptr;
  };
  EXPECT_EQ(Of("http://a.test/", robots), "yes");
  EXPECT_EQ(Of("http://elsewhere.test/", robots), "yes") << "where a robots.txt was moved to";
  EXPECT_EQ(Of("http://gone.test/", robots), "never");
}

TEST_F(DecisionTest, RefusesAllPagesOfAnOriginWhoseRulesCannotBeHad) {
  rules_.robots = web::Robots::DisallowAll();
  rules_.record.access = web::RobotsAccess::kDisallowAll;
  rules_.record.unreachable_since = 5;
  EXPECT_NE(Of("http://a.test/page").find("is unavailable"), std::string::npos);
}

TEST_F(DecisionTest, CountsVisitsOfAnEndlessWebAndNotThoseThatAreMadeAgain) {
  const std::string path = "http://a.test/list?p";
  for (int i = 0; i < 48; ++i) ASSERT_EQ(Of(path + std::to_string(i) + "=1"), "yes") << i;
  EXPECT_TRUE(Of(path + "48=1").starts_with("no"));
  EXPECT_EQ(Of(path + "49=1", [](Candidate& c) { c.newest = 1; }), "yes");
}

}  // namespace
}  // namespace crivello::crawl
