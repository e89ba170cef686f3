// SPDX-License-Identifier: Apache-2.0
#include "care/forget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <thread>

#include "base/file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "base/test_waiting.h"
#include "care/backup.h"
#include "collection/archived_page.h"
#include "store/archive_reader.h"
#include "store/capture.h"
#include "store/warc_reader.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

constexpr store::VersionTime kForgetTime = 1'700'000'000'000'000;

std::string KeyOf(std::string_view url) { return web::RowKey(web::CanonicalUrl(url).value()).value(); }

// Does what the test prescribes when asked to rebuild.
class FakeIndex final : public IndexKeeper {
 public:
  explicit FakeIndex(std::function<Status()> rebuild) : rebuild_(std::move(rebuild)) {}
  Status Rebuild(collection::Collection& /*store*/, Progress& /*progress*/) override { return rebuild_(); }

 private:
  const std::function<Status()> rebuild_;
};

collection::ForgetTarget Target(std::string_view text) {
  return collection::ForgetTarget::Parse(text).value();
}

TEST(ForgetTargetTest, IsAUrlAHostADomainOrAPrefix) {
  using Kind = collection::ForgetTarget::Kind;
  EXPECT_EQ(Target("HTTPS://Example.org:443/a#b"),
            (collection::ForgetTarget{Kind::kUrl, "https://example.org/a"}));
  EXPECT_EQ(Target("Example.org"), (collection::ForgetTarget{Kind::kHost, "example.org"}));
  EXPECT_EQ(Target("*.example.org"), (collection::ForgetTarget{Kind::kDomain, "example.org"}));
  EXPECT_EQ(Target("https://example.org/a*"),
            (collection::ForgetTarget{Kind::kPrefix, "https://example.org/a"}));
  for (const char* wrong : {"", "*", "*.", "example.org/a", "a b", "mailto:x@example.org",
                            "ftp://example.org/", "https://example.org*", "https://example.org/#*"}) {
    EXPECT_FALSE(collection::ForgetTarget::Parse(wrong).ok()) << wrong;
  }
  for (const char* text : {"https://example.org/a", "example.org", "*.example.org", "https://example.org/a*",
                           "https://example.org/a?*", "https://example.org/*"}) {
    EXPECT_EQ(Target(text).ToString(), text);
  }
}

TEST(ForgottenSetTest, FindsWhatItsEntriesMean) {
  const collection::ForgottenSet set({{.target = Target("https://a.example/x")},
                                      {.target = Target("b.example")},
                                      {.target = Target("*.c.example")},
                                      {.target = Target("https://d.example/p*")}});
  for (const char* in :
       {"https://a.example/x", "https://b.example/", "http://b.example:8080/y", "https://c.example/",
        "https://www.c.example/", "https://d.example/p", "https://d.example/page?q"}) {
    EXPECT_NE(set.Find(KeyOf(in)), nullptr) << in;
  }
  for (const char* out :
       {"https://a.example/", "https://a.example/x/", "https://a.example/x?", "http://a.example/x",
        "https://www.b.example/", "https://cc.example/", "https://d.example/", "http://d.example/p"}) {
    if (std::string_view(out).ends_with("x?")) continue;  // canonically the page itself
    EXPECT_EQ(set.Find(KeyOf(out)), nullptr) << out;
  }
  EXPECT_TRUE(set.ContainsHost("b.example"));
  EXPECT_TRUE(set.ContainsHost("x.c.example"));
  EXPECT_FALSE(set.ContainsHost("a.example"));
  EXPECT_FALSE(set.ContainsHost("d.example"));
}

TEST(ForgottenSetTest, IsReadBackAndDamageIsTold) {
  const std::vector<collection::ForgottenEntry> entries = {
      {.target = Target("*.c.example"), .reason = "letter", .begun = 5, .done = 9, .rows = 3, .records = 7},
      {.target = Target("https://d.example/p*"), .reason = "", .begun = -1}};
  const std::string bytes = collection::ForgottenSet(entries).Encode();
  EXPECT_EQ(collection::ForgottenSet::Decode(bytes + std::string(5, '\0'))->entries(), entries);
  EXPECT_TRUE(collection::ForgottenSet(entries).unfinished());
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_FALSE(collection::ForgottenSet::Decode(std::string_view(bytes).substr(0, cut)).ok()) << cut;
  }
}

