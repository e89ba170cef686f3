// SPDX-License-Identifier: Apache-2.0
#include "cluster/agent/shared_collection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_support.h"
#include "collection/collection.h"

namespace crivello::cluster {
namespace {

using testing::HasSubstr;

std::unique_ptr<SharedCollection> MustOpenShared(const TemporaryFolder& folder, const std::string& agent) {
  auto opened = SharedCollection::Open({.directory = folder / "web",
                                        .agent = agent,
                                        .tablets = 2,
                                        .memory_bytes = 32 << 20,
                                        .between_looks = std::chrono::milliseconds(1)});
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  return std::move(*opened);
}

TEST(SharedCollectionTest, OpensATabletInAnEpochOfItsOwn) {
  TemporaryFolder folder;
  const auto red = MustOpenShared(folder, "red");
  ASSERT_EQ(red->tablets().size(), 2u);
  const std::string tablet = red->tablets().front();
  EXPECT_EQ(red->HighestEpoch(tablet).value(), 0u);
  const auto first = red->Open(tablet, 0, 0);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_EQ(first->epoch, 1u);
  EXPECT_FALSE(red->ProgressOf(tablet).lost);

  // Another agent takes it over while the first one still has it open.
  const auto blue = MustOpenShared(folder, "blue");
  EXPECT_EQ(blue->HighestEpoch(tablet).value(), 1u);
  const auto second = blue->Open(tablet, 6, first->sequence);
  ASSERT_TRUE(second.ok()) << second.status().message();
  EXPECT_EQ(second->epoch, 7u);
  EXPECT_EQ(red->Close(tablet).code(), StatusCode::kUnavailable);  // it can acknowledge nothing
  EXPECT_TRUE(blue->Close(tablet).ok());
  EXPECT_TRUE(blue->Close(tablet).ok());
}

TEST(SharedCollectionTest, RefusesATabletThatLostWhatWasAcknowledged) {
  TemporaryFolder folder;
  const auto red = MustOpenShared(folder, "red");
  const std::string tablet = red->tablets().front();
  const auto first = red->Open(tablet, 0, 0);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(red->Close(tablet).ok());
  const Status refused = red->Open(tablet, 0, first->sequence + 1000).status();
  EXPECT_EQ(refused.code(), StatusCode::kCorruption);
  EXPECT_THAT(refused.message(), HasSubstr("acknowledged"));
  EXPECT_EQ(red->Open("t-nowhere", 0, 0).status().code(), StatusCode::kNotFound);
}

TEST(SharedCollectionTest, AnOwnerThatClosesATabletLeavesANoteToTheNextOne) {
  TemporaryFolder folder;
  const auto red = MustOpenShared(folder, "red");
  const std::string tablet = red->tablets().front();
  ASSERT_TRUE(red->Open(tablet, 0, 0).ok());
  EXPECT_TRUE(red->IsNew(tablet));
  ASSERT_TRUE(red->Close(tablet, "note").ok());
  const auto blue = MustOpenShared(folder, "blue");
  ASSERT_TRUE(blue->Open(tablet, 0, 0).ok());
  EXPECT_EQ(blue->NoteOf(tablet), "note");
  EXPECT_FALSE(blue->WasCutOff(tablet));
  // It is for one owner: this one is cut off.
  ASSERT_TRUE(red->Open(tablet, 0, 0).ok());
  EXPECT_EQ(red->NoteOf(tablet), "");
  EXPECT_TRUE(red->WasCutOff(tablet));
}

TEST(SharedCollectionTest, RemovesFoldersOfOlderEpochsAfterADay) {
  TemporaryFolder folder;
  const auto red = MustOpenShared(folder, "red");
  const std::string tablet = red->tablets().front();
  for (int i = 0; i < 2; i++) {
    ASSERT_TRUE(red->Open(tablet, 0, 0).ok());
    if (i == 0) {
      ASSERT_TRUE(red->Close(tablet).ok());
    }
  }
  const std::string old = folder / ("web/tablets/" + tablet + "/e000000000001");
  ASSERT_TRUE(red->RemoveOldEpochs(SystemClock().Now() + std::chrono::hours(23)).ok());
  EXPECT_TRUE(std::filesystem::exists(old));
  ASSERT_TRUE(red->RemoveOldEpochs(SystemClock().Now() + std::chrono::hours(25)).ok());
  EXPECT_FALSE(std::filesystem::exists(old));
  EXPECT_TRUE(red->Close(tablet).ok());
}

TEST(SharedCollectionTest, AndACollectionOfOneMachineAreNotMixedUp) {
  TemporaryFolder folder;
  const auto shared = MustOpenShared(folder, "red");
  ASSERT_TRUE(shared->Open(shared->tablets().front(), 0, 0).ok());
  collection::CollectionOptions options;
  options.directory = folder / "web";
  const Status local = collection::Collection::Open(options).status();
  EXPECT_EQ(local.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(local.message(), HasSubstr("belongs to a cluster"));

  options.directory = folder / "single";
  ASSERT_TRUE(collection::Collection::Open(options).ok());
  const Status taken = SharedCollection::Open({.directory = folder / "single", .agent = "red"}).status();
  EXPECT_EQ(taken.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(taken.message(), HasSubstr("one machine"));
}

TEST(SharedCollectionTest, BelongsToTheAgentsOfOneBucket) {
  TemporaryFolder folder;
  const auto open = [&](const std::string& bucket) {
    return SharedCollection::Open(
               {.directory = folder / "web", .agent = "red", .bucket = bucket, .tablets = 1})
        .status();
  };
  EXPECT_TRUE(open("one").ok());
  EXPECT_TRUE(open("one").ok());
  const Status other = open("two");
  EXPECT_EQ(other.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(other.message(), HasSubstr("use the bucket 'one', not 'two'"));
}

}  // namespace
}  // namespace crivello::cluster
