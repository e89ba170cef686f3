// SPDX-License-Identifier: Apache-2.0
#include "store/archive_eraser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/test_support.h"
#include "store/archive_check.h"
#include "store/archive_test_support.h"
#include "store/tombstone.h"

namespace crivello::store {
namespace {

class ArchiveEraserTest : public testing::TestWithParam<WarcCompression> {
 protected:
  // Numbered captures, a few per file.
  void Fill(uint64_t captures) {
    const WarcEncoder::Options warc = {.compression = GetParam()};
    auto archive =
        Archive::Open({.directory = folder_ / "archive", .warc = warc, .rotate_bytes = 20'000}).value();
    CaptureEncoder encoder(warc, 5);
    for (uint64_t n = 0; n < captures; ++n) {
      locators_.push_back(archive->Append(CaptureNumber(n, &encoder)).value());
    }
    ASSERT_EQ(archive->Close(), Status::Ok());
  }
  StoreCheck Check() {
    StoreCheck check;
    EXPECT_EQ(CheckArchive(folder_ / "archive", &check, progress_), Status::Ok());
    return check;
  }

  TemporaryFolder folder_;
  std::vector<RecordLocator> locators_;
  SilentProgress progress_;
};

TEST_P(ArchiveEraserTest, BlanksTheCapturesAndLeavesTheOthersWhereTheyAre) {
  Fill(20);
  const uint64_t records = Check().records;
  const auto wanted = [](std::string_view url) { return url == UrlNumber(3) || url == UrlNumber(17); };
  const auto found = FindCaptures(folder_ / "archive", wanted);
  ASSERT_TRUE(found.ok()) << found.status().ToString();
  EXPECT_EQ(found->size(), 6u);  // each with its request and metadata
  SeededRandom random(1);
  // Twice, as after a crash.
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ(EraseRecords(folder_ / "archive", *found, kTestDate, random, progress_), Status::Ok());
  }
  const ArchiveReader reader(folder_ / "archive");
  for (uint64_t n = 0; n < locators_.size(); ++n) {
    const auto record = reader.Read(locators_[n]);
    ASSERT_TRUE(record.ok()) << n << ": " << record.status().ToString();
    EXPECT_EQ(IsTombstone(**record), n == 3 || n == 17) << n;
    EXPECT_EQ((*record)->target_uri, n == 3 || n == 17 ? "" : UrlNumber(n));
  }
  EXPECT_TRUE(FindCaptures(folder_ / "archive", wanted)->empty());
  const StoreCheck check = Check();
  EXPECT_EQ(check.problems, 0u) << (check.sentences.empty() ? "" : check.sentences.front());
  EXPECT_EQ(check.records, records);
}

INSTANTIATE_TEST_SUITE_P(Compressions, ArchiveEraserTest,
                         testing::Values(WarcCompression::kGzip, WarcCompression::kZstd,
                                         WarcCompression::kNone));

TEST(ArchiveEraserReadersTest, ZcatReadsWhatIsLeft) {
  TemporaryFolder folder;
  SilentProgress progress;
  std::string path;
  {
    auto archive = Archive::Open({.directory = folder / "archive"}).value();
    CaptureEncoder encoder({}, 5);
    for (uint64_t n = 0; n < 3; ++n) ASSERT_TRUE(archive->Append(CaptureNumber(n, &encoder)).ok());
    ASSERT_EQ(archive->Close(), Status::Ok());
  }
  const auto found =
      FindCaptures(folder / "archive", [](std::string_view url) { return url == UrlNumber(1); });
  SeededRandom random(1);
  ASSERT_EQ(EraseRecords(folder / "archive", *found, kTestDate, random, progress), Status::Ok());
  path = folder / "archive/" + ListArchive(folder / "archive")->front().name;
  const ForeignReading reading = ReadByZcat(path);
  ASSERT_TRUE(reading.available);
  EXPECT_TRUE(reading.clean);
  EXPECT_THAT(reading.types, testing::ElementsAre("warcinfo", "response", "request", "metadata", "metadata",
                                                  "metadata", "metadata", "response", "request", "metadata"));
}

}  // namespace
}  // namespace crivello::store
