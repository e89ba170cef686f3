// SPDX-License-Identifier: Apache-2.0
// Crawls that go on for days of a clock that the test moves.
#include "crawl/revisits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "base/civil_time.h"
#include "base/fault_file_system.h"
#include "crawl/crawl_test_support.h"

namespace crivello::crawl {
namespace {

using std::chrono::hours;
using testing::HasSubstr;

constexpr double kDay = 24;
MonotonicTime AtHour(double hour) {
  return MonotonicTime(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(hour * 3600)));
}

// Digits are no change of a text.
std::string DayName(int day) { return std::string(6, static_cast<char>('a' + day)); }

std::string AllText(const store::Row& row) {
  std::string text;
  for (const store::TextBlock& block : (*row.text)->blocks) text.append(block.text).append("\n");
  return text;
}

class RevisitsTest : public testing::Test {
 protected:
  RevisitsTest() {
    options_.seeds = {"http://a.test/"};
    options_.parsers = 1;
    options_.min_free_bytes = 0;
    options_.memory_bytes = 64 << 20;
    options_.commit_gather = {};
    options_.longest_nap = hours(1);
    options_.revisits.continuous = true;
    // Every page once in six hours.
    options_.revisits.planner.policy = "fixed";
    options_.revisits.planner.limits = {.shortest = 0.25, .longest = 0.25};
    options_.revisits.planner.visits_per_day = 1000;
  }
  // Crawls until that hour since the beginning.
  void CrawlUntil(double hour) {
    crawler_ = nullptr;
    store_ = nullptr;
    store_ = OpenTestStore(folder_ / "c");
    ASSERT_NE(store_, nullptr);
    auto crawler = Crawler::Open(*store_, options_, web_.Parts());
    ASSERT_TRUE(crawler.ok()) << crawler.status().ToString();
    crawler_ = *std::move(crawler);
    web_.At(AtHour(hour), [this] { crawler_->Stop(/*at_once=*/false); });
    const auto end = web_.Run(*crawler_);
    ASSERT_TRUE(end.ok()) << end.status().ToString();
  }
  revisit::ScheduledPage Scheduled(const std::string& url) {
    const auto page = TabletOfUrl(*store_, url).schedule().Find(KeyOfUrl(url));
    EXPECT_TRUE(page.ok() && page->has_value()) << url;
    return page.ok() && *page ? (*page)->page : revisit::ScheduledPage();
  }
  std::vector<store::Row> RowsOf(const std::string& url) {
    auto rows = TabletOfUrl(*store_, url).table().Get(KeyOfUrl(url), {.versions = 1000, .text = true});
    EXPECT_TRUE(rows.ok());
    return rows.ok() ? *std::move(rows) : std::vector<store::Row>();
  }
  // Requests of a URL between two hours.
  size_t Requests(const std::string& url, double from, double to) const {
    size_t count = 0;
    for (const ScriptedWeb::Request& request : web_.RequestsFor(url)) {
      count += request.time >= AtHour(from) && request.time < AtHour(to) ? 1 : 0;
    }
    return count;
  }
  void ExpectSound() {
    for (const collection::Tablet* const tablet : store_->tablets()) {
      EXPECT_TRUE(tablet->schedule().Check([](const std::string& s) { ADD_FAILURE() << s; }).ok());
    }
  }

