// SPDX-License-Identifier: Apache-2.0
#include "demo/built_in_web.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "charset/charset.h"
#include "demo/census.h"
#include "demo/embedded_files.h"
#include "web/feed/feed.h"
#include "web/page/page_scan.h"
#include "web/page/robots.h"
#include "web/url/url.h"

namespace crivello::demo {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSubsetOf;
using testing::Not;
using testing::StartsWith;

constexpr uint16_t kPort = 8099;
const std::string kRing = "http://webring.test:8099";
const std::string kSearch = "http://how-search-works.test:8099";
const std::string kTessera = "http://manual.tessera.test:8099";
const std::string kLibrary = "http://biblioteca-valdombra.test:8099";
const std::string kBakery = "http://baeckerei-lindner.test:8099";
const std::string kHuts = "http://high-huts.test:8099";
const std::string kCourier = "http://courrier-du-lac.test:8099";
const std::string kAlmanac = "http://pocket-almanac.test:8099";
const std::string kLetters = "http://letters-and-signs.test:8099";
const std::string kMirror = "http://tessera-mirror.test:8099";

const BuiltInWeb& Web() {
  static const BuiltInWeb web(kPort);
  return web;
}

Answer Get(std::string_view url) {
  web::Url parsed;
  EXPECT_TRUE(parsed.Parse(url)) << url;
  return Web().Get(parsed.hostname(), parsed.path_and_query());
}

web::Page Scan(std::string_view url) { return web::ScanPage(Get(url).body); }

TEST(BuiltInWebTest, HasAFolderForEachHostButTheMirrorAndAHomePageOnEach) {
  std::set<std::string, std::less<>> folders = {"tessera-mirror.test"};
  for (const EmbeddedFile& file : EmbeddedFiles()) folders.emplace(file.path.substr(0, file.path.find('/')));
  std::set<std::string, std::less<>> names;
  for (const HostAddress& host : BuiltInWeb::hosts()) names.insert(host.name);
  EXPECT_EQ(folders, names);
  for (const std::string& seed : Web().Seeds()) EXPECT_EQ(Get(seed).status, 200) << seed;
}

TEST(BuiltInWebTest, SharesConsecutiveAddressesAmongHosts) {
  std::set<std::string> addresses;
  for (const HostAddress& host : BuiltInWeb::hosts()) addresses.insert(host.address);
  EXPECT_LT(addresses.size(), BuiltInWeb::hosts().size());
  int number = 1;
  for (const std::string& address : addresses) EXPECT_EQ(address, "127.0.0." + std::to_string(number++));
  EXPECT_THAT(BuiltInWeb::HostsFile(), HasSubstr("127.0.0.1 webring.test\n"));
}

TEST(BuiltInWebTest, WritesItsPortIntoLinksAndNoneForPort80) {
  EXPECT_THAT(Get(kRing + "/").body, AllOf(HasSubstr(kSearch + "/\""), Not(HasSubstr(":PORT"))));
  const BuiltInWeb on_80(80);
  EXPECT_THAT(on_80.Get("webring.test", "/").body, HasSubstr("http://how-search-works.test/\""));
  EXPECT_THAT(on_80.Seeds(), Contains("http://webring.test/"));
  EXPECT_TRUE(on_80.IsTrap("http://courrier-du-lac.test/agenda/1/1"));
}

// Checked by hand: the complete census of this web.
TEST(CensusTest, AccountsForEveryPageAndEveryLink) {
  const Census census = TakeCensus(Web());
  EXPECT_THAT(census.dead, ElementsAre(kBakery + "/lageplan.html", kHuts + "/club/equipment.html",
                                       kTessera + "/forum/", kMirror + "/forum/"));
  EXPECT_THAT(census.disallowed, ElementsAre(kHuts + "/staff/rota.html"));
  EXPECT_THAT(census.unfollowed, ElementsAre(kRing + "/offers.html"));
  EXPECT_THAT(census.only_in_sitemaps, ElementsAre(kCourier + "/hors-serie/1894.html"));
  EXPECT_THAT(census.redirects, ElementsAre(kLibrary + "/old/projects", kLibrary + "/vecchio/progetti.html",
                                            kRing + "/go/valdombra-2019", kRing + "/go/valdombra/2019"));

  std::set<std::string> expected = {kCourier + "/flux.rss"};
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (!file.path.ends_with(".html") && !file.path.ends_with(".pdf") && !file.path.ends_with(".docx")) {
      continue;
    }
    std::string url(file.path);
    url.insert(url.find('/'), ":8099").insert(0, "http://");
    if (url.ends_with("/index.html")) url.resize(url.size() - std::string_view("index.html").size());
    expected.insert(url);
    if (url.starts_with(kTessera)) expected.insert(kMirror + url.substr(kTessera.size()));
  }
  expected.erase(kRing + "/offers.html");
  expected.erase(kHuts + "/staff/rota.html");
  expected.erase(kHuts + "/staff/stores.html");
  EXPECT_GE(expected.size(), 180u);
  EXPECT_EQ(census.reachable, std::vector<std::string>(expected.begin(), expected.end()));
  EXPECT_EQ(ReachablePages(Web()), census.reachable);
}