class ForgetStoreTest : public testing::Test {
 protected:
  void SetUp() override { Open(); }
  void Open() {
    store_ = nullptr;
    collection::CollectionOptions options;
    options.directory = folder_ / "collection";
    store_ = collection::Collection::Open(options).value();
  }

  // As in a crawl: the second page with the same body is a revisit.
  void Archive(std::string_view url, std::string_view body, store::VersionTime time) {
    collection::Tablet& tablet = *store_->tablet(0);
    const Sha1 payload = Sha1Of(body);
    const auto origin = tablet.table().FindPayload(payload).value();
    const store::RevisitOf revisit = {.url = "https://a.example/", .date = time / 1'000'000};
    store::EncodedCapture encoded;
    ASSERT_EQ(encoder_.Encode({.url = url,
                               .date = time / 1'000'000,
                               .ip = "192.0.2.1",
                               .request_head = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n",
                               .response_head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n",
                               .body = body,
                               .truncated = "",
                               .metadata = {{"hopsFromSeed", "0"}}},
                              payload, origin ? &revisit : nullptr, &encoded),
              Status::Ok());
    store::FetchCell fetch;
    fetch.status = 200;
    fetch.payload = payload;
    fetch.record = tablet.archive()->Append(encoded).value();
    fetch.revisit = origin.has_value();
    kv::Batch batch;
    ASSERT_EQ(tablet.table().Put(KeyOf(url), {.time = time, .fetch = &fetch, .text = "text"}, &batch),
              Status::Ok());
    if (!origin) tablet.table().PutPayload(payload, KeyOf(url), time, &batch);
    ASSERT_EQ(tablet.db().Write(batch, {}), Status::Ok());
  }
  Result<std::string> Body(std::string_view url) {
    const auto rows = store_->tablet(0)->table().Get(KeyOf(url)).value();
    if (rows.empty()) return Status::NotFound("no row");
    const store::ArchiveReader reader(store_->tablet(0)->archive_directory());
    CRV_ASSIGN(const collection::ArchivedPage page,
               collection::ReadArchivedPage(*store_->tablet(0), reader, rows.front().fetch));
    return std::string(page.body);
  }
  ForgetSummary Run(std::string_view target) {
    const std::vector<collection::ForgetTarget> targets = {Target(target)};
    return Forget(*store_, targets, "asked", {}, progress_).value();
  }

  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  store::CaptureEncoder encoder_;
  SilentProgress progress_;
};

TEST_F(ForgetStoreTest, LeavesOtherPagesTheBodyThatTheyShare) {
  const std::string body = "<p>the same on three pages";
  Archive("https://a.example/", body, kForgetTime);
  Archive("https://b.example/", body, kForgetTime + 1);
  Archive("https://c.example/", body, kForgetTime + 2);
  const ForgetSummary summary = Run("a.example");
  EXPECT_EQ(summary.rows, 1u);
  EXPECT_EQ(summary.records, 3u);  // response, request, metadata
  EXPECT_EQ(summary.copies, 1u);
  EXPECT_FALSE(Body("https://a.example/").ok());
  EXPECT_EQ(*Body("https://b.example/"), body);
  EXPECT_EQ(*Body("https://c.example/"), body);
}

