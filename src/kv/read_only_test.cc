// SPDX-License-Identifier: Apache-2.0
// Reading a database without changing a byte of it, and what opening it leaves behind.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/test_support.h"
#include "kv/database.h"

namespace crivello::kv {
namespace {

using testing::HasSubstr;

class ReadOnlyTest : public testing::Test {
 protected:
  static DatabaseOptions OptionsTo(bool read_only) {
    DatabaseOptions options;
    options.families = {{.name = "rows"}, {.name = "texts", .blobs = true}};
    options.memory_bytes = 8 << 20;
    options.read_only = read_only;
    return options;
  }
  Result<std::unique_ptr<Database>> Open(bool read_only) const {
    return Database::Open(folder_ / "db", OptionsTo(read_only));
  }
  // Rows and long texts, some in tables and blob files, the last ones only in the log, as after kill -9.
  void MakeKilled() const {
    {
      const auto db = Database::Open(folder_ / "live", OptionsTo(false)).value();
      Batch batch;
      for (int i = 0; i < 100; ++i) {
        batch.Put(0, fmt::format("key {:03}", i), "row");
        batch.Put(1, fmt::format("key {:03}", i), std::string(5000, static_cast<char>('a' + i % 26)));
      }
      ASSERT_TRUE(db->Write(batch, {.sync = true}).ok());
      const Family all[] = {0, 1};
      ASSERT_TRUE(db->Purge(all).ok());
      Batch last;
      last.Put(0, "last", "in the log");
      ASSERT_TRUE(db->Write(last, {.sync = true}).ok());
      std::filesystem::copy(folder_ / "live", folder_ / "db");
    }
  }
  // Every file, by name, with its bytes.
  std::map<std::string, std::string> Files() const {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "db")) {
      files[entry.path().filename().string()] = ReadFile(entry.path().string()).value();
    }
    return files;
  }
  size_t Logs() const {
    const auto files = Files();
    return static_cast<size_t>(std::count_if(files.begin(), files.end(),
                                             [](const auto& file) { return file.first.ends_with(".log"); }));
  }

  const TemporaryFolder folder_;
};

TEST_F(ReadOnlyTest, ReadsTablesBlobsAndLogsAndChangesNoByte) {
  MakeKilled();
  const auto before = Files();
  {
    const auto db = Open(true);
    ASSERT_TRUE(db.ok()) << db.status().ToString();
    EXPECT_EQ((*db)->sequence(), 2u);
    EXPECT_EQ((*db)->Get(0, "last").value(), "in the log");
    EXPECT_EQ((*db)->Get(1, "key 001").value(), std::string(5000, 'b'));
    int texts = 0;
    for (Cursor cursor = (*db)->Scan(1); cursor.valid(); cursor.Next())
      texts += cursor.value().size() == 5000;
    EXPECT_EQ(texts, 100);
    SilentProgress progress;
    EXPECT_TRUE(
        (*db)->CheckFiles([](const std::string& sentence) { ADD_FAILURE() << sentence; }, progress).ok());
    const auto second = Open(true);
    EXPECT_TRUE(second.ok()) << "readers need no lock";
  }
  EXPECT_EQ(Files(), before);
}

TEST_F(ReadOnlyTest, RefusesToWrite) {
  MakeKilled();
  const auto db = Open(true).value();
  Batch batch;
  batch.Put(0, "new", "row");
  for (const Status& status : {db->Write(batch, {.sync = true}), db->Write(batch, {}), db->Purge({}),
                               db->Checkpoint(folder_ / "copy")}) {
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), HasSubstr("for reading only"));
  }
}

TEST_F(ReadOnlyTest, MakesNoDatabase) {
  EXPECT_EQ(Open(true).status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "db"));
}

TEST_F(ReadOnlyTest, NamesAFileThatIsMissing) {
  for (const bool read_only : {false, true}) {
    SCOPED_TRACE(read_only);
    std::filesystem::remove_all(folder_ / "live");
    std::filesystem::remove_all(folder_ / "db");
    MakeKilled();
    std::string manifest;
    for (const auto& [name, bytes] : Files()) {
      if (name.starts_with("MANIFEST-")) manifest = name;
    }
    std::filesystem::remove(folder_ / ("db/" + manifest));
    const auto db = Open(read_only);
    EXPECT_EQ(db.status().code(), StatusCode::kCorruption) << db.status().ToString();
    EXPECT_THAT(db.status().message(), HasSubstr(manifest));
  }
}

// A list of files cut between two records looks like one from an earlier time, perhaps with fewer families.
// Its witness would detect that first (manifest_end_test.cc).
TEST_F(ReadOnlyTest, TakesACutListOfFilesForDamage) {
  MakeKilled();
  std::filesystem::remove(folder_ / "db/manifest-end");
  std::string manifest;
  for (const auto& [name, bytes] : Files()) {
    if (name.starts_with("MANIFEST-")) manifest = folder_ / ("db/" + name);
  }
  int missing = 0;
  for (auto size = std::filesystem::file_size(manifest); size > 0; size -= std::min<uintmax_t>(size, 9)) {
    std::filesystem::resize_file(manifest, size);
    const auto db = Open(true);
    if (db.ok()) continue;
    EXPECT_EQ(db.status().code(), StatusCode::kCorruption) << size << ": " << db.status().ToString();
    missing += db.status().message().find("is missing: its MANIFEST was truncated") != std::string::npos;
  }
  EXPECT_GT(missing, 0);
}

TEST_F(ReadOnlyTest, CheckNamesABlobFileThatIsMissing) {
  MakeKilled();
  std::string blobs;
  for (const auto& [name, bytes] : Files()) {
    if (name.ends_with(".blob")) blobs = name;
  }
  const auto db = Open(true).value();
  std::filesystem::remove(folder_ / ("db/" + blobs));
  std::vector<std::string> notes;
  SilentProgress progress;
  const Status checked =
      db->CheckFiles([&](std::string sentence) { notes.push_back(std::move(sentence)); }, progress);
  ASSERT_TRUE(checked.ok()) << checked.ToString();
  EXPECT_THAT(notes, testing::ElementsAre(HasSubstr(blobs)));
}

TEST_F(ReadOnlyTest, OpeningLeavesNoLogsBehind) {
  MakeKilled();
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(Open(false).ok());
    EXPECT_LE(Logs(), 3u) << i;
  }
  EXPECT_EQ(Open(false).value()->sequence(), 2u);
  EXPECT_EQ(Open(false).value()->Get(0, "last").value(), "in the log");
}

}  // namespace
}  // namespace crivello::kv