  TemporaryFolder folder_;
  CrawlOptions options_;
  ScriptedWeb web_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<Crawler> crawler_;
};

TEST_F(RevisitsTest, EachChangeBecomesAVersionAndIsCounted) {
  web_.Set("http://a.test/", Html({"/changes", "/stays"}));
  web_.Set("http://a.test/stays", Html({}, "This page never changes."));
  for (int day = 0; day < 10; ++day) {
    const auto change = [this, day] {
      web_.Set("http://a.test/changes", Html({}, "The news of day " + DayName(day) + "."));
    };
    day == 0 ? change() : web_.At(AtHour(kDay * day + 0.5), change);
  }
  CrawlUntil(10 * kDay);

  const auto rows = RowsOf("http://a.test/changes");
  ASSERT_EQ(rows.size(), 10u);
  for (int day = 0; day < 10; ++day) {
    EXPECT_THAT(AllText(rows[static_cast<size_t>(9 - day)]), HasSubstr("day " + DayName(day)));
  }
  EXPECT_EQ(RowsOf("http://a.test/stays").size(), 1u);
  const revisit::ScheduledPage changes = Scheduled("http://a.test/changes");
  EXPECT_EQ(changes.history.changes(), 9);
  EXPECT_GE(changes.history.visits(), 35);
  EXPECT_LE(changes.history.visits(), 40);
  EXPECT_EQ(changes.depth, 1u);
  const revisit::ScheduledPage stays = Scheduled("http://a.test/stays");
  EXPECT_EQ(stays.history.changes(), 0);
  EXPECT_GE(stays.history.visits(), 35);
  EXPECT_EQ(crawler_->stats().schedule.schedule.pages, 3u);
  EXPECT_EQ(crawler_->stats().schedule.schedule.changes, 9u);
  ExpectSound();
}

TEST_F(RevisitsTest, KeepsTheTextsOfSomeVersionsIfItIsTold) {
  options_.keep_versions = 3;
  web_.Set("http://a.test/", "<p>Day 0");
  for (int day = 1; day < 8; ++day) {
    web_.At(AtHour(kDay * day + 0.5),
            [this, day] { web_.Set("http://a.test/", fmt::format("<html><body><p>Day {}", day)); });
  }
  CrawlUntil(8 * kDay);
  const auto rows = RowsOf("http://a.test/");
  ASSERT_EQ(rows.size(), 8u);
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].text.has_value(), i < 3) << i;
    EXPECT_GT(rows[i].fetch.record.length, 0u);
  }
}

TEST_F(RevisitsTest, DoesNotVisitAgainUnlessItIsContinuous) {
  options_.revisits.continuous = false;
  web_.Set("http://a.test/", Html({}));
  CrawlUntil(2 * kDay);
  EXPECT_EQ(web_.pages().size(), 1u);
  EXPECT_EQ(Scheduled("http://a.test/").interval_hours, 6u);
}

TEST_F(RevisitsTest, APageThatVanishesIsVisitedLessAndLessAndItsVersionsStay) {
  options_.revisits.planner.limits.longest = 365;
  options_.revisits.planner.limits.shortest = 0.25;
  web_.Set("http://a.test/", Html({"/gone"}));
  web_.Set("http://a.test/gone", Html({}, "It was here."));
  web_.At(AtHour(2 * kDay), [this] { web_.Set("http://a.test/gone", Answer{.status = 404, .body = "no"}); });
  CrawlUntil(60 * kDay);
  const auto rows = RowsOf("http://a.test/gone");
  ASSERT_GE(rows.size(), 2u);
  EXPECT_EQ(rows.front().fetch.status, 404);
  EXPECT_EQ(rows.back().fetch.status, 200);
  // After 2, 4, 8, 16 and 32 days.
  EXPECT_LE(Requests("http://a.test/gone", 2 * kDay, 60 * kDay), 6u);
  EXPECT_GE(Requests("http://a.test/gone", 2 * kDay, 60 * kDay), 4u);
  EXPECT_GE(Scheduled("http://a.test/gone").failures, 4);
  ExpectSound();
}

