// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/dashboard_site.h"

#include <gmock/gmock.h>

#include "serve/service_test_support.h"

namespace crivello::serve {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class DashboardSiteTest : public ServiceTest {};

TEST_F(DashboardSiteTest, ShowsTheNumbersOfTheMomentWithoutScripts) {
  Start();
  const auto page = Get("/dashboard");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.Header("Cache-Control"), "no-store");
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"pages\">42</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"rows\">5</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"2xx\">41</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"budget\">1.0 GiB</dd>"));
  EXPECT_THAT(page.body, HasSubstr("data-chart=\"progress\""));
  EXPECT_THAT(Get("/dashboard?span=6h").body, HasSubstr("data-span=\"21600\""));
}

TEST_F(DashboardSiteTest, ShowsHowCurrentTheCopiesAreAndTheSplitOfVisits) {
  crawl_.SetRevisits({.continuous = true,
                      .pages = 5'000,
                      .failing = 7,
                      .planned = 250,
                      .firsts = 4'200,
                      .again = 1'800,
                      .changes = 600,
                      .fresh = 0.875,
                      .age_days = 3.25});
  Start();
  const auto page = Get("/dashboard");
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-fresh\">87.5%</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-age\">3.2 days</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-pages\">5,000</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-planned\">250.0 per day</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-new\">4,200</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-again\">1,800</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-changes\">600</dd>"));
  EXPECT_THAT(page.body, HasSubstr("<dd data-live=\"revisit-failing\">7</dd>"));
}

TEST_F(DashboardSiteTest, AContinuousCrawlWaitsAndIsNeverFinished) {
  crawl_.Finish("waiting for the next page that is due", /*queued=*/0);
  crawl_.SetRevisits({.continuous = true, .pages = 5'000});
  Start();
  const auto page = Get("/dashboard");
  EXPECT_THAT(page.body, HasSubstr("Nothing is being fetched: waiting for the next page that is due."));
  EXPECT_THAT(page.body, HasSubstr(">waiting<"));
  EXPECT_THAT(page.body, HasSubstr(">runs until stopped<"));
  EXPECT_THAT(page.body, Not(HasSubstr(">finished<")));
}

TEST_F(DashboardSiteTest, IsForAdministratorsOnly) {
  ASSERT_TRUE(parts_.keys.Add(Role::kSearch, "search-key-of-16b").ok());
  ASSERT_TRUE(parts_.keys.Add(Role::kAdmin, "admin-key-of-16-b").ok());
  Start();
  const auto refused = Get("/dashboard");
  EXPECT_EQ(refused.status, 401);
  EXPECT_THAT(refused.Header("WWW-Authenticate"), HasSubstr("Basic"));
  for (const char* path : {"/dashboard", "/api/v1/events", "/api/v1/crawl/exclusions"}) {
    EXPECT_EQ(Get(path, {{"X-API-Key", "search-key-of-16b"}}).status, 403) << path;
    EXPECT_EQ(Get(path, {{"X-API-Key", "admin-key-of-16-b"}}).status, 200) << path;
  }
}

TEST_F(DashboardSiteTest, TakesForeignTextForText) {
  ASSERT_TRUE(crawl_.AddSeeds({"http://a.example/<script>alert(1)</script>"}).ok());
  Start();
  const auto page = Get("/dashboard");
  EXPECT_THAT(page.body, HasSubstr("&lt;script&gt;alert(1)"));
  EXPECT_THAT(page.body, Not(HasSubstr("<script>alert(1)")));
}

TEST_F(DashboardSiteTest, ShowsWhatItCanWhereNoCrawlRuns) {
  DashboardSite without({.index = parts_.index, .pages = &pages_});
  parts_.dashboard = &without;
  parts_.crawl = nullptr;
  parts_.monitor = nullptr;
  Start();
  const auto page = Get("/dashboard");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("crivello up"));
  EXPECT_THAT(page.body, HasSubstr("<dt>queued URLs</dt><dd>7</dd>"));
  EXPECT_EQ(Get("/hosts").status, 404);
  EXPECT_EQ(Get("/api/v1/events").status, 409);
}

TEST_F(DashboardSiteTest, SaysWhyNothingIsBeingFetched) {
  crawl_.Finish("the limit --max-time is reached; raise it to continue");
  Start();
  const auto page = Get("/dashboard");
  EXPECT_THAT(page.body,
              HasSubstr("Nothing is being fetched: the limit --max-time is reached; raise it to continue."));
  EXPECT_THAT(page.body, Not(HasSubstr("nothing is left to fetch")));
  EXPECT_THAT(page.body, Not(HasSubstr("in turn")));
  EXPECT_THAT(Get("/hosts").body, HasSubstr("Nothing is being fetched: the limit --max-time is reached"));
}

TEST_F(DashboardSiteTest, ListsTheSeedsThatCouldNotBeFetched) {
  crawl_.SetTroubles(
      {.failed = 1, .troubles = {{.url = "https://nosuch.invalid/", .reason = "no such name"}}});
  Start();
  const auto page = Get("/dashboard");
  EXPECT_THAT(page.body, HasSubstr("1 seed could not be fetched:"));
  EXPECT_THAT(page.body, HasSubstr("https://nosuch.invalid/: no such name"));
}

TEST_F(DashboardSiteTest, ListsHostsAndWhatWentWrongThere) {
  Start();
  const auto page = Get("/dashboard");
  EXPECT_THAT(page.body, HasSubstr("<th scope=\"row\">b.org</th>"));
  EXPECT_THAT(page.body, HasSubstr("forbids all (403)"));
  EXPECT_THAT(page.body, HasSubstr("never (given up)"));
  EXPECT_THAT(page.body, HasSubstr("<b>1</b> answered 404"));
  EXPECT_THAT(page.body, HasSubstr("answered &lt;404&gt;"));
  EXPECT_THAT(page.body, Not(HasSubstr("<img src=x")));
  EXPECT_THAT(page.body, Not(HasSubstr("\"><script>")));
}

TEST_F(DashboardSiteTest, DrawsWhoLinksToWhomTheSameEachTime) {
  Start();
  const auto page = Get("/hosts");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("<td>a.it</td><td>b.org</td><td class=\"n\">7</td>"));
  EXPECT_THAT(page.body, HasSubstr("<circle"));
  EXPECT_THAT(page.body, HasSubstr("Italian 2"));
  EXPECT_EQ(Get("/hosts").body, page.body);
}

