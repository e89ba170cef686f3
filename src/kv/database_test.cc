// SPDX-License-Identifier: Apache-2.0
#include "kv/database.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <thread>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"

namespace crivello::kv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Optional;

constexpr Family kRows = 0, kCounts = 1, kTexts = 2;

DatabaseOptions Options() {
  DatabaseOptions options;
  options.families = {
      {.name = "rows"}, {.name = "counts", .counters = true}, {.name = "texts", .blobs = true}};
  options.memory_bytes = 8 << 20;
  return options;
}

std::unique_ptr<Database> MustOpen(const std::string& path, const DatabaseOptions& options = Options()) {
  auto db = Database::Open(path, options);
  EXPECT_TRUE(db.ok()) << db.status().ToString();
  return db.ok() ? std::move(db).value() : nullptr;
}

std::optional<std::string> MustGet(const Database& db, Family family, std::string_view key) {
  auto value = db.Get(family, key);
  EXPECT_TRUE(value.ok()) << value.status().ToString();
  return value.ok() ? *value : std::nullopt;
}

Status Put(Database& db, std::string_view key, std::string_view value, bool sync = false) {
  Batch batch;
  batch.Put(kRows, key, value);
  return db.Write(batch, {.sync = sync});
}

std::map<std::string, std::string> All(const Database& db, Family family) {
  std::map<std::string, std::string> all;
  Cursor cursor = db.Scan(family);
  for (; cursor.valid(); cursor.Next()) all.emplace(cursor.key(), cursor.value());
  EXPECT_TRUE(cursor.status().ok()) << cursor.status().ToString();
  return all;
}

uint64_t Number(const std::optional<std::string>& value) {
  uint64_t number = 0;
  EXPECT_TRUE(value.has_value() && value->size() == sizeof number);
  if (value) std::memcpy(&number, value->data(), sizeof number);
  return number;
}

// Whether any file of a folder contains these bytes.
bool AnyFileHolds(const std::string& folder, std::string_view bytes) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto text = entry.is_regular_file() ? ReadFile(entry.path()) : Result<std::string>(std::string());
    if (text.ok() && text->find(bytes) != std::string::npos) return true;
  }
  return false;
}

TEST(BatchTest, KeepsItsMemoryWhenItIsCleared) {
  const TemporaryFolder folder;
  const auto db = MustOpen(folder / "db");
  Batch batch;
  batch.Reserve(1000);
  EXPECT_GE(batch.capacity_bytes(), 1000u);
  for (int i = 0; i < 1000; i++) batch.Put(kRows, fmt::format("a{}", i), std::string(100, 'x'));
  const uint64_t capacity = batch.capacity_bytes();
  EXPECT_GT(capacity, 100'000u);
  ASSERT_TRUE(db->Write(batch, {}).ok());
  batch.Clear();
  EXPECT_TRUE(batch.empty());
  EXPECT_EQ(batch.capacity_bytes(), capacity);
  batch.Reserve(1000);
  EXPECT_EQ(batch.capacity_bytes(), capacity) << "it has more";
  batch.Put(kRows, "b", "second");
  ASSERT_TRUE(db->Write(batch, {}).ok());
  EXPECT_EQ(All(*db, kRows).size(), 1001u);
  batch.Clear();
  batch.Reserve(2 * capacity);
  EXPECT_GE(batch.capacity_bytes(), 2 * capacity);
}

TEST(DatabaseTest, HoldsNothingOfWhatWasDeletedAfterAPurge) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  const std::string secret = "xqjzkwvbnp";
  Batch batch;
  SeededRandom random(3);
  for (int i = 0; i < 100; i++) {
    std::string noise;
    while (noise.size() < 3000) noise += std::to_string(random.Next());
    batch.Put(kRows, fmt::format("key {}", i), noise);
    batch.Put(kTexts, fmt::format("key {}", i), i == 50 ? noise + secret + noise : noise);
  }
  batch.Put(kRows, "key 50", secret);
  ASSERT_TRUE(db->Write(batch, {}).ok());
  EXPECT_TRUE(AnyFileHolds(folder / "db", secret));
  Batch removal;
  removal.DeleteRange(kRows, "key 50", "key 51");
  removal.Delete(kTexts, "key 50");
  ASSERT_TRUE(db->Write(removal, {.sync = true}).ok());
  const std::array families = {kRows, kTexts};
  ASSERT_TRUE(db->Purge(families).ok());
  EXPECT_FALSE(AnyFileHolds(folder / "db", secret));
  EXPECT_EQ(All(*db, kTexts).size(), 99u);
  EXPECT_EQ(All(*db, kRows).size(), 99u);
}