TEST_F(RevisitsTest, APageInTroubleStaysInTheIndexUntilItCountsAsGone) {
  options_.revisits.planner.limits.longest = 365;
  options_.politeness.max_attempts = 1;
  web_.Set("http://a.test/", Html({"/ill"}));
  web_.Set("http://a.test/ill", Html({}, "It is well."));
  web_.At(AtHour(kDay), [this] { web_.Set("http://a.test/ill", Answer{.status = 500, .body = "ill"}); });
  CrawlUntil(4.5 * kDay);
  EXPECT_EQ(Scheduled("http://a.test/ill").failures, 2);
  EXPECT_EQ(RowsOf("http://a.test/ill").front().fetch.status, 200);
  CrawlUntil(30 * kDay);
  EXPECT_GE(Scheduled("http://a.test/ill").failures, revisit::Planner::kGoneAfter);
  EXPECT_EQ(RowsOf("http://a.test/ill").front().fetch.status, 500);
  EXPECT_EQ(RowsOf("http://a.test/ill").back().fetch.status, 200);
  web_.At(AtHour(31 * kDay), [this] { web_.Set("http://a.test/ill", Html({}, "It is well again.")); });
  CrawlUntil(120 * kDay);
  EXPECT_EQ(Scheduled("http://a.test/ill").failures, 0);
  EXPECT_EQ(RowsOf("http://a.test/ill").front().fetch.status, 200);
}

TEST_F(RevisitsTest, AHostThatIsSilentIsAskedLessAndLessAndComesBack) {
  options_.scope = policy::ScopeKind::kAny;
  options_.revisits.planner.limits.longest = 30;
  options_.politeness.max_failures = 3;
  options_.politeness.max_attempts = 2;
  web_.Set("http://a.test/", Html({"http://b.test/1", "http://b.test/2"}));
  for (const char* const url : {"http://b.test/1", "http://b.test/2"}) {
    web_.Set(url, Html({}, std::string("Page ") + url));
    web_.At(AtHour(kDay), [this, url] { web_.Set(url, Fault(fetch::Outcome::kConnectionRefused)); });
    web_.At(AtHour(100 * kDay), [this, url] { web_.Set(url, Html({}, std::string("Back ") + url)); });
  }
  web_.Set("http://b.test/robots.txt", PlainText(""));
  CrawlUntil(100 * kDay);
  for (const char* const url : {"http://b.test/1", "http://b.test/2"}) {
    EXPECT_GE(Scheduled(url).failures, revisit::Planner::kGoneAfter);
    EXPECT_EQ(RowsOf(url).front().fetch.status, 0) << url;  // gone from the index
    EXPECT_EQ(RowsOf(url).back().fetch.status, 200) << url;
    EXPECT_LT(Requests(url, 50 * kDay, 100 * kDay), 12u);
  }
  EXPECT_GT(Requests("http://a.test/", 50 * kDay, 100 * kDay), 190u);
  CrawlUntil(200 * kDay);
  for (const char* const url : {"http://b.test/1", "http://b.test/2"}) {
    EXPECT_EQ(RowsOf(url).front().fetch.status, 200) << url;
    EXPECT_EQ(Scheduled(url).failures, 0);
  }
  ExpectSound();
}

TEST_F(RevisitsTest, ARestartKeepsTheSchedule) {
  web_.Set("http://a.test/", Html({"/x"}));
  web_.Set("http://a.test/x", Html({}, "Words."));
  CrawlUntil(kDay);
  const revisit::ScheduledPage before = Scheduled("http://a.test/x");
  const size_t visits = Requests("http://a.test/x", 0, kDay);
  EXPECT_EQ(visits, 4u);
  crawler_ = nullptr;
  store_ = nullptr;
  store_ = OpenTestStore(folder_ / "c");
  const revisit::ScheduledPage after = Scheduled("http://a.test/x");
  EXPECT_EQ(after.due_hour, before.due_hour);
  EXPECT_EQ(after.last_hour, before.last_hour);
  EXPECT_EQ(after.history.visits(), before.history.visits());
  CrawlUntil(2 * kDay);
  EXPECT_EQ(Requests("http://a.test/x", 0, 2 * kDay), 2 * visits);
}

