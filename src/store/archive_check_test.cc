// SPDX-License-Identifier: Apache-2.0
#include "store/archive_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "store/archive_test_support.h"

namespace crivello::store {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(StoreCheckTest, FindsNothingInAGoodArchiveAndSaysWhatIsWrongInABadOne) {
  const TemporaryFolder folder;
  const std::string directory = folder / "archive";
  kv::DatabaseOptions options = {.families = {}, .memory_bytes = 16 << 20};
  const TableFamilies families = TableFamilies::AddTo(&options.families);
  auto database = kv::Database::Open(folder / "db", options);
  ASSERT_TRUE(database.ok()) << database.status().ToString();
  const Table table(**database, families);
  auto archive = Archive::Open({.directory = directory, .seed = 1});
  ASSERT_TRUE(archive.ok());
  CaptureEncoder encoder({}, 2);
  std::vector<RecordLocator> locators;
  const auto put = [&](uint64_t row, const RecordLocator& locator, uint64_t body) {
    FetchCell fetch;
    fetch.status = 200;
    fetch.payload = Sha1Of(BodyNumber(body));
    fetch.record = locator;
    kv::Batch batch;
    ASSERT_TRUE(
        table.Put(*web::RowKey(*web::ParseUrl(UrlNumber(row))), {.time = 1, .fetch = &fetch}, &batch).ok());
    ASSERT_TRUE((*database)->Write(batch, {}).ok());
  };
  for (uint64_t n = 0; n < 5; n++) {
    const RevisitOf revisit = {.url = UrlNumber(0), .date = kTestDate};
    locators.push_back(*(*archive)->Append(CaptureNumber(n, &encoder, n == 3 ? &revisit : nullptr)));
    put(n, locators.back(), n);
  }
  const auto check = [&] {
    StoreCheck found;
    SilentProgress progress;
    EXPECT_TRUE(CheckArchive(directory, &found, progress).ok());
    EXPECT_TRUE(CheckRows(table, ArchiveReader(directory), &found, progress).ok());
    EXPECT_EQ(found.rows, 5u);
    EXPECT_EQ(found.problems, found.sentences.size());
    return found.sentences;
  };
  EXPECT_THAT(check(), IsEmpty()) << "while it is open";
  ASSERT_TRUE((*archive)->Close().ok());
  EXPECT_THAT(check(), IsEmpty());

  put(4, locators[2], 4);
  EXPECT_THAT(check(), ElementsAre(HasSubstr("its archive record belongs to " + UrlNumber(2))));
  put(4, locators[4], 2);
  EXPECT_THAT(check(), ElementsAre(HasSubstr("a different payload")));
  put(4, locators[4], 4);
  EXPECT_THAT(check(), IsEmpty());

  const ArchiveFile file = ListArchive(directory)->at(0);
  const std::string warc = *ReadFile(directory + "/" + file.name);
  const std::string index = *ReadFile(directory + "/" + file.index_name);
  const size_t first = index.find('\n') + 1;
  for (const std::string& wrong :
       {index.substr(first), index.substr(first) + index.substr(0, first), index + index.substr(0, first),
        index.substr(0, index.size() - 1), index + "\n", std::string()}) {
    ASSERT_TRUE(WriteFileAtomically(directory + "/" + file.index_name, AsBytes(wrong)).ok());
    EXPECT_THAT(check(), ElementsAre(HasSubstr("does not match its archive file"))) << wrong;
  }
  ASSERT_TRUE(WriteFileAtomically(directory + "/" + file.index_name, AsBytes(index)).ok());
  std::string flipped = warc;
  const uint64_t middle = locators[1].offset + locators[1].length / 2;
  flipped[middle] = static_cast<char>(flipped[middle] ^ 4);
  ASSERT_TRUE(WriteFileAtomically(directory + "/" + file.name, AsBytes(flipped)).ok());
  EXPECT_FALSE(check().empty());
}

}  // namespace
}  // namespace crivello::store