// It has no row, so only the archive's indexes know it.
TEST_F(ForgetStoreTest, ErasesTheRobotsTxtOfAHostFromTheArchive) {
  Archive("https://a.example/", "<p>a page", kForgetTime);
  collection::Tablet& tablet = *store_->tablet(0);
  for (const char* url : {"https://a.example/robots.txt", "https://b.example/robots.txt"}) {
    store::EncodedCapture encoded;
    ASSERT_EQ(encoder_.Encode({.url = url,
                               .date = kForgetTime / 1'000'000,
                               .ip = "192.0.2.1",
                               .request_head = "GET /robots.txt HTTP/1.1\r\n\r\n",
                               .response_head = "HTTP/1.1 200 OK\r\n\r\n",
                               .body = url,
                               .truncated = {},
                               .purpose = store::kRobotsPurpose,
                               .metadata = {{"fetchTimeMs", "1"}}},
                              Sha1Of(url), nullptr, &encoded),
              Status::Ok());
    ASSERT_TRUE(tablet.archive()->Append(encoded).ok());
  }
  const ForgetSummary summary = Run("a.example");
  EXPECT_EQ(summary.rows, 1u);
  EXPECT_EQ(summary.records, 6u);
  std::vector<std::string> left;
  for (const store::ArchiveFile& file : store::ListArchive(tablet.archive_directory()).value()) {
    const std::string bytes = ReadFile(tablet.archive_directory() + "/" + file.name).value();
    store::WarcReader reader(bytes);
    while (const auto record = reader.Next()) {
      EXPECT_EQ(record->block.find("a.example"), std::string_view::npos);
      if (record->type == store::WarcType::kResponse) left.push_back(record->target_uri);
    }
  }
  EXPECT_THAT(left, testing::ElementsAre("https://b.example/robots.txt"));
}

TEST_F(ForgetStoreTest, PreviewCountsEachPageOnce) {
  Archive("https://a.example/", "1", kForgetTime);
  Archive("https://a.example/", "2", kForgetTime + 1);
  Archive("https://a.example/x", "3", kForgetTime);
  Archive("https://b.example/", "4", kForgetTime);
  const std::vector<collection::ForgetTarget> targets = {Target("https://a.example/x"),
                                                         Target("*.a.example")};
  const auto preview = PreviewForget(*store_, targets);
  ASSERT_TRUE(preview.ok());
  EXPECT_EQ(preview->rows, 2u);
  EXPECT_EQ(preview->versions, 3u);
  EXPECT_THAT(preview->examples, testing::UnorderedElementsAre("https://a.example/x", "https://a.example/"));
}

TEST_F(ForgetStoreTest, TakesFeedsAndTheirSubscriptions) {
  SeededRandom random(7);
  collection::Tablet& tablet = *store_->tablet(0);
  for (const char* url : {"https://a.example/feed", "https://b.example/feed"}) {
    kv::Batch batch;
    tablet.feeds().Put(KeyOf(url), {.push = true}, &batch);
    ASSERT_EQ(tablet.feeds().Write(batch), Status::Ok());
    ASSERT_EQ(tablet.subscriptions().Put(KeyOf(url), {feeds::Subscription::New(random)}), Status::Ok());
  }
  Run("https://a.example/feed");
  EXPECT_FALSE(tablet.feeds().Get(KeyOf("https://a.example/feed")).value());
  EXPECT_TRUE(tablet.feeds().Get(KeyOf("https://b.example/feed")).value());
  EXPECT_TRUE(tablet.subscriptions().Get(KeyOf("https://a.example/feed"))->empty());
  EXPECT_EQ(tablet.subscriptions().Get(KeyOf("https://b.example/feed"))->size(), 1u);
}

TEST_F(ForgetStoreTest, IsEndedByTheNextThatOpensIt) {
  Archive("https://a.example/", "1", kForgetTime);
  const std::vector<collection::ForgetTarget> targets = {Target("a.example")};
  FakeIndex index([] { return Status::IoError("no room"); });
  const ForgetOptions failing = {.index = &index};
  EXPECT_FALSE(Forget(*store_, targets, "asked", failing, progress_).ok());
  EXPECT_TRUE(store_->forgotten().current()->unfinished());
  Open();
  EXPECT_TRUE(store_->forgotten().current()->unfinished());
  EXPECT_TRUE(FinishForgetting(*store_, {}, progress_)->has_value());
  EXPECT_FALSE(store_->forgotten().current()->unfinished());
  EXPECT_FALSE(FinishForgetting(*store_, {}, progress_)->has_value());
}