TEST_F(RevisitsTest, PagesThatNoCrawlHasScheduledEnterTheSchedule) {
  web_.Set("http://a.test/", Html({}));
  store_ = OpenTestStore(folder_ / "c");
  collection::Tablet& tablet = TabletOfUrl(*store_, "http://a.test/imported");
  kv::Batch batch;
  const store::FetchCell cell = {.status = 200};
  const int64_t before = ToMicroseconds(web_.clock().Wall()) - int64_t{10} * 86400 * 1'000'000;
  ASSERT_TRUE(
      tablet.table().Put(KeyOfUrl("http://a.test/imported"), {.time = before, .fetch = &cell}, &batch).ok());
  ASSERT_TRUE(tablet.db().Write(batch, {.sync = true}).ok());
  web_.Set("http://a.test/imported", Html({}, "Words."));
  CrawlUntil(kDay);
  EXPECT_GE(Requests("http://a.test/imported", 0, kDay), 3u);
  EXPECT_TRUE(TabletOfUrl(*store_, "http://a.test/").schedule().complete());
  ExpectSound();
}

TEST_F(RevisitsTest, TheBudgetBoundsTheVisitsOfADay) {
  options_.revisits.planner.limits = {.shortest = 1.0 / 24, .longest = 1.0 / 24};
  options_.revisits.planner.visits_per_day = 24;
  std::vector<std::string> links;
  for (int i = 0; i < 20; ++i) links.push_back("/" + std::to_string(i));
  web_.Set("http://a.test/", Html(links));
  for (const std::string& link : links) web_.Set("http://a.test" + link, Html({}, "Page " + link));
  CrawlUntil(5 * kDay);
  for (int day = 1; day < 5; ++day) {
    size_t visits = 0;
    for (const std::string& link : links)
      visits += Requests("http://a.test" + link, day * kDay, (day + 1) * kDay);
    visits += Requests("http://a.test/", day * kDay, (day + 1) * kDay);
    EXPECT_GE(visits, 20u);
    EXPECT_LE(visits, 26u);
  }
  EXPECT_GT(crawler_->stats().schedule.price, 0);
}

TEST_F(RevisitsTest, RevisitsGetNoMoreThanTheirShareWhileNewPagesWait) {
  options_.revisits.planner.limits = {.shortest = 1.0 / 24, .longest = 1.0 / 24};
  options_.revisits.share = 0.25;
  options_.politeness.host_delay = std::chrono::minutes(5);
  // New pages wait all the time.
  std::vector<std::string> links;
  for (int i = 0; i < 1000; ++i) links.push_back("/" + std::to_string(i));
  web_.Set("http://a.test/", Html(links));
  for (const std::string& link : links) web_.Set("http://a.test" + link, Html({}, "Page number " + link));
  web_.At(AtHour(2 * kDay), [this] { crawler_->Stop(/*at_once=*/true); });
  store_ = OpenTestStore(folder_ / "c");
  crawler_ = *Crawler::Open(*store_, options_, web_.Parts());
  ASSERT_TRUE(web_.Run(*crawler_).ok());
  const collection::ScheduleStats stats = crawler_->stats().schedule.schedule;
  EXPECT_GT(stats.firsts, 150u);
  const double share =
      static_cast<double>(stats.revisits) / static_cast<double>(stats.firsts + stats.revisits);
  EXPECT_GT(share, 0.15);
  EXPECT_LT(share, 0.35);
}

// With a delay that is longer than a crawl waits until it takes the new pages of the hosts for held up.
TEST_F(RevisitsTest, RevisitsDoNotStarveTheNewPagesOfASlowHost) {
  options_.scope = policy::ScopeKind::kAny;
  options_.revisits.planner.limits = {.shortest = 1.0 / 24, .longest = 1.0 / 24};
  options_.politeness.host_delay = std::chrono::minutes(1);
  options_.politeness.host_delays["slow.test"] = std::chrono::minutes(25);
  std::vector<std::string> links;
  for (int i = 0; i < 300; ++i) links.push_back("http://slow.test/" + std::to_string(i));
  web_.Set("http://a.test/", Html({"http://slow.test/"}));
  web_.Set("http://slow.test/", Html(links));
  for (const std::string& link : links) web_.Set(link, Html({}, "Page number " + link));
  CrawlUntil(1.5 * kDay);
  size_t visits = 0;
  size_t first_visits = 0;
  std::set<std::string> seen;
  for (const std::string& url : web_.pages()) {
    if (!url.starts_with("http://slow.test/")) continue;
    ++visits;
    first_visits += seen.insert(url).second ? 1 : 0;
  }
  // 86 slots of 25 minutes.
  EXPECT_GE(visits, 75u);
  const double share = static_cast<double>(first_visits) / static_cast<double>(visits);
  EXPECT_GT(share, 0.4);
  EXPECT_LT(share, 0.7);
  // A host without new pages is not held up by that.
  EXPECT_GE(web_.RequestsFor("http://a.test/").size(), 30u);
  ExpectSound();
}