TEST(CensusTest, LeavesOutAHostThatRefusesTheAgent) {
  EXPECT_THAT(TakeCensus(Web(), "greedybot").reachable, Not(Contains(StartsWith(kHuts))));
}

TEST(CensusTest, LinksBetweenHostsAreByAnotherTextThanTheTitle) {
  const web::Page ring = Scan(kRing + "/");
  size_t to_others = 0;
  for (const web::Link& link : ring.links) {
    if (link.href.starts_with(kRing) || !link.href.starts_with("http")) continue;
    to_others++;
    EXPECT_EQ(Scan(link.href).title.find(link.text), std::string::npos) << link.text;
  }
  EXPECT_EQ(to_others, BuiltInWeb::hosts().size() - 1);
}

TEST(BuiltInWebTest, EveryPageHasATitleALanguageAndText) {
  std::map<std::string, int> pages;
  for (const std::string& url : ReachablePages(Web())) {
    if (!Get(url).content_type.starts_with("text/html")) continue;
    const web::Page page = Scan(url);
    EXPECT_FALSE(page.title.empty()) << url;
    // Japanese has no spaces to count.
    EXPECT_GT(page.lang == "ja" ? static_cast<long>(page.text.size() / 6)
                                : std::count(page.text.begin(), page.text.end(), ' '),
              30)
        << url;
    pages[std::string(page.lang)]++;
  }
  for (const char* language : {"en", "it", "de", "fr", "es"}) EXPECT_GE(pages[language], 10) << language;
  EXPECT_EQ(pages["el"], 1);
  EXPECT_EQ(pages["ja"], 1);
  EXPECT_EQ(pages.size(), 7u);
}

TEST(BuiltInWebTest, HasAMirrorWithItsOwnNameInItsLinks) {
  EXPECT_EQ(Get(kMirror + "/install.html").body, Get(kTessera + "/install.html").body);
  EXPECT_THAT(Get(kTessera + "/faq.html").body, HasSubstr("\"" + kTessera + "/\""));
  EXPECT_THAT(Get(kMirror + "/faq.html").body,
              AllOf(HasSubstr("\"" + kMirror + "/\""), Not(HasSubstr(kTessera))));
}

TEST(BuiltInWebTest, HasAPdfAndAWordDocument) {
  const Answer pdf = Get(kHuts + "/print/mountain-weather.pdf");
  EXPECT_EQ(pdf.content_type, "application/pdf");
  EXPECT_THAT(pdf.body, AllOf(StartsWith("%PDF-1.4"), HasSubstr("/Count 2"), HasSubstr("%%EOF")));
  const Answer word = Get(kLibrary + "/documenti/regolamento.docx");
  EXPECT_EQ(word.content_type, "application/vnd.openxmlformats-officedocument.wordprocessingml.document");
  EXPECT_THAT(word.body, AllOf(StartsWith("PK"), HasSubstr("word/document.xml")));
}

TEST(BuiltInWebTest, HasTitlesThatATestOfAPageWouldChoose) {
  EXPECT_THAT(Scan(kLetters + "/html-escaping.html").title, HasSubstr("<script>alert(\"hello\")</script>"));
  EXPECT_THAT(Scan(kLetters + "/right-to-left.html").title, AllOf(HasSubstr("العربية"), HasSubstr("🐫")));
}

