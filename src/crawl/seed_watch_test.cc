// SPDX-License-Identifier: Apache-2.0
#include "crawl/seed_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace crivello::crawl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class SeedNotes final : public Listener {
 public:
  void Warn(std::string_view event, const std::string& sentence) override {
    told.push_back(std::string(event) + ": " + sentence);
  }
  std::unique_ptr<Progress> NewProgress() override { return std::make_unique<SilentProgress>(); }
  std::vector<std::string> told;
};

TEST(SeedWatchTest, TellsOfAFailedSeedOnceAndCountsItUntilItIsFetched) {
  SeedNotes notes;
  SeedWatch seeds(&notes);
  seeds.Add("http://a.test/", "a.test");
  seeds.Add("http://b.test/", "b.test");
  EXPECT_FALSE(seeds.counts().none_fetched()) << "nothing is known yet";
  seeds.Failed("http://a.test/", "it is broken");
  seeds.Failed("http://a.test/", "it is broken again");
  seeds.Failed("http://a.test/page", "which is not a seed");
  EXPECT_THAT(notes.told, ElementsAre("seed.failed: cannot fetch the seed http://a.test/: it is broken"));
  EXPECT_TRUE(seeds.counts().none_fetched());
  ASSERT_EQ(seeds.troubles(10).size(), 1u);
  EXPECT_EQ(seeds.troubles(10)[0].reason, "it is broken again");
  seeds.Fetched("http://a.test/");
  EXPECT_FALSE(seeds.counts().none_fetched());
  EXPECT_EQ(seeds.counts().fetched, 1u);
  EXPECT_EQ(seeds.counts().failed, 0u);
  EXPECT_THAT(seeds.troubles(10), IsEmpty());
  seeds.Failed("http://a.test/", "too late");
  EXPECT_EQ(seeds.counts().failed, 0u);
}

TEST(SeedWatchTest, AHostThatFailsTakesAllItsSeeds) {
  SeedNotes notes;
  SeedWatch seeds(&notes);
  for (const char* url : {"http://a.test/1", "http://a.test/2", "http://a.test/3"}) seeds.Add(url, "a.test");
  seeds.Add("http://b.test/", "b.test");
  seeds.Fetched("http://a.test/2");
  seeds.HostFailed("a.test", "no such name");
  seeds.HostFailed("c.test", "nobody asked");
  EXPECT_EQ(seeds.counts().failed, 2u);
  EXPECT_EQ(notes.told.size(), 2u);
}

TEST(SeedWatchTest, AfterSomeItSaysThatThereAreMore) {
  SeedNotes notes;
  SeedWatch seeds(&notes);
  for (int i = 0; i < 100; i++) seeds.Add("http://a.test/" + std::to_string(i), "a.test");
  seeds.HostFailed("a.test", "no such name");
  EXPECT_EQ(notes.told.size(), SeedWatch::kToldSeeds + 1);
  EXPECT_EQ(notes.told.back(), "seed.failed: more seeds cannot be fetched; 'crivello report' lists them");
  EXPECT_EQ(seeds.counts().failed, 100u);
  EXPECT_EQ(seeds.troubles(5).size(), 5u);
}

TEST(SeedWatchTest, ASeedThatAnEarlierRunFetchedIsEnough) {
  SeedWatch seeds(nullptr);
  seeds.Add("http://a.test/", "a.test");
  seeds.FetchedBefore();
  seeds.Failed("http://a.test/", "it is broken");
  EXPECT_EQ(seeds.counts().failed, 1u);
  EXPECT_FALSE(seeds.counts().none_fetched());
}

TEST(SeedWatchTest, TellsOfASeedThatLeadsOutOfScope) {
  SeedNotes notes;
  SeedWatch seeds(&notes);
  seeds.Add("http://a.test/", "a.test");
  seeds.Fetched("http://a.test/");
  seeds.RedirectedOut("http://a.test/", "http://www.a.test/");
  seeds.RedirectedOut("http://a.test/", "http://www.a.test/");
  EXPECT_THAT(
      notes.told,
      ElementsAre("seed.redirected: the seed http://a.test/ redirects to http://www.a.test/, which is out of "
                  "scope; add that as a seed, or widen --scope"));
}

}  // namespace
}  // namespace crivello::crawl
