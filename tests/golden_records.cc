// SPDX-License-Identifier: Apache-2.0
// Records of a tablet's database: their bytes, without the database.
#include <cmath>

#include "base/hash.h"
#include "base/record.h"
#include "cluster/exchange/message.h"
#include "cluster/fence/epoch_file.h"
#include "cluster/politeness/turn_message.h"
#include "collection/page_schedule.h"
#include "collection/robots_keeper.h"
#include "feeds/feed_record.h"
#include "feeds/subscription.h"
#include "fetch/cookie_jar.h"
#include "frontier/agenda.h"
#include "frontier/host_queues_format.h"
#include "frontier/host_state.h"
#include "frontier/queue_block.h"
#include "frontier/url_record.h"
#include "golden.h"
#include "revisit/host_schedule.h"
#include "store/cells.h"
#include "store/dup_cells.h"
#include "store/ledger.h"
#include "store/version_key.h"
#include "text/content/site_template.h"
#include "web/page/links.h"
#include "web/url/row_key.h"

namespace crivello {
namespace {

using std::chrono::seconds;

WallTime At(int64_t second) { return WallTime(seconds(second)); }

// A record compared by value: the output of `encode` is stored, and `decode` reads it back.
template <typename Encode, typename Check>
Golden Record(const std::string& name, Encode encode, Check check) {
  return {.name = name,
          .write = [=](const std::string& path) { return WriteGoldenText(path, encode()); },
          .check = [=](const std::string& path) { check(GoldenText(path)); }};
}

store::FetchCell Fetch() {
  return {.status = 301,
          .content_type = "text/html",
          .body_bytes = 123456,
          .payload = Sha1Of("a body"),
          .head_digest = 0x0123456789abcdef,
          .record = {.file = 3, .offset = 70000, .length = 900},
          .etag = "\"e-tag\"",
          .last_modified = -5,
          .location = "https://example.org/there",
          .milliseconds = 250,
          .text_digest = 0xfedcba9876543210,
          .simhash = 0x1111222233334444,
          .noindex = true,
          .nofollow = true,
          .revisit = true,
          .derived_by = 7,
          .id = "imported"};
}

store::TextCell Text() {
  return {.derived_by = 7,
          .language = "it",
          .charset = "utf-8",
          .title = "Il crivello",
          .author = "Eratostene",
          .site = "Alessandria",
          .description = "Come si setaccia",
          .published = -7000000000,
          .blocks = {{.kind = 1, .level = 2, .main = true, .text = "Titolo"},
                     {.kind = 0, .level = 0, .main = true, .text = "Un capoverso."},
                     {.kind = 6, .level = 0, .main = false, .text = "didascalia"}}};
}

const std::vector<store::OutLink>& Links() {
  static const std::vector<store::OutLink> links = {
      {"https://example.org/a", "first", 0, false},
      {"https://example.org/ab", "", 5, true},
      {"http://other.example/", "altrove", 8, false},
  };
  return links;
}

store::DupCell NearDuplicate() {
  return {
      .text_digest = 0xfedcba9876543210, .members = 300, .representative = "org,example)https:443/manual/"};
}

store::Event LedgerEvent() {
  return {.time = 1'700'000'000'000'000,
          .kind = store::EventKind::kFailed,
          .number = 2,
          .until = 1'700'000'600'000'000,
          .url = "https://example.org/",
          .text = "the connection was refused"};
}

frontier::UrlRecord QueuedUrl() {
  return {.url = "https://example.org/page",
          .kind = frontier::UrlKind::kSitemap,
          .priority = 5,
          .depth = 300,
          .found = At(1'700'000'000),
          .via = frontier::Via::Of("https://example.org/page", "https://example.org/index")};
}

revisit::HostSchedule Scheduled() {
  revisit::ScheduledPage first = {.name = "https:443/news/",
                                  .last_hour = 495'000,
                                  .interval_hours = 40,
                                  .due_hour = 495'020,
                                  .depth = 1,
                                  .probing = true,
                                  .probes = 2};
  first.history.AddChanged(2);
  first.history.AddUnchanged(2.5);
  first.history.AddDated(1, 0.5);
  revisit::HostSchedule schedule = {.pages = {first,
                                              {.name = "https:443/news/2",
                                               .last_hour = 495'007,
                                               .interval_hours = 48,
                                               .due_hour = 495'055,
                                               .depth = 2,
                                               .failures = 1,
                                               .hints = 3,
                                               .hinted_by = revisit::HintSource::kWebSub}},
                                    .review_hour = 495'100,
                                    .prior = revisit::RateBelief::Wide(),
                                    .fitted_at = 3,
                                    .hinted_since = 494'900};
  schedule.trust[2] = revisit::HintTrust();
  schedule.trust[2]->OnVisit(1, 2, true, revisit::RateBelief::Wide());
  return schedule;
}

revisit::HostSchedule ScheduledSitemap() {
  revisit::HostSchedule schedule = Scheduled();
  revisit::ScheduledPage sitemap = {.name = "https:443/sitemap.xml",
                                    .last_hour = 495'010,
                                    .interval_hours = 12,
                                    .due_hour = 495'022,
                                    .sitemap = true};
  sitemap.history.AddChanged(1);
  schedule.pages.push_back(sitemap);
  return schedule;
}

revisit::HostLoad HintedHost() {
  revisit::HintTrust::Sums sums = {.hints = 7, .changed = 5, .announced = 4.5};
  for (size_t i = 0; i < sums.logs.size(); i++) {
    sums.logs[i] = -0.5 * std::fabs(static_cast<double>(i) - 12) * std::log(2.0);
  }
  revisit::HostLoad load = {.pages = 2'000, .planned = 25, .hinted_since = 495'000};
  load.trust[3] = revisit::HintTrust(sums);
  return load;
}

collection::ScheduleRecord ScheduleCounts() {
  return {.stats = {.pages = 300,
                    .blocks = 4,
                    .queued = 2,
                    .failing = 1,
                    .planned = 15.5,
                    .firsts = 320,
                    .revisits = 700,
                    .changes = 90},
          .memory = {.price = 2.25}};
}

frontier::HostState Host() {
  frontier::HostState host;
  host.name = "example.org";
  host.queues[2] = {.head = {.block = 4, .index = 1}, .tail = 6, .tail_bytes = 900, .items = 12};
  host.enqueued = 40;
  host.wake = At(1'700'000'100);
  host.fetched = 20;
  host.failed = 3;
  host.refused = 5;
  host.bytes = 1 << 20;
  host.next_fetch = At(1'700'000'050);
  host.failures = 2;
  host.given_up = true;
  host.last_error = "timed out";
  host.crawl_delay = seconds(10);
  host.address = "192.0.2.7";
  host.address_until = At(1'700'003'600);
  host.robots = {{.origin = "https://example.org", .until = At(1'700'086'400)}};
  host.extra = "budget";
  return host;
}

std::string QueueBlock() {
  frontier::QueueBlockWriter writer;
  for (const char* url :
       {"https://example.org/a", "https://example.org/ab", "http://example.org:8080/robots.txt"}) {
    const auto parts = frontier::SplitUrl(url);
    const bool robots = std::string_view(url).ends_with("robots.txt");
    writer.Add(*parts, {.kind = robots ? frontier::UrlKind::kRobots : frontier::UrlKind::kPage,
                        .depth = 2,
                        .attempts = robots ? 3u : 0u,
                        .found = At(1'700'000'000),
                        .via = frontier::Via::Of(url, "https://example.org/")});
  }
  return std::string(writer.bytes());
}

void CheckQueueBlock(const std::string& bytes) {
  frontier::QueueBlockReader reader(bytes, "example.org");
  std::vector<std::string> urls;
  frontier::QueueItem item;
  while (reader.Next(item)) {
    urls.push_back(item.url);
    const bool robots = item.url.ends_with("robots.txt");
    EXPECT_EQ(item.kind, robots ? frontier::UrlKind::kRobots : frontier::UrlKind::kPage);
    EXPECT_EQ(item.attempts, robots ? 3u : 0u);
    EXPECT_EQ(item.depth, 2u);
    EXPECT_EQ(item.found, At(1'700'000'000));
    EXPECT_EQ(item.via, "https://example.org/");
  }
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(urls, (std::vector<std::string>{"https://example.org/a", "https://example.org/ab",
                                            "http://example.org:8080/robots.txt"}));
}

std::string Journal() {
  frontier::JournalWriter writer;
  writer.Add(0x0123456789abcdef, "state");
  writer.Add(2, "");
  return writer.bytes();
}

void CheckJournal(const std::string& bytes) {
  std::vector<std::pair<uint64_t, std::string>> found;
  EXPECT_TRUE(frontier::ReadJournal(
      bytes, [&](uint64_t host, std::string_view record) { found.emplace_back(host, record); }));
  EXPECT_EQ(found, (std::vector<std::pair<uint64_t, std::string>>{{0x0123456789abcdef, "state"}, {2, ""}}));
}

collection::RobotsRecord Robots() {
  collection::RobotsRecord record;
  record.access = web::RobotsAccess::kAllowAll;
  record.status = 404;
  record.fetched = 1'700'000'000;
  record.expires = 1'700'086'400;
  record.unreachable_since = 1'699'999'999;
  record.text = "User-agent: *\nDisallow: /private\n";
  return record;
}

void CheckRobots(const std::string& bytes) {
  CRV_GOLDEN_ASSIGN(const auto record, collection::RobotsRecord::Decode(bytes));
  EXPECT_EQ(record.access, web::RobotsAccess::kAllowAll);
  EXPECT_EQ(record.status, 404);
  EXPECT_EQ(record.fetched, 1'700'000'000);
  EXPECT_EQ(record.expires, 1'700'086'400);
  EXPECT_EQ(record.unreachable_since, 1'699'999'999);
  EXPECT_EQ(record.text, "User-agent: *\nDisallow: /private\n");
}

feeds::FeedRecord FeedOfNews() {
  feeds::FeedRecord record;
  record.origin = feeds::Origin::kFound;
  record.format = web::FeedFormat::kAtom;
  record.title = "Alessandria";
  record.site = "https://example.org/";
  record.hubs = {"https://hub.example/"};
  record.topic = "https://example.org/feed";
  record.push = true;
  record.depth = 300;
  record.last_poll = 1'700'000'000;
  record.next_poll = 1'700'003'600;
  record.last_status = 200;
  record.trouble = "the answer is not a feed";
  record.failures = 3;
  record.polls = 70;
  record.items = 300;
  record.last_new = 2;
  record.last_news = 1'699'999'000;
  record.hints = {.interval_s = 3600, .fresh_s = 600, .skip_hours = 0b101, .skip_days = 0b1000000};
  record.history = {.seconds = 86'400, .thousandths = 4500};
  record.etag = "\"e-tag\"";
  record.last_modified = 1'699'999'900;
  record.seen = {0x0123456789abcdef, 1};
  return record;
}

void CheckFeed(const std::string& bytes) {
  CRV_GOLDEN_ASSIGN(const auto record, feeds::FeedRecord::Decode(bytes));
  EXPECT_EQ(record, FeedOfNews());
}

void CheckFeedWithoutPush(const std::string& bytes) {
  CRV_GOLDEN_ASSIGN(const auto record, feeds::FeedRecord::Decode(bytes));
  feeds::FeedRecord expected = FeedOfNews();
  expected.push = false;
  EXPECT_EQ(record, expected);
}

std::vector<feeds::Subscription> SubscriptionsOfNews() {
  feeds::Subscription first;
  first.hub = "https://hub.example/";
  first.topic = "https://example.org/feed";
  first.base = "https://push.example/";
  first.id = "0123456789abcdefghijklmnopqrstuv";
  first.secret = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";
  first.asked = 1'700'000'000;
  first.next = 1'700'600'000;
  first.lease_end = 1'700'864'000;
  first.last_delivery = 1'700'000'900;
  first.deliveries = 300;
  first.repeated = 2;
  first.refused = 1;
  first.recent = {0x0123456789abcdef, 1};
  feeds::Subscription second = first;
  second.hub = "https://old.example/";
  second.id = "ABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123";
  second.leaving = true;
  second.pending = feeds::Subscription::Pending::kUnsubscribe;
  second.failures = 2;
  second.trouble = "the hub answered 503";
  return {first, second};
}

void CheckSubscriptions(const std::string& bytes) {
  CRV_GOLDEN_ASSIGN(const auto subscriptions, feeds::DecodeSubscriptions(bytes));
  EXPECT_EQ(subscriptions, SubscriptionsOfNews());
}

text::Document SitePage(int number) {
  text::Document document;
  for (const auto& [kind, text] :
       {std::pair(text::BlockKind::kListItem, std::string("Home")),
        std::pair(text::BlockKind::kParagraph, "Page " + std::to_string(number)),
        std::pair(text::BlockKind::kCaption, std::string("All rights reserved"))}) {
    text::Block block;
    block.kind = kind;
    block.text = text;
    block.depth = 5;
    block.path = "body/div";
    document.blocks.push_back(block);
  }
  return document;
}

std::string Template() {
  text::SiteTemplate site;
  for (int i = 0; i < 6; i++) {
    site.Learn(SitePage(i));
    site.LearnLanguage("it");
  }
  return site.Encode();
}

void CheckTemplate(const std::string& bytes) {
  CRV_GOLDEN_ASSIGN(const auto site, text::SiteTemplate::Decode(bytes));
  EXPECT_EQ(site.pages(), 6u);
  EXPECT_EQ(site.language(), "it");
  const text::Document page = SitePage(100);
  EXPECT_TRUE(site.Repeats(page, 0));
  EXPECT_FALSE(site.Repeats(page, 1));
  EXPECT_TRUE(site.Repeats(page, 2));
}

constexpr int64_t kCookieTime = 1'700'000'000;

std::string Cookies() {
  fetch::CookieJar jar;
  const auto url = web::ParseUrl("https://example.org/shop/cart");
  jar.Store(*url, "session=abc; Path=/; Secure", kCookieTime);
  jar.Store(*url, "theme=dark; Max-Age=3600", kCookieTime);
  return jar.Serialize(kCookieTime);
}

void CheckCookies(const std::string& bytes) {
  CRV_GOLDEN_ASSIGN(const auto jar, fetch::CookieJar::Parse(bytes));
  CRV_GOLDEN_ASSIGN(const auto cart, web::ParseUrl("https://example.org/shop/pay"));
  CRV_GOLDEN_ASSIGN(const auto plain, web::ParseUrl("http://example.org/"));
  EXPECT_EQ(jar.Header(cart, kCookieTime + 1), "theme=dark; session=abc");
  EXPECT_EQ(jar.Header(cart, kCookieTime + 4000), "session=abc");
  EXPECT_EQ(jar.Header(plain, kCookieTime + 1), "");
}

// URLs, ordered by row.
const std::vector<std::string> kRowUrls = {"http://example.com/", "https://example.com/a?q=1",
                                           "https://www.example.com:8443/x", "http://192.0.2.1/"};

std::string RowKeys() {
  std::string lines;
  for (const std::string& url : kRowUrls) {
    lines += store::VersionKey(web::RowKey(web::ParseUrl(url).value()).value(), 1'700'000'000'000'000) + "\n";
  }
  return lines;
}

void CheckRowKeys(const std::string& bytes) {
  std::string_view rest = bytes;
  for (const std::string& url : kRowUrls) {
    const size_t end = rest.find('\0') + 9;
    ASSERT_LT(end, rest.size());
    const auto key = store::ParseVersionKey(rest.substr(0, end));
    ASSERT_TRUE(key.has_value());
    EXPECT_EQ(key->time, 1'700'000'000'000'000);
    CRV_GOLDEN_ASSIGN(const auto found, web::UrlOfRowKey(key->row));
    EXPECT_EQ(found.href(), url);
    rest.remove_prefix(end + 1);
  }
  EXPECT_TRUE(rest.empty());
}

cluster::Claim EpochClaim() {
  return {.epoch = 12, .nonce = 0xfedcba9876543210, .owner = "node-7.example.org"};
}

cluster::UrlBatch ExchangedBatch() {
  RecordWriter urls;
  urls.Text("http://a.example/");
  urls.Text("http://a.example/b");
  return {.stream = {.from = "t-00", .to = "t-01", .incarnation = uint64_t{12} << 20},
          .sequence = 300,
          .oldest_kept = 299,
          .answers = 7,
          .urls = urls.bytes()};
}

cluster::TurnRequest AskedTurns() {
  using std::chrono::milliseconds;
  return {.agent = "red",
          .process = 0x0123456789abcdef,
          .tablet = "t-01",
          .returns = {{.address = "192.0.2.7", .through = 299, .rested = milliseconds(250)}},
          .asks = {{.address = "2001:db8::1",
                    .number = 300,
                    .delay = milliseconds(1000),
                    .request = milliseconds(120'000)}}};
}
cluster::TurnReply GivenTurns() {
  using std::chrono::milliseconds;
  return {.agent = "red",
          .process = 0x0123456789abcdef,
          .tablet = "t-01",
          .epoch = 12,
          .grants = {{.address = "2001:db8::1", .number = 300, .term = milliseconds(5000), .once = true}}};
}

}  // namespace

std::vector<Golden> RecordGoldens() {
  return {
      Record(
          "fetch-cell-v1", [] { return store::EncodeFetchCell(Fetch()); },
          [](const std::string& bytes) {
            CRV_GOLDEN_ASSIGN(const auto cell, store::DecodeFetchCell(bytes));
            EXPECT_EQ(cell, Fetch());
          }),
      Record(
          "text-cell-v2",
          [] {
            std::string bytes;
            store::EncodeTextCell(Text(), &bytes);
            return bytes;
          },
          [](const std::string& bytes) {
            CRV_GOLDEN_ASSIGN(const auto cell, store::DecodeTextCell(bytes));
            EXPECT_EQ(cell, Text());
          }),
      Record(
          "link-cell-v1",
          [] {
            store::LinkCellBuilder builder;
            for (const auto& link : Links()) builder.Add(link.url, link.text, link.kind, link.nofollow);
            return builder.bytes();
          },
          [](const std::string& bytes) {
            CRV_GOLDEN_ASSIGN(const auto links, store::DecodeLinkCell(bytes));
            EXPECT_EQ(links, Links());
          }),
      Record(
          "dup-cell-v1", [] { return store::EncodeDupCell(NearDuplicate()); },
          [](const std::string& bytes) {
            CRV_GOLDEN_ASSIGN(const auto cell, store::DecodeDupCell(bytes));
            EXPECT_EQ(cell, NearDuplicate());
          }),
      Record(
          "ledger-event-v1", [] { return store::EncodeEvent(LedgerEvent()); },
          [](const std::string& bytes) {
            CRV_GOLDEN_ASSIGN(const auto event, store::DecodeEvent(LedgerEvent().time, bytes));
            EXPECT_EQ(event, LedgerEvent());
          }),
      Record(
          "url-record-v1",
          [] {
            std::string bytes;
            frontier::AppendUrlRecord(QueuedUrl(), &bytes);
            return bytes;
          },
          [](const std::string& bytes) {
            const auto record = frontier::ParseUrlRecord(bytes);
            ASSERT_TRUE(record.has_value());
            EXPECT_EQ(*record, QueuedUrl());
          }),
      Record(
          "agenda-entry-v1",
          [] { return frontier::EncodeAgendaEntry({.record = QueuedUrl(), .known = true}); },
          [](const std::string& bytes) {
            const auto entry = frontier::DecodeAgendaEntry(bytes);
            ASSERT_TRUE(entry.has_value());
            EXPECT_EQ(entry->record, QueuedUrl());
            EXPECT_TRUE(entry->known);
          }),
      {.name = "host-schedule-v1",
       .write = {},
       .check =
           [](const std::string& path) {
             EXPECT_FALSE(revisit::DecodeHostSchedule(GoldenText(path)));  // no crawler wrote it
           }},
      Record(
          "host-schedule-v2", [] { return revisit::EncodeHostSchedule(Scheduled()); },
          [](const std::string& bytes) {
            const auto schedule = revisit::DecodeHostSchedule(bytes);
            ASSERT_TRUE(schedule.has_value());
            EXPECT_EQ(schedule->review_hour, 495'100u);
            EXPECT_TRUE(schedule->prior.has_value());
            EXPECT_TRUE(schedule->trust[2].has_value());
            const auto& pages = schedule->pages;
            ASSERT_EQ(pages.size(), 2u);
            EXPECT_TRUE(pages[0].probing);
            EXPECT_EQ(pages[0].history.visits(), 3);
            EXPECT_EQ(pages[0].history.changes(), 2);
            EXPECT_EQ(pages[0].history.unchanged_days(), 3);
            EXPECT_EQ(pages[1].name, "https:443/news/2");
            EXPECT_EQ(pages[1].last_hour, 495'007u);
            EXPECT_EQ(pages[1].due_hour, 495'055u);
            EXPECT_EQ(pages[1].failures, 1);
            EXPECT_EQ(pages[1].hints, 3u);
          }),
      Record(
          "host-schedule-v3", [] { return revisit::EncodeHostSchedule(ScheduledSitemap()); },
          [](const std::string& bytes) {
            const auto schedule = revisit::DecodeHostSchedule(bytes);
            ASSERT_TRUE(schedule.has_value());
            ASSERT_EQ(schedule->pages.size(), 3u);
            EXPECT_FALSE(schedule->pages[1].sitemap);
            EXPECT_TRUE(schedule->pages[2].sitemap);
            EXPECT_EQ(schedule->pages[2].due_hour, 495'022u);
          }),
      Record(
          "host-load-v1",
          [] { return collection::EncodeHostLoad({.pages = 1'000, .planned = 12.5, .price = 3.75}); },
          [](const std::string& bytes) {
            const auto load = collection::DecodeHostLoad(bytes);
            ASSERT_TRUE(load.has_value());
            EXPECT_EQ(load->pages, 1'000);
            EXPECT_EQ(load->planned, 12.5);
            EXPECT_EQ(load->price, 3.75);
          }),
      Record(
          "host-load-v2", [] { return collection::EncodeHostLoad(HintedHost()); },
          [](const std::string& bytes) {
            const auto load = collection::DecodeHostLoad(bytes);
            ASSERT_TRUE(load.has_value());
            EXPECT_EQ(load->pages, 2'000);
            EXPECT_EQ(load->planned, 25);
            EXPECT_EQ(load->price, 0);
            EXPECT_FALSE(load->trust[0]);
            ASSERT_TRUE(load->trust[3]);
            EXPECT_EQ(load->trust[3]->hints(), 7);
            EXPECT_EQ(load->trust[3]->sums().changed, 5);
            EXPECT_EQ(load->trust[3]->sums().announced, 4.5);
            EXPECT_EQ(load->hinted_since, 495'000u);
          }),
      Record(
          "schedule-v1", [] { return collection::EncodeScheduleRecord(ScheduleCounts()); },
          [](const std::string& bytes) {
            const auto record = collection::DecodeScheduleRecord(bytes);
            ASSERT_TRUE(record.has_value());
            EXPECT_EQ(record->stats, ScheduleCounts().stats);
            EXPECT_EQ(record->memory.price, 2.25);
          }),
      Record(
          "host-state-v1", [] { return frontier::EncodeHostState(Host()); },
          [](const std::string& bytes) {
            const auto host = frontier::DecodeHostState(bytes);
            ASSERT_TRUE(host.has_value());
            EXPECT_EQ(*host, Host());
          }),
      Record(
          "host-counts-v1",
          [] {
            return frontier::EncodeCounts(
                {.changes = 90,
                 .journal_from = 70,
                 .counts = {.hosts = 5, .waiting = 4, .given_up = 1, .items = 300, .enqueued = 900}});
          },
          [](const std::string& bytes) {
            const auto record = frontier::DecodeCounts(bytes);
            ASSERT_TRUE(record.has_value());
            EXPECT_EQ(record->changes, 90u);
            EXPECT_EQ(record->journal_from, 70u);
            EXPECT_EQ(record->counts.hosts, 5u);
            EXPECT_EQ(record->counts.waiting, 4u);
            EXPECT_EQ(record->counts.given_up, 1u);
            EXPECT_EQ(record->counts.items, 300u);
            EXPECT_EQ(record->counts.enqueued, 900u);
          }),
      Record("host-journal-v1", Journal, CheckJournal),
      Record("queue-block-v2", QueueBlock, CheckQueueBlock),
      Record(
          "robots-record-v1", [] { return Robots().Encode(); }, CheckRobots),
      {.name = "feed-record-v1",
       .write = nullptr,
       .check = [](const std::string& path) { CheckFeedWithoutPush(GoldenText(path)); }},
      Record(
          "feed-record-v2", [] { return FeedOfNews().Encode(); }, CheckFeed),
      Record(
          "subscriptions-v1", [] { return feeds::EncodeSubscriptions(SubscriptionsOfNews()); },
          CheckSubscriptions),
      Record("site-template-v1", Template, CheckTemplate),
      Record("cookies-v1", Cookies, CheckCookies),
      Record(
          "epoch-v1", [] { return cluster::EncodeClaim(EpochClaim()); },
          [](const std::string& bytes) {
            const auto claim = cluster::DecodeClaim("epoch-v1", bytes);
            ASSERT_TRUE(claim.ok());
            EXPECT_EQ(*claim, EpochClaim());
          }),
      Record(
          "exchange-batch-v1", [] { return cluster::EncodeMessage(ExchangedBatch()); },
          [](const std::string& bytes) {
            const auto message = cluster::DecodeMessage(bytes);
            ASSERT_TRUE(message.ok());
            EXPECT_EQ(std::get<cluster::UrlBatch>(*message), ExchangedBatch());
          }),
      Record(
          "turn-request-v1", [] { return cluster::EncodeTurns(AskedTurns()); },
          [](const std::string& bytes) {
            const auto message = cluster::DecodeTurns(bytes);
            ASSERT_TRUE(message.ok());
            EXPECT_EQ(std::get<cluster::TurnRequest>(*message), AskedTurns());
          }),
      Record(
          "turn-reply-v1", [] { return cluster::EncodeTurns(GivenTurns()); },
          [](const std::string& bytes) {
            const auto message = cluster::DecodeTurns(bytes);
            ASSERT_TRUE(message.ok());
            EXPECT_EQ(std::get<cluster::TurnReply>(*message), GivenTurns());
          }),
      Record("row-keys-v1", RowKeys, CheckRowKeys),
  };
}

}  // namespace crivello
