// SPDX-License-Identifier: Apache-2.0
#include "policy/traps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <set>

#include "base/file_format.h"
#include "base/hash.h"
#include "base/test_support.h"
#include "policy/url_shape.h"
#include "web/url/canonical.h"

namespace crivello::policy {
namespace {

constexpr int kThisYear = 2026;

web::Url TrapUrl(std::string_view text, const web::Url* base = nullptr) {
  auto url = web::CanonicalUrl(text, base);
  EXPECT_TRUE(url.ok()) << text;
  return url.ok() ? *url : web::Url();
}

std::string RuleOf(std::string_view url) {
  const auto rule = CheckUrl(TrapUrl(url), {.this_year = kThisYear});
  return rule ? std::string(TrapRuleName(*rule)) : "";
}

TEST(TrapsTest, NamesTheRuleThatAUrlBreaks) {
  EXPECT_EQ(RuleOf("http://h/" + std::string(3000, 'a')), "long-url");
  EXPECT_EQ(RuleOf("http://h/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25"),
            "deep-path");
  EXPECT_EQ(RuleOf("http://h/deep/deep/deep/"), "repeated-segments");
  EXPECT_EQ(RuleOf("http://h/x/a/b/a/b/a/b/y"), "repeated-segments");
  EXPECT_EQ(RuleOf("http://h/img/a/img/b/img/c/img/d/img/e"), "repeated-segments");
  EXPECT_EQ(RuleOf("http://h/a////b"), "repeated-segments");
  std::string query = "http://h/?p0=1";
  for (int i = 1; i < 25; i++) query += "&p" + std::to_string(i) + "=1";
  EXPECT_EQ(RuleOf(query), "many-parameters");
  EXPECT_EQ(RuleOf("http://h/?a=1&b=2&a=1&c=3&a=1"), "repeated-parameters");
  EXPECT_EQ(RuleOf("http://h/calendar/2028/1"), "far-date");
  EXPECT_EQ(RuleOf("http://h/calendar/2028/1/"), "far-date");
  EXPECT_EQ(RuleOf("http://h/c/9998/12/31"), "far-date");
  EXPECT_EQ(RuleOf("http://h/events/2033-05-01.html"), "far-date");
  EXPECT_EQ(RuleOf("http://h/c?view=month&date=2033-05"), "far-date");
  EXPECT_EQ(RuleOf("http://h/c?month=5&year=2033"), "far-date");
  EXPECT_FALSE(CheckUrl(TrapUrl("http://h/c/9998/12/31"), {}).has_value()) << "no year to compare with";
}

// Real pages: from the documentation that the test web is made of, and shapes that resemble traps.
TEST(TrapsTest, LeavesRealPagesAlone) {
  const std::string_view urls[] = {
      "http://gnuplot.test/htmldocs/node393.html",
      "http://asciidoctor.test/html/Asciidoctor/Cli/Invoker.html",
      "http://it.aptitude.test/ch02s04s05.html",
      "http://git.test/git-bisect-lk2009.html",
      "http://git.test/RelNotes/2.39.0.txt",
      "http://ja.debian-reference.test/ch09.ja.html",
      "http://libjlha.test/api/jp/gr/java_conf/dangan/util/lha/class-use/PostLz5Encoder.html",
      "http://sqlite3.test/releaselog/3_2_8.html",
      "http://sqlite3.test/c3ref/vtab.html",
      "http://boost.test/doc/html/boost_asio/reference/ip__basic_resolver/async_resolve/overload1.html",
      "http://boost.test/libs/geometry/doc/html/geometry/reference/models/model_d2_point_xy/"
      "model_d2_point_xy.html",
      "http://python.test/library/test.html",
      "http://rust.test/std/iter/trait.Iterator.html",
      "http://rust.test/core/arch/x86_64/fn._mm512_mask_cvtepi32_pd.html",
      "http://openjdk.test/api/java.base/java/util/concurrent/atomic/class-use/AtomicLong.html",
      "http://linux.test/driver-api/driver-model/driver.html",
      "http://redirect.test/chain/1",
      "http://example.org/2026/11/15/a-title-of-a-blog-post/",
      "http://example.org/2026/11/",
      "http://example.org/news/1998/03/05/",
      "http://example.org/1848/03/05",
      "http://example.org/topic/2999/12",
      "http://example.org/id/4096/7",
      "http://example.org/releases/2026-11-15.html",
      "http://example.org/wiki/Walla_Walla/Walla_Walla",
      "http://example.org/a/a/a/a.html",
      "http://example.org/tiles/0/0/0.png",
      "http://example.org/tiles/12/12/12.png",
      "http://example.org/en/docs/en/guide/en/index.html",
      "http://example.org/search?q=a&page=2&sort=date&order=asc&lang=en&filter[]=1&filter[]=2",
      "http://example.org/viewtopic.php?f=12&t=34567&start=2030",
      "http://example.org/?p=2040&m=3",
      "http://example.org/item?year=2031",
      "http://example.org/cgi-bin/"
      "man.cgi?query=ls&apropos=0&sektion=0&manpath=Debian+12&arch=default&format=html",
  };
  TrapMemory memory({.this_year = kThisYear});
  for (const std::string_view url : urls) {
    EXPECT_EQ(RuleOf(url), "") << url;
    EXPECT_FALSE(memory.Visit(TrapUrl(url)).has_value()) << url;
  }
}

// A web that generates its pages: the links of a page, as the trap of the test web returns them.
std::vector<std::string> TrapLinks(const web::Url& url) {
  std::vector<std::string> links;
  const std::string path(url.pathname());
  int year = 0, month = 0, day = 0;
  if (std::sscanf(path.c_str(), "/calendar/%d/%d/%d", &year, &month, &day) >= 2) {
    const auto page = [](int y, int m) { return "/calendar/" + std::to_string(y) + "/" + std::to_string(m); };
    links = {page(year + month / 12, month % 12 + 1),
             page(year - (month == 1 ? 1 : 0), (month + 10) % 12 + 1)};
    for (int d = 1; d < 29; d++) links.push_back(page(year, month) + "/" + std::to_string(d));
  } else if (path.starts_with("/session/")) {
    const uint64_t id = Hash64(url.href());
    char sid[20];
    std::snprintf(sid, sizeof sid, "%012llx", static_cast<unsigned long long>(id >> 16));
    for (int i = 0; i < 10; i++) links.push_back("/session/" + std::to_string(i) + "?sid=" + sid);
  } else if (path.starts_with("/deep")) {
    links = {"deep/", "a/../deep/x/"};
  } else if (path == "/facets") {
    for (int i = 0; i < 12; i++) {
      const std::string facet = "f" + std::to_string(i) + "=1";
      std::set<std::string> on;
      std::string query(url.query().value_or("")), joined;
      for (size_t at = 0; at < query.size();) {
        const size_t end = std::min(query.find('&', at), query.size());
        on.insert(query.substr(at, end - at));
        at = end + 1;
      }
      if (!on.erase(facet)) on.insert(facet);
      for (const std::string& each : on) joined += (joined.empty() ? "" : "&") + each;
      links.push_back("/facets?" + joined);
    }
  } else {
    links = {"/calendar/2026/1", "/session/0", "/deep/", "/facets?"};
  }
  return links;
}

TEST(TrapsTest, EndAnEndlessWebAndReadWhatIsRealInIt) {
  // With a cap as large as the second one, the calendar is read up to the end of next year.
  for (const uint32_t max_dates : {400u, 3000u}) {
    const TrapOptions options = {.this_year = kThisYear, .max_dates = max_dates};
    TrapMemory memory(options);
    std::set<std::string> seen, articles, rules;
    std::deque<web::Url> queue = {TrapUrl("http://trap.test/")};
    std::map<std::string, uint32_t> fetched;
    while (!queue.empty()) {
      const web::Url url = queue.front();
      queue.pop_front();
      if (const auto rule = memory.Visit(url)) {
        rules.insert(std::string(TrapRuleName(*rule)));
        continue;
      }
      const std::string path(url.pathname());
      fetched[path.substr(0, path.find('/', 1))]++;
      if (path.starts_with("/session/")) articles.insert(path);
      for (const std::string& link : TrapLinks(url)) {
        const web::Url target = TrapUrl(link, &url);
        if (!seen.insert(target.href()).second) continue;
        if (const auto rule = CheckUrl(target, options)) {
          rules.insert(std::string(TrapRuleName(*rule)));
        } else {
          queue.push_back(target);
        }
      }
      ASSERT_LT(seen.size(), 100'000u);
    }
    std::set<std::string> expected = {"calendar", "facets", "repeated-segments", "session-id"};
    if (max_dates == 3000) expected.insert("far-date");
    EXPECT_EQ(rules, expected);
    EXPECT_EQ(fetched["/calendar"], max_dates);
    EXPECT_EQ(articles.size(), 10u) << "each article of the shop";
    EXPECT_LE(fetched["/session"], 11u);
    EXPECT_LE(fetched["/deep"], 15u);
    EXPECT_LE(fetched["/facets"], 49u);
  }
}

TEST(TrapMemoryTest, LetsOneSessionThroughForEachPage) {
  TrapMemory memory({});
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/a?sid=0123abcd")).has_value());
  EXPECT_EQ(memory.Visit(TrapUrl("http://h/a?sid=9123abcd")), TrapRule::kSessionId);
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/b?sid=9123abcd")).has_value());
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/a?sid=9123abcd&page=2")).has_value());
  EXPECT_FALSE(memory.Visit(TrapUrl("http://other/a?sid=9123abcd")).has_value());
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/c;jsessionid=1A2B3C4D5E?x=1")).has_value());
  EXPECT_EQ(memory.Visit(TrapUrl("http://h/c;jsessionid=FF2B3C4D5E?x=1")), TrapRule::kSessionId);
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/(S(lit3py55t21z5v55vlm25s55))/d.aspx")).has_value());
  EXPECT_EQ(memory.Visit(TrapUrl("http://h/(S(aaa3py55t21z5v55vlm25s55))/d.aspx")), TrapRule::kSessionId);
  // A value that a person would choose is not a session id.
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/e?session=morning")).has_value());
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/e?session=evening")).has_value());
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/e?sid=1")).has_value());
  EXPECT_FALSE(memory.Visit(TrapUrl("http://h/e?sid=2")).has_value());
}

TEST(TrapMemoryTest, StaysWithinItsBudgetAndForgetsTheOldestHost) {
  TrapMemory memory({.max_dates = 2}, 200'000);
  const auto visit = [&](int host, int page) {
    return memory.Visit(
        TrapUrl("http://h" + std::to_string(host) + ".test/x?a" + std::to_string(page) + "=1"));
  };
  const auto date = [&](int day) {
    return memory.Visit(TrapUrl("http://old.test/2020/01/" + std::to_string(day)));
  };
  EXPECT_FALSE(date(1).has_value());
  EXPECT_FALSE(date(2).has_value());
  EXPECT_EQ(date(3), TrapRule::kCalendar);
  for (int host = 0; host < 3000; host++) {
    for (int page = 0; page < 5; page++) visit(host, page);
    ASSERT_LE(memory.MemoryBytes(), 200'000u);
  }
  EXPECT_FALSE(date(4).has_value()) << "forgotten: its caps begin again";

  TrapMemory one({}, 1 << 20);
  for (int i = 0; i < 5000; i++) {
    const std::string n = std::to_string(i);
    one.Visit(TrapUrl("http://h/p" + n + "?sid=abc12345&x" + n + "=1"));
    one.Visit(TrapUrl("http://h/c" + n + "/2020/01/01"));
  }
  EXPECT_LE(one.MemoryBytes(), TrapMemory::kMaxHostBytes + 1024);
}

TEST(UrlShapeTest, SeesDatesThatEndAUrl) {
  const auto year = [](std::string_view url) {
    const auto date = DateOf(TrapUrl(url));
    return date ? date->year : 0;
  };
  EXPECT_EQ(year("http://h/calendar/2026/1"), 2026);
  EXPECT_EQ(year("http://h/a/2026/1"), 0);
  EXPECT_EQ(year("http://h/a/2026/1/31"), 2026);
  EXPECT_EQ(year("http://h/a/2026/1/32"), 0);
  EXPECT_EQ(year("http://h/a/2026/13/1"), 0);
  EXPECT_EQ(year("http://h/2026-01"), 2026);
  EXPECT_EQ(year("http://h/2026-1-1"), 0);
  EXPECT_EQ(year("http://h/a/2026/01/31/title"), 0);
  EXPECT_EQ(year("http://h/?d=2026-01-31"), 2026);
  EXPECT_EQ(year("http://h/?y=2026&m=1"), 2026);
  EXPECT_EQ(year("http://h/?y=2026"), 0);
  EXPECT_EQ(year("http://h/"), 0);
  EXPECT_EQ(DateOf(TrapUrl("http://h/calendar/2026/1"))->calendar,
            DateOf(TrapUrl("http://h/calendar/1999/12"))->calendar);
  EXPECT_NE(DateOf(TrapUrl("http://h/calendar/2026/1"))->calendar,
            DateOf(TrapUrl("http://h/b/cal/2026/1"))->calendar);
  EXPECT_EQ(ParameterNames(TrapUrl("http://h/?a=1&b=2")), ParameterNames(TrapUrl("http://h/?b=3&a")));
  EXPECT_NE(ParameterNames(TrapUrl("http://h/?a=1&b=2")), ParameterNames(TrapUrl("http://h/?a=1")));
}

TEST(TrapMemoryTest, IsTheSameAfterItWasSavedAndLoaded) {
  const TemporaryFolder folder;
  TrapMemory before({.max_dates = 3, .max_facets = 2});
  const auto visit = [](TrapMemory& memory, const std::string& url) {
    return memory.Visit(TrapUrl(url)).has_value();
  };
  for (int day = 1; day <= 2; day++) {
    EXPECT_FALSE(visit(before, "http://a/calendar/2026/01/0" + std::to_string(day)));
  }
  EXPECT_FALSE(visit(before, "http://b/page;jsessionid=0123456789abcdef0123456789abcdef"));
  EXPECT_FALSE(visit(before, "http://c/list?x=1"));
  EXPECT_FALSE(visit(before, "http://c/list?y=1"));
  ASSERT_TRUE(before.Save(folder / "traps").ok());

  TrapMemory after({.max_dates = 3, .max_facets = 2});
  ASSERT_TRUE(after.Load(folder / "traps").ok());
  EXPECT_EQ(after.MemoryBytes() > 0, true);
  for (TrapMemory* memory : {&before, &after}) {
    EXPECT_FALSE(visit(*memory, "http://a/calendar/2026/01/03"));
    EXPECT_TRUE(visit(*memory, "http://a/calendar/2026/01/04"));
    EXPECT_TRUE(visit(*memory, "http://b/page;jsessionid=fedcba9876543210fedcba9876543210"));
    EXPECT_TRUE(visit(*memory, "http://c/list?z=1"));
  }
  EXPECT_EQ(after.Load(folder / "none").code(), StatusCode::kNotFound);
}

TEST(TrapMemoryTest, RestoresOrRefusesWhateverBytesThereAre) {
  const TemporaryFolder folder;
  TrapMemory memory({});
  for (int i = 0; i < 5; i++) {
    memory.Visit(TrapUrl("http://h" + std::to_string(i) + "/x?a=" + std::to_string(i)));
    memory.Visit(TrapUrl("http://h" + std::to_string(i) + "/2026/0" + std::to_string(i + 1)));
  }
  ASSERT_TRUE(memory.Save(folder / "traps").ok());
  const FormatFile file = FormatFile::Open(folder / "traps", TrapMemory::kFileKind).value();
  const std::vector<std::byte> good(file.payload().begin(), file.payload().end());
  for (size_t i = 0; i < good.size(); i++) {
    for (const int flip : {0x01, 0x80}) {
      std::vector<std::byte> bytes = good;
      bytes[i] ^= static_cast<std::byte>(flip);
      TrapMemory restored({}, 4096);
      const Status status = restored.Restore(bytes);
      EXPECT_TRUE(status.ok() || status.code() == StatusCode::kCorruption);
      restored.Visit(TrapUrl("http://h1/x?b=1"));
    }
  }
  for (size_t size = 0; size < good.size(); size += 8) {
    EXPECT_FALSE(TrapMemory({}).Restore(Bytes(good).first(size)).ok()) << size;
  }
}

}  // namespace
}  // namespace crivello::policy