TEST(DatabaseTest, IsNotMadeAnewOverTablesWithoutCurrent) {
  const TemporaryFolder folder;
  {
    auto db = MustOpen(folder / "db");
    ASSERT_TRUE(Put(*db, "a", "1").ok());
    const std::array families = {kRows};
    ASSERT_TRUE(db->Purge(families).ok());
  }
  std::filesystem::remove(folder / "db/CURRENT");
  EXPECT_EQ(Database::Open(folder / "db", Options()).status().code(), StatusCode::kCorruption);
}

TEST(DatabaseTest, ACheckpointIsWhatItWasThen) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  ASSERT_TRUE(Put(*db, "a", "1").ok());
  ASSERT_TRUE(db->Checkpoint(folder / "copy").ok());
  ASSERT_TRUE(Put(*db, "a", "2").ok());
  EXPECT_FALSE(db->Checkpoint(folder / "copy").ok());
  EXPECT_THAT(MustGet(*MustOpen(folder / "copy"), kRows, "a"), Optional(std::string("1")));
  EXPECT_THAT(MustGet(*db, kRows, "a"), Optional(std::string("2")));
}

TEST(DatabaseTest, KeepsFamiliesApartAndABatchTogether) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "a/b/db");
  Batch batch;
  EXPECT_TRUE(batch.empty());
  batch.Put(kRows, "k", "row");
  batch.Put(kTexts, "k", std::string(5000, 't'));
  batch.Add(kCounts, "k", 40);
  batch.Add(kCounts, "k", 2);
  EXPECT_FALSE(batch.empty());
  EXPECT_GT(batch.size_bytes(), 5000u);
  ASSERT_TRUE(db->Write(batch, {.sync = true}).ok());
  EXPECT_THAT(MustGet(*db, kRows, "k"), Optional(std::string("row")));
  EXPECT_THAT(MustGet(*db, kTexts, "k"), Optional(std::string(5000, 't')));
  EXPECT_EQ(Number(MustGet(*db, kCounts, "k")), 42u);
  EXPECT_EQ(MustGet(*db, kRows, "l"), std::nullopt);

  const std::vector<std::string_view> keys = {"x", "k", ""};
  const auto values = db->Get(kRows, keys);
  ASSERT_TRUE(values.ok());
  EXPECT_THAT(*values, ElementsAre(std::nullopt, Optional(std::string("row")), std::nullopt));

  batch.Clear();
  EXPECT_TRUE(batch.empty());
  batch.Delete(kRows, "k");
  batch.Add(kCounts, "k", uint64_t{0} - 2);  // subtraction is addition modulo 2^64
  ASSERT_TRUE(db->Write(batch, {}).ok());
  db.reset();
  db = MustOpen(folder / "a/b/db");
  EXPECT_EQ(MustGet(*db, kRows, "k"), std::nullopt);
  EXPECT_THAT(MustGet(*db, kTexts, "k"), Optional(std::string(5000, 't')));
  EXPECT_EQ(Number(MustGet(*db, kCounts, "k")), 40u);
}

TEST(DatabaseTest, WalksARangeOnTheStateOfItsBeginning) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  for (const std::string_view key : {"a", "b", "c", "d", "\xff"}) ASSERT_TRUE(Put(*db, key, key).ok());
  Cursor cursor = db->Scan(kRows, "b", "d");
  Batch batch;
  batch.DeleteRange(kRows, "a", "d");
  ASSERT_TRUE(db->Write(batch, {}).ok());
  ASSERT_TRUE(cursor.valid());
  EXPECT_EQ(cursor.key(), "b");
  cursor.Next();
  EXPECT_EQ(cursor.value(), "c");
  cursor.Next();
  EXPECT_FALSE(cursor.valid());
  cursor.SeekTo("bb");
  ASSERT_TRUE(cursor.valid());
  EXPECT_EQ(cursor.key(), "c");
  EXPECT_TRUE(cursor.status().ok());
  EXPECT_THAT(All(*db, kRows), ElementsAre(std::pair("d", "d"), std::pair("\xff", "\xff")));
}

TEST(DatabaseTest, AgreesWithAMapThroughReopenings) {
  const TemporaryFolder folder;
  const uint64_t seed = 20261115;
  SCOPED_TRACE(fmt::format("seed {}", seed));
  SeededRandom random(seed);
  std::map<std::string, std::string> expected;
  auto db = MustOpen(folder / "db");
  for (int round = 0; round < 200; round++) {
    Batch batch;
    for (int i = 0; i < 50; i++) {
      const std::string key = fmt::format("{}", random.Below(500));
      if (random.Below(4) == 0) {
        batch.Delete(kRows, key);
        expected.erase(key);
      } else {
        const std::string value(random.Below(300), static_cast<char>('a' + random.Below(26)));
        batch.Put(kRows, key, value);
        expected[key] = value;
      }
    }
    ASSERT_TRUE(db->Write(batch, {.sync = random.Below(4) == 0}).ok());
    if (round % 50 == 49) {
      db.reset();
      db = MustOpen(folder / "db");
    }
  }
  EXPECT_EQ(All(*db, kRows), expected);
}