TEST_F(RevisitsTest, AHintBringsAPageForwardAndIsJudged) {
  options_.revisits.planner.policy = "optimal";
  options_.revisits.planner.limits = {.shortest = 1.0 / 24, .longest = 365};
  options_.revisits.planner.visits_per_day = 0;
  options_.revisits.planner.share_per_day = 0.2;
  web_.Set("http://a.test/", Html({"/told"}));
  web_.Set("http://a.test/told", Html({}, "As it was."));
  web_.At(AtHour(6), [this] {
    web_.Set("http://a.test/told", Html({}, "As it has become."));
    const PageHint told = {
        .url = "http://a.test/told", .source = revisit::HintSource::kWebSub, .time = web_.clock().Wall()};
    const PageHint unknown = {.url = "http://a.test/unknown", .time = web_.clock().Wall()};
    const auto left = crawler_->Hint(std::vector{told, unknown});
    ASSERT_TRUE(left.ok()) << left.status().ToString();
    ASSERT_EQ(left->size(), 1u);
    EXPECT_EQ(left->front().url, unknown.url);
  });
  CrawlUntil(3 * kDay);
  EXPECT_EQ(RowsOf("http://a.test/told").size(), 2u);
  EXPECT_EQ(Scheduled("http://a.test/told").hints, 0u);
  EXPECT_LE(Requests("http://a.test/", 1, 3 * kDay), 1u);
}

std::string SitemapOf(const std::vector<std::pair<std::string, int64_t>>& entries) {
  std::string xml = "<?xml version=\"1.0\"?><urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
  for (const auto& [url, lastmod] : entries) {
    xml += fmt::format("<url><loc>{}</loc><lastmod>{}</lastmod></url>", url, FormatRfc3339(lastmod));
  }
  return xml + "</urlset>";
}