TEST_F(DashboardSiteTest, SaysWhichPlaceAHostHasAmongAllThatAreRanked) {
  Start();
  const auto page = Get("/hosts");
  EXPECT_THAT(page.body, HasSubstr("<th scope=\"row\">a.it</th><td class=\"n\">17</td>"));
  EXPECT_THAT(page.body, HasSubstr("<th scope=\"row\">b.org</th><td class=\"n zero\">–</td>"));
  EXPECT_THAT(page.body, HasSubstr("among 4,242 hosts"));
}

TEST_F(DashboardSiteTest, ShowsTheShapeOfTheWebWithoutScripts) {
  Start();
  const auto page = Get("/shape");
  EXPECT_EQ(page.status, 200);
  EXPECT_THAT(page.body, HasSubstr("10 pages, 21 links between them and 4 strongly connected components"));
  EXPECT_THAT(page.body, HasSubstr("<td>core</td><td class=\"n\">5</td><td class=\"n\">50.0%</td>"));
  EXPECT_THAT(page.body, HasSubstr("<td>2 to 3</td><td class=\"n\">4</td><td class=\"n\">9</td>"));
  EXPECT_THAT(page.body, HasSubstr("<td>1</td><td class=\"n\">50.0%</td>"));
  EXPECT_THAT(page.body, HasSubstr("90% of the pairs are within 1.60"));
  EXPECT_THAT(page.body, HasSubstr("<a href=\"/?q=site%3Aa.it\">a.it</a>"));
  EXPECT_THAT(page.body, HasSubstr("&lt;b&gt;.org"));
  EXPECT_THAT(page.body, Not(HasSubstr("<b>.org")));
  EXPECT_THAT(page.body, HasSubstr("<svg class=\"shape\""));
  EXPECT_EQ(Get("/shape").body, page.body);
  // Every page's menu contains it.
  EXPECT_THAT(Get("/dashboard").body, HasSubstr("<a href=\"/shape\">"));
  EXPECT_THAT(Get("/hosts").body, HasSubstr("<a href=\"/shape\">"));
}

TEST_F(DashboardSiteTest, SaysWhyThereIsNoShape) {
  shape_.status = Status::NotFound("this collection has no link graph yet");
  Start();
  EXPECT_EQ(Get("/shape").status, 404);
  EXPECT_THAT(Get("/shape").body, HasSubstr("this collection has no link graph yet"));
  shape_.status = Status::Unavailable("it is being computed");
  EXPECT_EQ(Get("/shape").status, 503);
}

TEST_F(DashboardSiteTest, SendsTheFirstEventWithinASecondOrTwo) {
  Start();
  TestClient client(server_->port());
  EXPECT_EQ(client.Get("/api/v1/events").Header("Content-Type"), "text/event-stream");
  std::string text(4096, '\0');
  const ssize_t got = ::recv(client.socket(), text.data(), text.size(), 0);
  ASSERT_GT(got, 0);
  text.resize(static_cast<size_t>(got));
  EXPECT_THAT(text, HasSubstr("event: crawl\ndata: {\"state\":\"running\",\"texts\":{"));
  EXPECT_THAT(text, HasSubstr("\"pages\":\"42\""));
}

TEST_F(DashboardSiteTest, PreviewsExcludesAndTakesBack) {
  Start();
  const Json preview = GetJson("/api/v1/crawl/exclusions/preview?kind=host&value=Ads.example");
  EXPECT_EQ(preview["value"], "ads.example");
  EXPECT_EQ(preview["queued"], 2);
  EXPECT_EQ(preview["rows"], 3);
  GetJson("/api/v1/crawl/exclusions/preview?kind=filter&value=nonsense(", 400);
  const std::string body = R"({"kind": "host", "value": "ads.example"})";
  EXPECT_EQ(PostJson("/api/v1/crawl/exclusions", body)["dropped"], 2);
  EXPECT_EQ(GetJson("/api/v1/crawl/exclusions")["exclusions"][0]["value"], "ads.example");
  EXPECT_EQ(PostJson("/api/v1/crawl/exclusions/remove", body)["exclusions"], Json::array());
  PostJson("/api/v1/crawl/exclusions/remove", body, 404);
  PostJson("/api/v1/crawl/exclusions", R"({"kind": "host"})", 400);
  EXPECT_EQ(Ask("POST", "/api/v1/crawl/exclusions", {{"Content-Type", "text/plain"}}, body).status, 403)
      << "a form of another site could send this";
}

}  // namespace
}  // namespace crivello::serve
