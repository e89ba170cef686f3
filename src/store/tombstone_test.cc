// SPDX-License-Identifier: Apache-2.0
#include "store/tombstone.h"

#include <gtest/gtest.h>

#include "store/warc_reader.h"

namespace crivello::store {
namespace {

constexpr int64_t kDate = 1'780'000'000;

std::string StoredRecord(WarcCompression compression, std::string_view url, std::string_view body) {
  SeededRandom random(7);
  WarcEncoder encoder({.compression = compression}, random);
  std::string out;
  EXPECT_TRUE(encoder
                  .Append({.type = WarcType::kResource,
                           .target_uri = std::string(url),
                           .date = kDate,
                           .content_type = "text/plain",
                           .body = body},
                          &out)
                  .ok());
  return out;
}

TEST(TombstoneTest, HasTheLengthOfWhatItReplacesAndIsReadBetweenItsNeighbours) {
  for (const WarcCompression compression :
       {WarcCompression::kGzip, WarcCompression::kZstd, WarcCompression::kNone}) {
    for (const uint64_t length :
         {uint64_t{224}, uint64_t{225}, uint64_t{1000}, uint64_t{65535}, uint64_t{65536}, uint64_t{65571},
          uint64_t{65572}, uint64_t{65573}, uint64_t{65577}, uint64_t{131088}, uint64_t{131089},
          uint64_t{131090}, uint64_t{131092}, uint64_t{300'001}}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(compression) << ", " << length << " bytes");
      SeededRandom random(length);
      const std::string tombstone = MakeTombstone(compression, length, kDate, random);
      ASSERT_EQ(tombstone.size(), length);
      const std::string first = StoredRecord(compression, "https://a.example/", "before");
      std::string file = first + tombstone;
      if (compression == WarcCompression::kNone) file += "\r\n\r\n";
      const uint64_t behind = file.size();
      file += StoredRecord(compression, "https://b.example/", "behind");

      WarcReader reader(file);
      auto record = reader.Next();
      ASSERT_TRUE(record);
      EXPECT_EQ(record->target_uri, "https://a.example/");
      record = reader.Next();
      ASSERT_TRUE(record);
      EXPECT_TRUE(IsTombstone(*record));
      EXPECT_EQ(record->offset, first.size());
      EXPECT_EQ(record->stored_bytes, length);
      EXPECT_TRUE(record->whole);
      record = reader.Next();
      ASSERT_TRUE(record);
      EXPECT_EQ(record->offset, behind);
      EXPECT_EQ(record->block, "behind");
      EXPECT_FALSE(IsTombstone(*record));
      EXPECT_FALSE(reader.Next());
      EXPECT_EQ(reader.damages(), 0u);
    }
  }
}

TEST(TombstoneTest, OfARecordThatIsTooShortIsZeroBytes) {
  SeededRandom random(1);
  EXPECT_EQ(MakeTombstone(WarcCompression::kGzip, 100, kDate, random), std::string(100, '\0'));
}

}  // namespace
}  // namespace crivello::store