TEST_F(RevisitsTest, ASitemapIsReadAgainAndWhatItSaysHasChangedIsVisited) {
  options_.revisits.planner = {.policy = "optimal", .share_per_day = 0.2};
  const int64_t start = ToSeconds(WallTime(hours(24 * 365 * 56)));
  const auto set = [this](int64_t changed_hour) {
    std::vector<std::pair<std::string, int64_t>> entries;
    for (int i = 0; i < 20; ++i) entries.emplace_back(fmt::format("http://a.test/{}", i), start - 86'400);
    if (changed_hour > 0) entries[7].second = start + changed_hour * 3600 + 60;
    web_.Set("http://a.test/sitemap.xml",
             Answer{.body = SitemapOf(entries), .fields = {{"Content-Type", "text/xml"}}});
  };
  web_.Set("http://a.test/", Html({}));
  web_.Set("http://a.test/robots.txt", PlainText("Sitemap: http://a.test/sitemap.xml\n"));
  set(0);
  for (int i = 0; i < 20; ++i) {
    const std::string url = fmt::format("http://a.test/{}", i);
    web_.Set(url, Html({}, "First text of " + url));
  }
  const auto change = [this, set](int hour) {
    web_.At(AtHour(hour), [this, set, hour] {
      web_.Set("http://a.test/7", Html({}, "Text of hour " + DayName(hour / 24)));
      set(hour);
    });
  };
  change(3 * 24);
  change(8 * 24);
  CrawlUntil(14 * kDay);
  for (const int hour : {3 * 24, 8 * 24}) {
    double read = 0;
    for (const ScriptedWeb::Request& request : web_.RequestsFor("http://a.test/sitemap.xml")) {
      if (read == 0 && request.time >= AtHour(hour))
        read = std::chrono::duration<double, std::ratio<3600>>(request.time - MonotonicTime()).count();
    }
    EXPECT_GT(read, hour);
    EXPECT_GE(Requests("http://a.test/7", read, read + 48), 1u)
        << "changed in hour " << hour << ", said so in " << read;
  }
  EXPECT_EQ(RowsOf("http://a.test/7").size(), 3u);
  EXPECT_LE(web_.RequestsFor("http://a.test/8").size(), 3u);
  EXPECT_GE(web_.RequestsFor("http://a.test/sitemap.xml").size(), 6u);
  EXPECT_LE(web_.RequestsFor("http://a.test/sitemap.xml").size(), 14u);
  EXPECT_TRUE(Scheduled("http://a.test/sitemap.xml").sitemap);
  // A host's hints are judged by what the visits find.
  std::optional<revisit::HintTrust> trust;
  ASSERT_TRUE(TabletOfUrl(*store_, "http://a.test/")
                  .schedule()
                  .ForEachBlock([&](const collection::PageSchedule::BlockView& block) {
                    trust = block.schedule.trust[static_cast<size_t>(revisit::HintSource::kSitemap)];
                    return true;
                  })
                  .ok());
  ASSERT_TRUE(trust);
  EXPECT_GE(trust->hints(), 2);
  EXPECT_GT(trust->precision(), 0.5);
  ExpectSound();
}

TEST_F(RevisitsTest, ASitemapThatAnIndexSaysHasChangedIsReadAtOnce) {
  options_.revisits.planner = {
      .policy = "fixed", .limits = {.shortest = 200, .longest = 200}, .visits_per_day = 1000};
  const int64_t start = ToSeconds(WallTime(hours(24 * 365 * 56)));
  const auto set = [this](const std::string& path, const std::string& body) {
    web_.Set("http://a.test/" + path, Answer{.body = body, .fields = {{"Content-Type", "text/xml"}}});
  };
  const auto index = [set](int64_t time) {
    set("index.xml",
        fmt::format("<sitemapindex xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"><sitemap>"
                    "<loc>http://a.test/old.xml</loc><lastmod>{}</lastmod></sitemap></sitemapindex>",
                    FormatRfc3339(time)));
  };
  web_.Set("http://a.test/", Html({}));
  web_.Set("http://a.test/robots.txt", PlainText("Sitemap: http://a.test/index.xml\n"));
  index(start - 1000);
  set("old.xml", SitemapOf({{"http://a.test/1", start - 1000}}));
  web_.Set("http://a.test/1", Html({}, "One."));
  web_.Set("http://a.test/2", Html({}, "Two."));
  // After a month its interval is long.
  web_.At(AtHour(60 * kDay), [set] {
    set("old.xml", SitemapOf({{"http://a.test/1", start - 1000}, {"http://a.test/2", start + 60 * 86'400}}));
  });
  web_.At(AtHour(60 * kDay + 1), [index] { index(start + 60 * 86'400 + 3600); });
  CrawlUntil(60 * kDay);
  EXPECT_GE(Scheduled("http://a.test/old.xml").interval_hours, 24u * 15);
  const uint32_t due = Scheduled("http://a.test/index.xml").due_hour;
  CrawlUntil(static_cast<double>(due) - static_cast<double>(start) / 3600 + 3);
  ASSERT_EQ(web_.RequestsFor("http://a.test/2").size(), 1u) << "it is new, and listed there";
}

TEST_F(RevisitsTest, WhatAFilterForbidsNowIsPassedOver) {
  web_.Set("http://a.test/", Html({"/x"}));
  web_.Set("http://a.test/x", Html({}, "Words."));
  CrawlUntil(kDay);
  const size_t before = Requests("http://a.test/x", 0, 10 * kDay);
  web_.Set("http://a.test/robots.txt", PlainText("User-agent: *\nDisallow: /x\n"));
  CrawlUntil(10 * kDay);
  // robots.txt is kept for a day.
  EXPECT_LE(Requests("http://a.test/x", 0, 10 * kDay), before + 4);
  EXPECT_GE(Requests("http://a.test/", 0, 10 * kDay), 36u);
  EXPECT_EQ(RowsOf("http://a.test/x").front().fetch.status, 200);
  EXPECT_EQ(Scheduled("http://a.test/x").failures, 0);
}

// Stops a continuous crawl before any sync of the disk, and resumes it.
class RevisitKillsTest : public RevisitsTest, public testing::WithParamInterface<bool> {};

TEST_P(RevisitKillsTest, LosesNoPageOfTheScheduleWhereverItIsStopped) {
  const auto fill = [](ScriptedWeb& web) {
    web.Set("http://a.test/", Html({"/1", "/2", "http://a.test/3"}));
    for (const char* const url : {"http://a.test/1", "http://a.test/2", "http://a.test/3"}) {
      web.Set(url, {Answer{.body = Html({}, std::string("First ") + url)},
                    Answer{.body = Html({}, std::string("Second ") + url)}});
    }
  };
  const auto crawl = [&](FaultFileSystem* disk, ScriptedWeb& web, double hour) -> Status {
    CRV_ASSIGN(const auto store, TryOpenTestStore(folder_ / "c", {.fs = disk}));
    CRV_ASSIGN(const auto crawler, Crawler::Open(*store, options_, web.Parts()));
    web.At(AtHour(hour), [&] { crawler->Stop(/*at_once=*/false); });
    return web.Run(*crawler).status();
  };
  uint64_t syncs = 0;
  uint64_t opened = 0;
  {
    FaultFileSystem new_disk({.only_syncs = true});
    (void)OpenTestStore(folder_ / "c", {.fs = &new_disk});
    opened = new_disk.changes();
    std::filesystem::remove_all(folder_ / "c");
    FaultFileSystem disk({.only_syncs = true});
    ScriptedWeb web;
    fill(web);
    ASSERT_TRUE(crawl(&disk, web, 7).ok());
    syncs = disk.changes();
  }
  ASSERT_GT(syncs, opened + 10);
  int stops = 0;
  for (uint64_t nth = opened + 1; nth <= syncs; ++nth) {
    std::filesystem::remove_all(folder_ / "c");
    FaultFileSystem disk({.fail_at = nth, .only_syncs = true});
    {
      ScriptedWeb web;
      fill(web);
      const Status status = crawl(&disk, web, 7);
      if (status.ok()) continue;  // it came to fewer syncs
      ++stops;
    }
    if (GetParam()) {
      ASSERT_TRUE(disk.DropUnsynced().ok());
    }
    ScriptedWeb web;
    fill(web);
    web.Pass(hours(24));  // later than the run before, as clocks are
    ASSERT_TRUE(crawl(nullptr, web, 24 + 20).ok()) << disk.failed();
    store_ = OpenTestStore(folder_ / "c");
    ExpectSound();
    for (const char* const url :
         {"http://a.test/", "http://a.test/1", "http://a.test/2", "http://a.test/3"}) {
      const revisit::ScheduledPage page = Scheduled(url);
      EXPECT_GE(page.history.visits(), 3) << url << ", stopped before: " << disk.failed();
      EXPECT_EQ(page.failures, 0);
    }
    for (collection::Tablet* const tablet : store_->tablets()) {
      EXPECT_EQ(tablet->schedule().stats().pages, 4u);
    }
    store_ = nullptr;
    if (HasFailure()) return;
  }
  EXPECT_GT(stops, 10);
}

INSTANTIATE_TEST_SUITE_P(Crashes, RevisitKillsTest, testing::Bool(),
                         [](const auto& crash) { return crash.param ? "OfPower" : "OfTheProcess"; });

}  // namespace
}  // namespace crivello::crawl