TEST(BuiltInWebTest, HasPagesThatAskNotToBeIndexedOrArchived) {
  EXPECT_TRUE(Scan(kLibrary + "/interno/bacheca.html").robots.noindex);
  EXPECT_TRUE(Scan(kCourier + "/2026/04/phare.html").robots.noarchive);
}

TEST(BuiltInWebTest, HasAHostWithADelay) {
  const auto robots = web::Robots::Parse(Get(kRing + "/robots.txt").body, "crivello");
  EXPECT_EQ(robots.crawl_delay_seconds(), 0.5);
}

TEST(BuiltInWebTest, HasACopyAndNearCopies) {
  EXPECT_EQ(Get(kLibrary + "/orari.html").body, Get(kLibrary + "/servizi.html").body);
  const auto near = [](const std::string& a, const std::string& b, std::string_view both) {
    EXPECT_NE(Scan(a).text, Scan(b).text);
    for (const std::string& url : {a, b}) EXPECT_THAT(Scan(url).text, HasSubstr(both)) << url;
  };
  near(kSearch + "/ranking/near-copies.html", kRing + "/reading/near-copies.html",
       "A third of the web is a copy of the rest");
  near(kAlmanac + "/earth/glaciers.html", kHuts + "/glacier.html", "which is known as Glen's law");
  near(kAlmanac + "/sea/knots.html", kAlmanac + "/print/knots.html", "The rabbit comes out of the hole");
  near(kAlmanac + "/kitchen/tea.html", kRing + "/reading/tea.html", "Heat stops it.");
}

TEST(BuiltInWebTest, HasAFeedOfReachablePages) {
  const auto feed = web::ParseFeed(Get(kCourier + "/flux.rss").body);
  ASSERT_TRUE(feed.ok());
  std::vector<std::string> links;
  for (const web::FeedItem& item : feed->items) {
    links.push_back(item.link);
    EXPECT_TRUE(item.date_seconds().has_value());
  }
  EXPECT_EQ(links.size(), 4u);
  EXPECT_THAT(links, IsSubsetOf(ReachablePages(Web())));
}

TEST(BuiltInWebTest, HasAPageInLatin1) {
  const std::string body = Web().Get("cuaderno-de-versos.test", "/clasicos.html").body;
  EXPECT_THAT(body, AllOf(HasSubstr("charset=\"iso-8859-1\""), HasSubstr("coraz\xf3n")));
}

TEST(CalendarTest, HasALinkToTheNextMonthInEveryMonth) {
  std::string url = kCourier + "/agenda/2026/11";
  for (int month = 0; month < 30; month++) {
    ASSERT_TRUE(Web().IsTrap(url));
    const Answer answer = Get(url);
    ASSERT_EQ(answer.status, 200) << url;
    const web::Page page = web::ScanPage(answer.body);
    for (const web::Link& link : page.links) EXPECT_EQ(Get(kCourier + std::string(link.href)).status, 200);
    ASSERT_EQ(page.links.back().text, "mois suivant");
    url = kCourier + std::string(page.links.back().href);
  }
  EXPECT_EQ(url, kCourier + "/agenda/2029/5");
}

TEST(CalendarTest, KnowsTheDaysOfTheWeekAndOfTheMonth) {
  EXPECT_THAT(Get(kCourier + "/agenda/2026/11/15").body, HasSubstr("dimanche 15 novembre 2026"));
  EXPECT_THAT(Get(kCourier + "/agenda/1600/2/29").body, HasSubstr("mardi 29 février 1600"));
  for (const char* path : {"/agenda/", "/agenda/2026", "/agenda/2026/", "/agenda/2026/13", "/agenda/2026/0",
                           "/agenda/2026/011", "/agenda/2027/2/29", "/agenda/2026/11/", "/agenda/2026/11/1/",
                           "/agenda/-1/1", "/agenda/1000000/1", "/agenda/99999999999999/1", "/agenda/+1/1"}) {
    EXPECT_EQ(Web().Get("courrier-du-lac.test", path).status, 404) << path;
  }
  EXPECT_EQ(Web().Get("webring.test", "/agenda/2026/11").status, 404);
}

}  // namespace
}  // namespace crivello::demo
