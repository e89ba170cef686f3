// SPDX-License-Identifier: Apache-2.0
#include "engine/cluster_seeds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/test_support.h"
#include "cluster/agent/shared_collection.h"

namespace crivello::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

std::unique_ptr<cluster::SharedCollection> OpenWeb(const TemporaryFolder& folder, const std::string& agent) {
  return cluster::SharedCollection::Open({.directory = folder / "web",
                                          .agent = agent,
                                          .tablets = 1,
                                          .memory_bytes = 32 << 20,
                                          .between_looks = std::chrono::milliseconds(1)})
      .value();
}

TEST(ClusterSeedsTest, TheOwnerOfTheFirstTabletPublishesThem) {
  TemporaryFolder folder;
  const auto red = OpenWeb(folder, "red");
  const std::string tablet = red->tablets().front();
  ASSERT_TRUE(red->Open(tablet, 0, 0).ok());
  ClusterSeeds owner(folder / "web"), other(folder / "web");
  EXPECT_EQ(owner.Add({"https://a.test/"}).code(), StatusCode::kUnavailable);
  ASSERT_TRUE(owner.Own(*red->Find(tablet)).ok());
  ASSERT_TRUE(owner.Add({"https://a.test/", "b.test"}).ok());
  EXPECT_EQ(owner.Add({"https://c.test/", "mailto:x@y"}).code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(owner.Add({"b.test"}).ok());
  EXPECT_THAT(other.Look().value(), Optional(ElementsAre("https://a.test/", "https://b.test/")));
  EXPECT_EQ(other.Look().value(), std::nullopt);  // nothing is new
}

TEST(ClusterSeedsTest, AStaleOwnerAddsNothingAndWhatItOverwroteIsPutRight) {
  TemporaryFolder folder;
  const auto red = OpenWeb(folder, "red");
  const std::string tablet = red->tablets().front();
  ASSERT_TRUE(red->Open(tablet, 0, 0).ok());
  ClusterSeeds stale(folder / "web");
  ASSERT_TRUE(stale.Own(*red->Find(tablet)).ok());
  ASSERT_TRUE(stale.Add({"https://a.test/"}).ok());

  const auto blue = OpenWeb(folder, "blue");
  ASSERT_TRUE(blue->Open(tablet, 0, 0).ok());
  ClusterSeeds owner(folder / "web");
  ASSERT_TRUE(owner.Own(*blue->Find(tablet)).ok());
  ASSERT_TRUE(owner.Add({"https://b.test/"}).ok());
  EXPECT_EQ(stale.Add({"https://c.test/"}).code(), StatusCode::kUnavailable);
  EXPECT_THAT(owner.Look().value(), Optional(ElementsAre("https://a.test/", "https://b.test/")));
  // As if the stale owner had been in the middle of writing.
  ASSERT_TRUE(WriteFileAtomically(folder / "web/seeds.txt", AsBytes(std::string("https://a.test/\n"))).ok());
  ClusterSeeds reader(folder / "web");
  EXPECT_THAT(reader.Look().value(), Optional(ElementsAre("https://a.test/")));
  ASSERT_TRUE(owner.Look().ok());
  EXPECT_THAT(reader.Look().value(), Optional(ElementsAre("https://a.test/", "https://b.test/")));
  owner.Disown();
  EXPECT_EQ(owner.Add({"https://d.test/"}).code(), StatusCode::kUnavailable);
}

TEST(ClusterSeedsTest, NoneAtFirst) {
  TemporaryFolder folder;
  OpenWeb(folder, "red");
  ClusterSeeds seeds(folder / "web");
  EXPECT_THAT(seeds.Look().value(), Optional(IsEmpty()));
}

}  // namespace
}  // namespace crivello::engine