// A store that a later version adds: it records its calls, and fails as often as the test prescribes.
class NotingForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "notes"; }
  Status Forget(const ForgetTargets& targets, Progress& /*progress*/) override {
    keys.push_back(targets.keys);
    for (const std::string& key : targets.keys) {
      rows_were_there = rows_were_there && targets.tablet.table().Newest(key).value().has_value();
    }
    return failures-- > 0 ? Status::IoError("no room") : Status::Ok();
  }
  Status Finish(collection::Collection& store, Progress& /*progress*/) override {
    rows_are_gone = !store.tablet(0)->table().Scan(Target("a.example").Range()).valid();
    return Status::Ok();
  }

  int failures = 0;
  std::vector<std::set<std::string>> keys;
  bool rows_were_there = true;
  bool rows_are_gone = false;
};

TEST_F(ForgetStoreTest, AStoreThatRegistersIsToldWhatGoesAndToldAgainAfterAFailure) {
  Archive("https://a.example/", "1", kForgetTime);
  Archive("https://a.example/x", "2", kForgetTime);
  Archive("https://b.example/", "3", kForgetTime);
  const std::vector<collection::ForgetTarget> targets = {Target("a.example")};
  NotingForgetter notes;
  notes.failures = 1;
  const ForgetOptions options = {.more = {&notes}};
  const Status failed = Forget(*store_, targets, "asked", options, progress_).status();
  EXPECT_EQ(failed, Status::IoError("cannot forget from the notes: no room"));
  EXPECT_FALSE(notes.rows_are_gone);

  const auto finished = FinishForgetting(*store_, options, progress_);
  ASSERT_TRUE(finished.ok()) << finished.status().ToString();
  EXPECT_EQ((*finished)->rows, 2u) << "rows go last, so the second attempt finds them all";
  const std::set<std::string> both = {KeyOf("https://a.example/"), KeyOf("https://a.example/x")};
  EXPECT_THAT(notes.keys, testing::ElementsAre(both, both));
  EXPECT_TRUE(notes.rows_were_there);
  EXPECT_TRUE(notes.rows_are_gone);
}

TEST_F(ForgetStoreTest, AndABackupAreNotMadeAtOnce) {
  Archive("https://a.example/", "1", kForgetTime);
  const std::vector<collection::ForgetTarget> targets = {Target("a.example")};
  const auto backup = [this] { return Backup(*store_, folder_ / "backups", {}, progress_).status().code(); };
  StatusCode meanwhile = StatusCode::kOk;
  FakeIndex index([&] {
    meanwhile = backup();
    return Status::Ok();
  });
  const ForgetOptions options = {.index = &index};
  EXPECT_TRUE(Forget(*store_, targets, "asked", options, progress_).ok());
  EXPECT_EQ(meanwhile, StatusCode::kUnavailable);
  EXPECT_EQ(backup(), StatusCode::kOk);
}

TEST_F(ForgetStoreTest, WaitsForThoseWhoWereLetThrough) {
  Archive("https://a.example/", "1", kForgetTime);
  auto held = store_->forgotten().current();
  std::atomic<bool> released = false;
  std::atomic<bool> too_early = false;  // it continued although the old list was held
  std::atomic<bool> done = false;
  std::thread forgetting([&] {
    FakeIndex index([&] {
      too_early = !released;
      return Status::Ok();
    });
    const ForgetOptions options = {.index = &index};
    const std::vector<collection::ForgetTarget> targets = {Target("a.example")};
    EXPECT_TRUE(Forget(*store_, targets, "asked", options, progress_).ok());
    done = true;
  });
  // Once the list names the host, it only waits for holders of the previous list.
  EXPECT_TRUE(
      WaitFor([&] { return store_->forgotten().current()->Find(KeyOf("https://a.example/")) != nullptr; }));
  // The rest takes a few milliseconds: if it did not wait, it would be done by then.
  EXPECT_FALSE(WaitFor([&] { return done || too_early; }, std::chrono::milliseconds(100)));
  EXPECT_TRUE(Body("https://a.example/").ok());
  released = true;
  held = nullptr;
  forgetting.join();
  EXPECT_TRUE(done);
  EXPECT_FALSE(too_early);
}

}  // namespace
}  // namespace crivello::care
