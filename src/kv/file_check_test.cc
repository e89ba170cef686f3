// SPDX-License-Identifier: Apache-2.0
#include "kv/file_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "base/file_system.h"
#include "base/random.h"
#include "base/test_support.h"
#include "kv/database.h"

namespace crivello::kv {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr Family kCheckedRows = 0, kCheckedTexts = 1;

DatabaseOptions CheckedOptions() {
  return {.families = {{.name = "rows"}, {.name = "texts", .blobs = true}}, .memory_bytes = 8 << 20};
}

class FileCheckTest : public testing::Test {
 protected:
  FileCheckTest() {
    const auto db = Database::Open(path_, CheckedOptions()).value();
    SeededRandom random(1);
    for (int i = 0; i < 300; i++) {
      std::string value(2000, ' ');
      for (char& c : value) c = static_cast<char>(random.Below(256));
      Batch batch;
      batch.Put(kCheckedRows, std::to_string(i), value.substr(0, 100));
      batch.Put(kCheckedTexts, std::to_string(i), value);
      EXPECT_TRUE(db->Write(batch, {.sync = true}).ok());
    }
  }

  std::vector<std::string> Logs() const {
    std::vector<std::string> found;
    EXPECT_TRUE(CheckLogFiles(path_, [&](std::string what) { found.push_back(std::move(what)); }).ok());
    return found;
  }
  std::vector<std::string> Files() const {
    SilentProgress progress;
    std::vector<std::string> found;
    const auto db = Database::Open(path_, CheckedOptions());
    if (!db.ok()) return {db.status().message()};
    EXPECT_TRUE(
        (*db)->CheckFiles([&](std::string what) { found.push_back(std::move(what)); }, progress).ok());
    return found;
  }
  std::string FileOf(const std::string& ending) const {
    std::string largest;
    uintmax_t size = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      const std::string name = entry.path().filename().string();
      if (!name.ends_with(ending) || entry.file_size() < size) continue;
      size = entry.file_size();
      largest = entry.path().string();
    }
    return largest;
  }
  static void Flip(const std::string& path, uint64_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 0x10);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "db";
};

TEST_F(FileCheckTest, FindsNothingInGoodFilesAndWhatIsFlippedInALog) {
  EXPECT_THAT(Logs(), IsEmpty());
  const std::string log = FileOf(".log");
  ASSERT_GT(std::filesystem::file_size(log), 100'000u);
  Flip(log, 50'000);
  EXPECT_THAT(Logs(), AllOf(Not(IsEmpty()), Each(HasSubstr(log + ": corrupt record at offset "))));
}

TEST_F(FileCheckTest, ATornTailOfALogIsNoDamage) {
  const std::string log = FileOf(".log");
  const auto size = std::filesystem::file_size(log);
  std::filesystem::resize_file(log, size - 700);
  EXPECT_THAT(Logs(), IsEmpty());
  Flip(log, size - 800);
  EXPECT_THAT(Logs(), IsEmpty());
}

TEST_F(FileCheckTest, FindsWhatIsFlippedInTablesAndBlobs) {
  EXPECT_THAT(Files(), IsEmpty());  // the content of the log is now in files
  EXPECT_THAT(Logs(), IsEmpty());
  for (const std::string ending : {".sst", ".blob"}) {
    const std::string path = FileOf(ending);
    ASSERT_FALSE(path.empty()) << ending;
    const auto size = std::filesystem::file_size(path);
    for (const uint64_t at : {size / 3, size / 2}) {
      Flip(path, at);
      const auto found = Files();
      EXPECT_THAT(found, testing::Contains(HasSubstr(std::filesystem::path(path).filename().string())))
          << ending << " at " << at;
      Flip(path, at);
    }
  }
  EXPECT_THAT(Files(), IsEmpty());
}

TEST_F(FileCheckTest, TellsTheOffsetOfADamagedValue) {
  EXPECT_THAT(Files(), IsEmpty());
  const std::string path = FileOf(".blob");
  Flip(path, 35);  // in the head of the first record
  EXPECT_THAT(Files(), testing::Contains(HasSubstr("no record starts at offset 30")));
  Flip(path, 35);
  Flip(path, 70);  // in its bytes
  EXPECT_THAT(Files(), testing::Contains(HasSubstr("corrupt value at offset 30")));
}

}  // namespace
}  // namespace crivello::kv
