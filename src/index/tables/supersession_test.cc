// SPDX-License-Identifier: Apache-2.0
#include "index/tables/supersession.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"
#include "index/segments/document_values_builder.h"
#include "index/segments/segment_info.h"

namespace crivello::index {
namespace {

// A segment with only pages and times.
std::shared_ptr<const Segment> OfPages(const std::vector<std::pair<int64_t, int64_t>>& pages) {
  MemorySink sink;
  DocumentValuesBuilder values;
  auto texts = TextStoreWriter::Create(sink);
  for (const auto& [key, from] : pages) {
    values.SetNumber(column::kKey, key);
    values.SetNumber(column::kFrom, from);
    values.EndDocument();
    EXPECT_TRUE(texts->Add({}).ok());
  }
  EXPECT_TRUE(values.WriteTo(sink).ok());
  EXPECT_TRUE(texts->Finish().ok());
  SegmentInfo info;
  info.documents = static_cast<DocId>(pages.size());
  info.format = "packed";
  EXPECT_TRUE(WriteSegmentInfo(info, sink).ok());
  return *Segment::FromParts(std::move(sink).Release());
}

// Documents in order of arrival, with deletions between them: the straightforward way.
TEST(SupersessionTest, DoesWhatOneDocumentAfterTheOtherWouldDo) {
  for (uint64_t seed = 0; seed < 300; seed++) {
    SCOPED_TRACE(seed);
    SeededRandom random(seed);
    const bool versions = seed % 2 == 0;
    std::vector<std::vector<std::pair<int64_t, int64_t>>> pages(3);
    std::vector<LiveDocuments> judge;
    std::vector<PageDeletion> deletions;
    const auto delete_page = [&](int64_t key) {
      for (size_t i = 0; i < judge.size(); i++) {
        for (DocId doc = 0; doc < pages[i].size(); doc++) {
          if (pages[i][doc].first == key) judge[i].Delete(doc);
        }
      }
    };
    for (size_t i = 0; i < 3; i++) {
      const DocId documents = static_cast<DocId>(random.Below(12));
      judge.emplace_back(documents);
      for (DocId doc = 0; doc < documents; doc++) {
        const int64_t key = static_cast<int64_t>(Mix64(random.Below(i == 2 ? 8 : 30)));
        const int64_t from = static_cast<int64_t>(100 * i + doc);
        if (i == 2 && random.Below(4) == 0) {
          const int64_t gone = random.Below(2) == 0 ? key : static_cast<int64_t>(Mix64(random.Below(8)));
          deletions.push_back({gone, doc});
          delete_page(gone);
        }
        for (size_t j = 0; j <= i && i == 2; j++) {
          for (DocId old = 0; old < pages[j].size(); old++) {
            if (pages[j][old].first != key) continue;
            if (!versions) judge[j].Delete(old);
            if (versions) judge[j].End(old, from);
          }
        }
        pages[i].emplace_back(key, from);
      }
    }
    const auto batch = OfPages(pages[2]);
    const Supersession supersession(batch.get(), deletions, {.versions = versions});
    for (size_t i = 0; i < 3; i++) {
      const SegmentView view = {OfPages(pages[i]), nullptr};
      const auto live = i < 2 ? supersession.ApplyTo(view) : supersession.ApplyToBatch();
      ASSERT_EQ(live == nullptr, judge[i].untouched());
      for (DocId doc = 0; live != nullptr && doc < pages[i].size(); doc++) {
        ASSERT_EQ(live->IsLive(doc), judge[i].IsLive(doc));
        ASSERT_EQ(live->IsCurrent(doc), judge[i].IsCurrent(doc));
        // A document that ended and is then deleted need not keep its end time.
        if (live->IsLive(doc)) {
          ASSERT_EQ(live->UntilOf(doc), judge[i].UntilOf(doc));
        }
      }
    }
  }
}

TEST(SupersessionTest, LeavesTheSamePointerWhereNothingHappens) {
  const auto live = std::make_shared<const LiveDocuments>(2);
  const SegmentView view = {OfPages({{1, 1}, {2, 2}}), live};
  const auto batch = OfPages({{3, 3}});
  EXPECT_EQ(Supersession(batch.get(), {}, {}).ApplyTo(view), live);
  EXPECT_EQ(Supersession(nullptr, {{4, 0}}, {}).ApplyTo(view), live);
  EXPECT_EQ(Supersession(nullptr, {}, {}).ApplyTo(view), live);
  EXPECT_EQ(Supersession(batch.get(), {}, {}).ApplyToBatch(), nullptr);
  const auto deleted = Supersession(nullptr, {{2, 0}}, {}).ApplyTo(view);
  ASSERT_NE(deleted, nullptr);
  EXPECT_TRUE(deleted->IsLive(0));
  EXPECT_FALSE(deleted->IsLive(1));
}

}  // namespace
}  // namespace crivello::index