TEST(DatabaseTest, AppendsToAValueWhereverItsPartsAre) {
  const TemporaryFolder folder;
  DatabaseOptions options = Options();
  options.families.push_back({.name = "queues", .appends = true});
  const Family queues = static_cast<Family>(options.families.size() - 1);
  const uint64_t seed = 6;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  std::map<std::string, std::string> expected;
  for (int round = 0; round < 4; round++) {
    auto db = MustOpen(folder / "db", options);  // what was written before is in a file by now
    for (int i = 0; i < 300; i++) {
      Batch batch;
      const std::string key(1, static_cast<char>('a' + random.Below(8)));
      const std::string part(1 + random.Below(20), static_cast<char>('0' + random.Below(10)));
      const uint64_t what = random.Below(20);
      if (what == 0) {
        batch.Delete(queues, key);
        expected.erase(key);
      } else if (what == 1) {
        batch.Put(queues, key, part);
        expected[key] = part;
      } else {
        batch.Append(queues, key, part);
        expected[key] += part;
      }
      ASSERT_TRUE(db->Write(batch, {}).ok());
    }
    EXPECT_EQ(All(*db, queues), expected);
    for (const auto& [key, value] : expected) EXPECT_EQ(MustGet(*db, queues, key), value);
  }
}

TEST(DatabaseTest, IsOfOneOwnerAtATime) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  const auto second = Database::Open(folder / "db", Options());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code(), StatusCode::kUnavailable);
  EXPECT_THAT(second.status().message(), HasSubstr(folder / "db"));
  EXPECT_THAT(second.status().message(), HasSubstr("already open"));
  db.reset();
  EXPECT_NE(MustOpen(folder / "db"), nullptr);
}

TEST(DatabaseTest, IsNotMadeUnlessAsked) {
  const TemporaryFolder folder;
  DatabaseOptions options = Options();
  options.create_if_missing = false;
  EXPECT_EQ(Database::Open(folder / "db", options).status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder / "db"));
}

TEST(DatabaseTest, TakesNewFamiliesAtTheEndOnly) {
  const TemporaryFolder folder;
  ASSERT_TRUE(Put(*MustOpen(folder / "db"), "k", "v").ok());
  DatabaseOptions options = Options();
  std::swap(options.families[0], options.families[1]);
  const auto swapped = Database::Open(folder / "db", options);
  ASSERT_FALSE(swapped.ok());
  EXPECT_EQ(swapped.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(swapped.status().message(), HasSubstr("family 0 is rows, but counts was requested"));
  options = Options();
  options.families.pop_back();
  EXPECT_EQ(Database::Open(folder / "db", options).status().code(), StatusCode::kInvalidArgument);
  options = Options();
  options.families.push_back({.name = "more"});
  auto db = MustOpen(folder / "db", options);
  EXPECT_THAT(MustGet(*db, kRows, "k"), Optional(std::string("v")));
  Batch batch;
  batch.Put(3, "k", "w");
  ASSERT_TRUE(db->Write(batch, {}).ok());
  EXPECT_THAT(MustGet(*db, 3, "k"), Optional(std::string("w")));
}

TEST(DatabaseTest, TellsDamageByName) {
  const TemporaryFolder folder;
  MustOpen(folder / "db");
  std::filesystem::resize_file(folder / "db/CURRENT", 3);
  const auto db = Database::Open(folder / "db", Options());
  ASSERT_FALSE(db.ok());
  EXPECT_EQ(db.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(db.status().message(), HasSubstr(folder / "db"));
}

TEST(DatabaseTest, StaysWithinItsMemory) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  SeededRandom random(7);
  for (int i = 0; i < 400; i++) {
    Batch batch;
    for (int j = 0; j < 100; j++) {
      std::string value(1000, ' ');
      for (char& c : value) c = static_cast<char>(random.Next());
      batch.Put(kRows, fmt::format("{:016x}", random.Next()), value);
    }
    ASSERT_TRUE(db->Write(batch, {}).ok());
  }
  All(*db, kRows);  // 40 MB pass through the cache
  EXPECT_LE(db->MemoryBytes(), (8u << 20) * 5 / 4);
  EXPECT_GT(db->DiskBytes(), 30u << 20);
}

TEST(DatabaseTest, ServesManyThreads) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; t++) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; i++) {
        Batch batch;
        batch.Put(kRows, fmt::format("{}-{}", t, i), "v");
        batch.Add(kCounts, "all", 1);
        EXPECT_TRUE(db->Write(batch, {.sync = i % 50 == 0}).ok());
        EXPECT_TRUE(MustGet(*db, kRows, fmt::format("{}-{}", t, i)).has_value());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Number(MustGet(*db, kCounts, "all")), 1600u);
}

