// SPDX-License-Identifier: Apache-2.0
#include "store/change_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "base/test_support.h"
#include "store/table.h"

namespace crivello::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

// A table with its log.
struct LoggedTable {
  explicit LoggedTable(const std::string& path) {
    kv::DatabaseOptions options = {.families = {{.name = "hosts"}}, .memory_bytes = 16 << 20};
    const TableFamilies families = TableFamilies::AddTo(&options.families);
    const kv::Family family = ChangeLog::AddTo(&options.families);
    database = kv::Database::Open(path, options).value();
    changes = ChangeLog::Open(*database, family).value();
    table.emplace(*database, families, changes.get());
  }
  void Put(const std::string& key, VersionTime time) {
    const FetchCell fetch = {.status = 200};
    kv::Batch batch;
    EXPECT_TRUE(table->Put(key, {.time = time, .fetch = &fetch}, &batch).ok());
    EXPECT_TRUE(database->Write(batch, {}).ok());
  }
  std::vector<std::pair<uint64_t, std::string>> After(uint64_t sequence) const {
    std::vector<std::pair<uint64_t, std::string>> all;
    auto reader = changes->After(sequence);
    for (; reader.valid(); reader.Next()) all.emplace_back(reader.sequence(), reader.row_key());
    EXPECT_TRUE(reader.status().ok());
    return all;
  }

  std::unique_ptr<kv::Database> database;
  std::unique_ptr<ChangeLog> changes;
  std::optional<Table> table;
};

TEST(ChangeLogTest, TellsEveryChangeInOrder) {
  const TemporaryFolder folder;
  LoggedTable log(folder / "db");
  EXPECT_EQ(log.changes->last(), 0u);
  log.Put("b", 1);
  log.Put("a", 2);
  log.Put("b", 3);
  kv::Batch batch;
  log.table->Delete("a", &batch);
  ASSERT_TRUE(log.database->Write(batch, {}).ok());
  EXPECT_THAT(log.After(0), ElementsAre(Pair(1, "b"), Pair(2, "a"), Pair(3, "b"), Pair(4, "a")));
  EXPECT_THAT(log.After(3), ElementsAre(Pair(4, "a")));
  EXPECT_THAT(log.After(4), IsEmpty());
}

TEST(ChangeLogTest, CountsOnAfterItWasForgottenAndOpenedAgain) {
  const TemporaryFolder folder;
  {
    LoggedTable log(folder / "db");
    for (VersionTime time = 1; time <= 300; time++) log.Put("k" + std::to_string(time), time);
    ASSERT_TRUE(log.changes->Forget(300).ok());
    EXPECT_THAT(log.After(0), ElementsAre(Pair(300, "k300")));
  }
  LoggedTable log(folder / "db");
  EXPECT_EQ(log.changes->last(), 300u);
  log.Put("more", 301);
  EXPECT_THAT(log.After(300), ElementsAre(Pair(301, "more")));
}

TEST(ChangeLogTest, KnowsWhoCanFollowIt) {
  const TemporaryFolder folder;
  const auto from = [](const LoggedTable& log) {
    std::vector<uint64_t> sequences;
    for (uint64_t sequence = 0; sequence < 400; sequence++) {
      if (log.changes->CanBeFollowedFrom(sequence).value()) sequences.push_back(sequence);
    }
    return sequences;
  };
  {
    LoggedTable log(folder / "db");
    EXPECT_THAT(from(log), ElementsAre(0)) << "a follower that knows more is another table's";
    for (VersionTime time = 1; time <= 300; time++) log.Put("k" + std::to_string(time), time);
    EXPECT_EQ(from(log).size(), 301u);
    ASSERT_TRUE(log.changes->Forget(297).ok());
    EXPECT_THAT(from(log), ElementsAre(297, 298, 299, 300));
    ASSERT_TRUE(log.changes->Forget(300).ok());
  }
  const LoggedTable log(folder / "db");
  EXPECT_THAT(from(log), ElementsAre(299, 300));
}

TEST(ChangeLogTest, IsSettledUpToTheFirstBatchThatIsNotWritten) {
  const TemporaryFolder folder;
  LoggedTable log(folder / "db");
  EXPECT_EQ(log.changes->Settled().value(), 0u);
  log.Put("a", 1);
  EXPECT_EQ(log.changes->Settled().value(), 1u);
  kv::Batch late;
  log.changes->Note("late", &late);
  log.Put("b", 2);
  EXPECT_EQ(log.changes->last(), 3u);
  EXPECT_EQ(log.changes->Settled().value(), 1u);
  ASSERT_TRUE(log.changes->Forget(1).ok());  // the next one is not written yet
  EXPECT_EQ(log.changes->Settled().value(), 1u);
  ASSERT_TRUE(log.database->Write(late, {}).ok());
  EXPECT_EQ(log.changes->Settled().value(), 3u);
}

TEST(ChangeLogTest, WaitsForABatchThatIsWrittenLater) {
  const TemporaryFolder folder;
  {
    LoggedTable log(folder / "db");
    const FetchCell fetch = {.status = 200};
    kv::Batch first, second;
    ASSERT_TRUE(log.table->Put("a", {.time = 1, .fetch = &fetch}, &first).ok());
    ASSERT_TRUE(log.table->Put("b", {.time = 2, .fetch = &fetch}, &second).ok());
    ASSERT_TRUE(log.table->Put("c", {.time = 3, .fetch = &fetch}, &first).ok());
    ASSERT_TRUE(log.database->Write(second, {}).ok());
    EXPECT_THAT(log.After(0), IsEmpty());
    ASSERT_TRUE(log.database->Write(first, {}).ok());
    EXPECT_THAT(log.After(0), ElementsAre(Pair(1, "a"), Pair(2, "b"), Pair(3, "c")));
    kv::Batch lost;
    ASSERT_TRUE(log.table->Put("d", {.time = 4, .fetch = &fetch}, &lost).ok());
    log.Put("e", 5);
    EXPECT_THAT(log.After(3), IsEmpty());
  }
  // After a crash nobody will write the missing changes.
  LoggedTable log(folder / "db");
  EXPECT_THAT(log.After(3), ElementsAre(Pair(5, "e")));
}

TEST(ChangeLogTest, ForgetsOnlyWhatItIsTold) {
  const TemporaryFolder folder;
  LoggedTable log(folder / "db");
  for (VersionTime time = 1; time <= 4; time++) log.Put("k" + std::to_string(time), time);
  ASSERT_TRUE(log.changes->Forget(2).ok());
  EXPECT_THAT(log.After(0), ElementsAre(Pair(3, "k3"), Pair(4, "k4")));
}

}  // namespace
}  // namespace crivello::store
