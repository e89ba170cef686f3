// SPDX-License-Identifier: Apache-2.0
#include "store/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "base/random.h"
#include "base/test_support.h"
#include "store/archive.h"
#include "store/archive_reader.h"
#include "store/archive_test_support.h"
#include "store/ledger.h"

namespace crivello::store {
namespace {

using testing::ElementsAre;

// A database whose first family belongs to something else, as in a tablet.
struct Tablet {
  explicit Tablet(const std::string& path) {
    kv::DatabaseOptions options = {.families = {{.name = "hosts"}}, .memory_bytes = 16 << 20};
    const TableFamilies table_families = TableFamilies::AddTo(&options.families);
    const kv::Family ledger_family = Ledger::AddTo(&options.families);
    auto opened = kv::Database::Open(path, options);
    EXPECT_TRUE(opened.ok()) << opened.status().ToString();
    if (!opened.ok()) return;
    database = std::move(opened).value();
    table.emplace(*database, table_families);
    ledger.emplace(*database, ledger_family);
  }
  void Put(const std::string& key, VersionTime time, uint16_t status, const std::string& text = "",
           const std::vector<std::string>& links = {}) {
    FetchCell fetch;
    fetch.status = status;
    std::string text_bytes;
    if (!text.empty()) {
      EncodeTextCell({.title = text, .blocks = {{.text = text}}}, &text_bytes);
    }
    LinkCellBuilder builder;
    for (const std::string& link : links) builder.Add(link, "", 0, false);
    kv::Batch batch;
    EXPECT_TRUE(table
                    ->Put(key,
                          {.time = time,
                           .fetch = &fetch,
                           .text = text_bytes,
                           .links = links.empty() ? std::string_view() : builder.bytes()},
                          &batch)
                    .ok());
    EXPECT_TRUE(database->Write(batch, {}).ok());
  }