// Writes keys 0, 1, 2, ... in synced pairs until a write fails; returns the number of acknowledged ones.
int WriteUntilFailure(Database& db, int from, int to) {
  for (int i = from; i < to; i++) {
    Batch batch;
    batch.Put(kRows, fmt::format("{:04}", i), std::string(2000, 'x'));
    batch.Add(kCounts, "n", 1);
    if (!db.Write(batch, {.sync = true}).ok()) return i;
  }
  return to;
}

void ExpectPrefix(const Database& db, int acknowledged) {
  const auto rows = All(db, kRows);
  const int found = static_cast<int>(rows.size());
  EXPECT_GE(found, acknowledged);
  EXPECT_LE(found, acknowledged + 1);  // the failed write may be there, completely
  if (found == 0) return;
  EXPECT_EQ(rows.rbegin()->first, fmt::format("{:04}", found - 1));
  EXPECT_EQ(Number(MustGet(db, kCounts, "n")), static_cast<uint64_t>(found));
}

// The machine crashes at any change: synced data is there, and each batch is there completely or not at all.
TEST(DatabaseTest, LosesNothingSyncedAtWhicheverChangeTheMachineStops) {
  for (const bool tear : {false, true}) {
    bool untouched = false;
    for (uint64_t n = 1; !untouched; n++) {
      SCOPED_TRACE(fmt::format("change {} fails, torn: {}", n, tear));
      const TemporaryFolder folder;
      FaultFileSystem fs({.fail_at = n, .tear = tear});
      DatabaseOptions options = Options();
      options.fs = &fs;
      int acknowledged = 0;
      {
        auto db = Database::Open(folder / "db", options);
        if (db.ok()) acknowledged = WriteUntilFailure(**db, 0, 20);
      }
      untouched = fs.changes() < n;
      ASSERT_TRUE(fs.DropUnsynced().ok());
      if (auto db = MustOpen(folder / "db")) ExpectPrefix(*db, acknowledged);
      if (HasFailure()) return;
    }
  }
}

TEST(DatabaseTest, ResumesOnlyWhenNoCursorIsOpen) {
  const TemporaryFolder folder;
  auto db = MustOpen(folder / "db");
  ASSERT_TRUE(Put(*db, "k", "v").ok());
  {
    const Cursor cursor = db->Scan(kRows);
    EXPECT_EQ(db->Resume().code(), StatusCode::kUnavailable);
    EXPECT_EQ(cursor.value(), "v");
  }
  EXPECT_TRUE(db->Resume().ok());
  std::filesystem::rename(folder / "db/CURRENT", folder / "CURRENT");
  std::filesystem::create_directory(folder / "db/CURRENT");
  EXPECT_FALSE(db->Resume().ok());
  EXPECT_EQ(db->Get(kRows, "k").status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(db->Scan(kRows).status().code(), StatusCode::kUnavailable);
  std::filesystem::remove(folder / "db/CURRENT");
  std::filesystem::rename(folder / "CURRENT", folder / "db/CURRENT");
  EXPECT_TRUE(db->Resume().ok());
  EXPECT_THAT(MustGet(*db, kRows, "k"), Optional(std::string("v")));
}

// A disk that is full once: the write fails, and after Resume() everything works again.
TEST(DatabaseTest, GoesOnAfterAFailedWrite) {
  for (const bool tear : {false, true}) {
    bool untouched = false;
    for (uint64_t n = 1; !untouched; n++) {
      SCOPED_TRACE(fmt::format("change {} fails, torn: {}", n, tear));
      const TemporaryFolder folder;
      FaultFileSystem fs({.fail_at = n, .tear = tear, .stay_down = false});
      DatabaseOptions options = Options();
      options.fs = &fs;
      int done = 0;
      {
        auto db = Database::Open(folder / "db", options);
        if (!db.ok()) db = Database::Open(folder / "db", options);
        ASSERT_TRUE(db.ok()) << db.status().ToString();
        done = WriteUntilFailure(**db, 0, 10);
        if (done < 10) {
          EXPECT_FALSE(Put(**db, "x", "y").ok());  // not until the owner calls Resume()
          EXPECT_EQ(All(**db, kRows).size(), static_cast<size_t>(done));
          const Status resumed = (*db)->Resume();
          ASSERT_TRUE(resumed.ok()) << resumed.ToString();
          ExpectPrefix(**db, done);
          done = static_cast<int>(All(**db, kRows).size());
          ASSERT_EQ(WriteUntilFailure(**db, done, 10), 10);
        }
        ExpectPrefix(**db, 10);
      }
      untouched = fs.changes() < n;
      if (auto db = MustOpen(folder / "db")) ExpectPrefix(*db, 10);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace crivello::kv
