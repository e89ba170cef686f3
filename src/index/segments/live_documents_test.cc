// SPDX-License-Identifier: Apache-2.0
#include "index/segments/live_documents.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/random.h"

namespace crivello::index {
namespace {

TEST(LiveDocumentsTest, RemembersWhatWasDeletedAndWhatHasEnded) {
  for (const DocId documents : {0u, 1u, 63u, 64u, 65u, 1000u}) {
    SCOPED_TRACE(documents);
    SeededRandom random(documents);
    LiveDocuments live(documents);
    EXPECT_TRUE(live.untouched());
    std::set<DocId> deleted;
    std::map<DocId, int64_t> ended;
    for (DocId i = 0; i < documents / 2; i++) {
      const auto doc = static_cast<DocId>(random.Below(documents));
      if (random.Below(2) == 0) {
        EXPECT_EQ(live.Delete(doc), deleted.insert(doc).second);
      } else {
        const bool news = deleted.count(doc) == 0 && ended.count(doc) == 0;
        EXPECT_EQ(live.End(doc, 1000 + i), news);
        if (news) ended[doc] = 1000 + i;
      }
    }
    const ImageWriter image = live.ToImage();
    const auto read = LiveDocuments::FromImage(image.bytes());
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ(*read, live);
    EXPECT_EQ(read->deleted(), deleted.size());
    EXPECT_EQ(read->ended(), ended.size());
    EXPECT_EQ(read->untouched(), deleted.empty() && ended.empty());
    for (DocId doc = 0; doc < documents; doc++) {
      ASSERT_EQ(read->IsLive(doc), deleted.count(doc) == 0);
      ASSERT_EQ(read->IsCurrent(doc), deleted.count(doc) + ended.count(doc) == 0);
      const auto found = ended.find(doc);
      ASSERT_EQ(read->UntilOf(doc), found == ended.end() ? std::nullopt : std::optional(found->second));
    }
  }
}

TEST(LiveDocumentsTest, RefusesADamagedImageOrReadsOtherBits) {
  LiveDocuments live(70);
  live.Delete(3);
  live.End(5, 100);
  live.End(69, 200);
  const std::vector<uint64_t> good = live.ToImage().Release();
  for (size_t bit = 0; bit < good.size() * 64; bit++) {
    std::vector<uint64_t> bad = good;
    bad[bit / 64] ^= uint64_t{1} << (bit % 64);
    const auto read = LiveDocuments::FromImage(std::as_bytes(std::span(bad)));
    if (!read.ok()) {
      ASSERT_EQ(read.status().code(), StatusCode::kCorruption);
      continue;
    }
    ASSERT_FALSE(*read == live);
    for (DocId doc = 0; doc < read->documents(); doc++)
      ASSERT_TRUE(read->IsCurrent(doc) || !read->IsLive(doc) || read->UntilOf(doc).has_value());
  }
  for (size_t size = 0; size < good.size(); size++) {
    const std::vector<uint64_t> cut(good.begin(), good.begin() + std::ptrdiff_t(size));
    EXPECT_FALSE(LiveDocuments::FromImage(std::as_bytes(std::span(cut))).ok());
  }
}

}  // namespace
}  // namespace crivello::index