  std::unique_ptr<kv::Database> database;
  std::optional<Table> table;
  std::optional<Ledger> ledger;
};

TEST(TableTest, GivesVersionsNewestFirst) {
  const TemporaryFolder folder;
  Tablet tablet(folder / "db");
  const std::string key = "org,example)https:443/a";
  tablet.Put(key, 100, 200, "first", {"https://example.org/x"});
  tablet.Put(key, 200, 404);
  tablet.Put(key, 300, 301, "third");
  tablet.Put(key + "b", 400, 200);  // a neighbour

  auto rows = tablet.table->Get(key, {.versions = 10, .text = true, .links = true});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_EQ(rows->size(), 3u);
  EXPECT_EQ((*rows)[0].time, 300);
  EXPECT_EQ((**(*rows)[0].text).MainText(), "third");
  EXPECT_FALSE((*rows)[0].links.has_value());
  EXPECT_EQ((*rows)[1].fetch.status, 404);
  EXPECT_FALSE((*rows)[1].text.has_value());
  EXPECT_EQ((**(*rows)[2].text).title, "first");
  EXPECT_EQ((*rows)[2].links->at(0).url, "https://example.org/x");

  EXPECT_EQ(tablet.table->Get(key)->size(), 1u);
  EXPECT_EQ(tablet.table->Get(key, {.at = 299})->at(0).time, 200);
  EXPECT_EQ(tablet.table->Get(key, {.at = 200})->at(0).time, 200);
  EXPECT_TRUE(tablet.table->Get(key, {.at = 99})->empty());
  EXPECT_TRUE(tablet.table->Get("org,example)https:443/")->empty());
  EXPECT_EQ(*tablet.table->Newest(key), std::optional<VersionTime>(300));
  EXPECT_EQ(*tablet.table->Newest("org,example)https:443/"), std::nullopt);
}

TEST(TableTest, ScansAsAMapDoes) {
  const TemporaryFolder folder;
  Tablet tablet(folder / "db");
  SeededRandom random(11);
  std::map<std::string, std::vector<VersionTime>> expected;  // newest first
  for (VersionTime time = 1; time <= 400; time++) {
    const std::string key = "org,h" + std::to_string(random.Below(5)) + ")https:443/" +
                            std::string(random.Below(3), 'a') + std::to_string(random.Below(20));
    tablet.Put(key, time, 200);
    auto& times = expected[key];
    times.insert(times.begin(), time);
  }
  const auto check = [&](const web::RowKeyRange& range) {
    std::vector<std::pair<std::string, VersionTime>> all, newest, want_all, want_newest;
    RowCursor cursor = tablet.table->Scan(range);
    for (; cursor.valid(); cursor.NextVersion()) all.emplace_back(cursor.key(), cursor.time());
    EXPECT_TRUE(cursor.status().ok());
    RowCursor rows = tablet.table->Scan(range);
    for (; rows.valid(); rows.NextRow()) newest.emplace_back(rows.key(), rows.time());
    for (const auto& [key, times] : expected) {
      if (!range.Contains(key)) continue;
      want_newest.emplace_back(key, times[0]);
      for (const VersionTime time : times) want_all.emplace_back(key, time);
    }
    EXPECT_EQ(all, want_all);
    EXPECT_EQ(newest, want_newest);
  };
  check({});
  for (int host = 0; host < 6; host++) check(web::RowKeysOfHost("h" + std::to_string(host) + ".org"));
  check(web::RowKeysOfDomain("org"));
  check(web::RowKeysWithPrefix("org,h2)https:443/a"));
  for (const auto& [key, times] : expected) check({.begin = key, .end = key + "\x01"});
}

TEST(TableTest, ForgetsARowWithAllItsVersions) {
  const TemporaryFolder folder;
  Tablet tablet(folder / "db");
  for (VersionTime time : {1, 2, 3}) {
    for (const char* key : {"org,a)https:443/", "org,a)https:443/x", "org,b)https:443/"}) {
      tablet.Put(key, time, 200, "text");
    }
  }
  kv::Batch batch;
  tablet.table->Delete("org,a)https:443/", &batch);
  ASSERT_TRUE(tablet.database->Write(batch, {}).ok());
  EXPECT_TRUE(tablet.table->Get("org,a)https:443/", {.versions = 9})->empty());
  EXPECT_EQ(*tablet.table->Newest("org,a)https:443/"), std::nullopt);
  EXPECT_FALSE(tablet.table->Text("org,a)https:443/", 2)->has_value());
  EXPECT_EQ(tablet.table->Get("org,a)https:443/x", {.versions = 9})->size(), 3u);
  EXPECT_EQ(tablet.table->Get("org,b)https:443/", {.versions = 9})->size(), 3u);
}

TEST(TableTest, KnowsWhereAPayloadIs) {
  const TemporaryFolder folder;
  Tablet tablet(folder / "db");
  kv::Batch batch;
  tablet.table->PutPayload(Sha1Of("body"), "org,a)https:443/", 77, &batch);
  ASSERT_TRUE(tablet.database->Write(batch, {}).ok());
  const PayloadOrigin expected = {.key = "org,a)https:443/", .time = 77};
  EXPECT_EQ(**tablet.table->FindPayload(Sha1Of("body")), expected);
  EXPECT_EQ(*tablet.table->FindPayload(Sha1Of("other")), std::nullopt);
}

TEST(TableTest, SaysWhatIsDamaged) {
  const TemporaryFolder folder;
  Tablet tablet(folder / "db");
  kv::Batch batch;
  batch.Put(2, "org,a)https:443/", "x");  // a fetch cell whose key has no version
  ASSERT_TRUE(tablet.database->Write(batch, {}).ok());
  RowCursor cursor = tablet.table->Scan();
  EXPECT_EQ(cursor.status().code(), StatusCode::kCorruption);
  FetchCell fetch;
  EXPECT_EQ(tablet.table->Put(std::string("a\0b", 3), {.fetch = &fetch}, &batch).code(),
            StatusCode::kInvalidArgument);
}

TEST(LedgerTest, TellsTheStoryOfAUrlInOrder) {
  const TemporaryFolder folder;
  Tablet tablet(folder / "db");
  const std::string key = "org,example)https:443/a";
  const std::vector<Event> events = {
      {.time = -5, .kind = EventKind::kSeed},
      {.time = 10, .kind = EventKind::kFound, .number = 1, .url = "https://example.org/"},
      {.time = 10,
       .kind = EventKind::kFailed,
       .number = 1,
       .until = 1'577'934'245'000'000,
       .text = "timeout"},
      {.time = 20, .kind = EventKind::kRefusedByRobots, .number = 12, .text = "Disallow: /a"}};
  kv::Batch batch;
  for (const size_t i : {2u, 0u, 3u, 1u}) ASSERT_TRUE(tablet.ledger->Put(key, events[i], &batch).ok());
  ASSERT_TRUE(tablet.ledger->Put(key + "b", events[0], &batch).ok());
  ASSERT_TRUE(tablet.database->Write(batch, {}).ok());
  auto back = tablet.ledger->Get(key);
  ASSERT_TRUE(back.ok()) << back.status().ToString();
  EXPECT_EQ(*back, events);
  std::vector<std::string> story;
  for (const Event& event : *back) story.push_back(Explain(event));
  EXPECT_THAT(story, ElementsAre("given as a seed", "found on https://example.org/, 1 link from a seed",
                                 "attempt 1 failed: timeout; next attempt not before 2020-01-02T03:04:05Z",
                                 "refused by line 12 of robots.txt: Disallow: /a"));
  batch.Clear();
  tablet.ledger->Delete(key, &batch);
  ASSERT_TRUE(tablet.database->Write(batch, {}).ok());
  EXPECT_TRUE(tablet.ledger->Get(key)->empty());
  EXPECT_EQ(tablet.ledger->Get(key + "b")->size(), 1u);
}

TEST(LedgerTest, HasANameAndASentenceForEachKind) {
  std::vector<std::string> sentences;
  for (uint8_t number = 1; number <= kMaxEventKind; number++) {
    const Event event = {.kind = static_cast<EventKind>(number), .number = 3, .url = "U", .text = "T"};
    EXPECT_FALSE(EventKindName(event.kind).empty());
    sentences.push_back(Explain(event));
    EXPECT_EQ(*DecodeEvent(event.time, EncodeEvent(event)), event);
  }
  std::sort(sentences.begin(), sentences.end());
  EXPECT_EQ(std::unique(sentences.begin(), sentences.end()), sentences.end());
  EXPECT_EQ(DecodeEvent(0, {"\x01\x15\x00", 3}).status().code(), StatusCode::kCorruption);
  Row row;
  row.fetch.status = 302;
  row.fetch.location = "https://example.org/b";
  EXPECT_EQ(Explain(EventOfRow(row)), "fetched, the server answered 302 and points to https://example.org/b");
}

// The order of a commit: records are synced, then the row is written. So a row always has its record.
TEST(CommitTest, LeavesNoRowWithoutItsRecordAfterKill9) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const TemporaryFolder folder;
  for (uint64_t round = 0; round < 4; round++) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      Tablet tablet(folder / "db");
      auto archive = Archive::Open({.directory = folder / "archive", .rotate_bytes = 100'000, .seed = round});
      CaptureEncoder encoder({}, round);
      for (uint64_t n = round * 100'000;; n++) {
        FetchCell fetch;
        fetch.status = 200;
        const auto locator = (*archive)->Append(CaptureNumber(n, &encoder));
        if (!locator.ok() || !(*archive)->Sync().ok()) ::_exit(1);
        fetch.record = *locator;
        kv::Batch batch;
        const std::string key = *web::RowKey(*web::ParseUrl(UrlNumber(n)));
        const auto time = static_cast<VersionTime>(n);
        if (!tablet.table->Put(key, {.time = time, .fetch = &fetch}, &batch).ok()) ::_exit(2);
        if (!tablet.database->Write(batch, {.sync = true}).ok() || ::write(ends[1], "", 1) != 1) ::_exit(3);
      }
    }
    ::close(ends[1]);
    char first = 0;
    EXPECT_EQ(::read(ends[0], &first, 1), 1);
    ::usleep(static_cast<useconds_t>(random.Below(40'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);
    ::close(ends[0]);
  }
  const auto archive = Archive::Open({.directory = folder / "archive", .seed = 1});
  ASSERT_TRUE(archive.ok()) << archive.status().ToString();
  Tablet tablet(folder / "db");
  const ArchiveReader reader(folder / "archive");
  uint64_t rows = 0;
  RowCursor cursor = tablet.table->Scan();
  for (; cursor.valid(); cursor.NextRow(), rows++) {
    const auto fetch = cursor.fetch();
    ASSERT_TRUE(fetch.ok());
    const auto record = reader.Read(fetch->record);
    ASSERT_TRUE(record.ok()) << record.status().ToString();
    EXPECT_EQ(*web::RowKey(*web::ParseUrl((*record)->target_uri)), cursor.key());
  }
  EXPECT_TRUE(cursor.status().ok());
  EXPECT_GE(rows, 4u);
}

}  // namespace
}  // namespace crivello::store
