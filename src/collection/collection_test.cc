// SPDX-License-Identifier: Apache-2.0
#include "collection/collection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_support.h"

namespace crivello::collection {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> NamesOf(const Collection& collection) {
  std::vector<std::string> names;
  for (const Tablet* tablet : collection.tablets()) names.push_back(tablet->id().Name());
  return names;
}

class CollectionTest : public testing::Test {
 protected:
  Result<std::unique_ptr<Collection>> Open(const std::function<void(CollectionOptions&)>& change = {}) {
    CollectionOptions options;
    options.directory = folder_ / "c";
    options.memory_bytes = 32 << 20;
    if (change) change(options);
    return Collection::Open(options);
  }
  const TemporaryFolder folder_;
};

TEST_F(CollectionTest, KeepsItsNumberOfTablets) {
  EXPECT_EQ(NamesOf(**Open([](auto& options) { options.tablets = 4; })),
            (std::vector<std::string>{"t-00", "t-01", "t-10", "t-11"}));
  EXPECT_EQ((*Open())->map().size(), 4u);
  const auto other = Open([](auto& options) { options.tablets = 2; });
  EXPECT_EQ(other.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(other.status().message(), HasSubstr("has 4 tablets, not 2"));
  const auto three = Open([&](auto& options) {
    options.directory = folder_ / "other";
    options.tablets = 3;
  });
  EXPECT_EQ(three.status().code(), StatusCode::kInvalidArgument);
}

TEST_F(CollectionTest, OwnsAnySubsetOfItsTablets) {
  ASSERT_TRUE(Open([](auto& options) { options.tablets = 4; }).ok());
  const auto some = Open([](auto& options) {
    options.owns = [](const web::TabletId& id) { return id.Name() == "t-01" || id.Name() == "t-11"; };
  });
  ASSERT_TRUE(some.ok()) << some.status().ToString();
  Collection& collection = **some;
  EXPECT_EQ(NamesOf(collection), (std::vector<std::string>{"t-01", "t-11"}));
  int here = 0, elsewhere = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string host = "h" + std::to_string(i) + ".example";
    Tablet* const tablet = collection.Find(host);
    const auto named = collection.TabletOfHost(host);
    if (tablet == nullptr) {
      elsewhere++;
      EXPECT_EQ(named.status().code(), StatusCode::kUnavailable);
      continue;
    }
    here++;
    EXPECT_EQ(*named, tablet);
    EXPECT_TRUE(tablet->id().Contains(web::HostHash(host)));
  }
  EXPECT_GT(here, 50);
  EXPECT_GT(elsewhere, 50);
  EXPECT_EQ(collection.Frontier().owned(), (std::vector<uint32_t>{1, 3}));
}

TEST_F(CollectionTest, TakesAndGivesBackTabletsWhileItIsOpen) {
  const auto opened = Open([](auto& options) { options.tablets = 2; });
  ASSERT_TRUE(opened.ok());
  Collection& collection = **opened;
  const web::TabletId id(1, 0);
  EXPECT_EQ(collection.Acquire(id).status().code(), StatusCode::kInvalidArgument);
  ASSERT_TRUE(collection.Release(id).ok());
  EXPECT_EQ(NamesOf(collection), (std::vector<std::string>{"t-1"}));
  EXPECT_EQ(collection.Release(id).code(), StatusCode::kNotFound);
  {
    // Its lock is free now: another process may have it.
    TabletOptions options;
    options.sieve = "mercator";
    const std::string directory = Collection::TabletDirectory(collection.directory(), id);
    const auto elsewhere = Tablet::Open(std::make_unique<LocalLease>(directory), id, options);
    ASSERT_TRUE(elsewhere.ok()) << elsewhere.status().ToString();
    EXPECT_EQ(collection.Acquire(id).status().code(), StatusCode::kUnavailable);
  }
  ASSERT_TRUE(collection.Acquire(id).ok());
  EXPECT_EQ(collection.tablets().size(), 2u);
  EXPECT_EQ(collection.Acquire(web::TabletId(2, 0)).status().code(), StatusCode::kNotFound);
}

TEST_F(CollectionTest, IsRefusedByNameIfATabletIsMissingOrItIsOfAnEarlierVersion) {
  ASSERT_TRUE(Open([](auto& options) { options.tablets = 4; }).ok());
  std::filesystem::rename(folder_ / "c/tablets/t-10", folder_ / "away");
  const auto missing = Open();
  EXPECT_EQ(missing.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(missing.status().message(), HasSubstr("t-10"));
  std::filesystem::create_directories(folder_ / "old/tablets/0000");
  const auto old = Open([&](auto& options) { options.directory = folder_ / "old"; });
  EXPECT_EQ(old.status().code(), StatusCode::kCorruption);
  EXPECT_THAT(old.status().message(), HasSubstr("earlier version"));
  const auto none = Open([&](auto& options) {
    options.directory = folder_ / "none";
    options.create = false;
  });
  EXPECT_EQ(none.status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
}

TEST_F(CollectionTest, GivesAllTabletsTogetherTheMemoryOfOne) {
  const auto one = Open([](auto& options) { options.memory_bytes = 256 << 20; });
  const auto many = Open([&](auto& options) {
    options.directory = folder_ / "many";
    options.tablets = 16;
    options.memory_bytes = 256 << 20;
  });
  ASSERT_TRUE(one.ok() && many.ok());
  EXPECT_EQ((*many)->memory().sieve * 16, (*one)->memory().sieve);
  EXPECT_EQ((*many)->memory().databases, (*one)->memory().databases);
}

TEST_F(CollectionTest, IsSharedByProcessesThatAttachTheirTablets) {
  ASSERT_TRUE(Open([](auto& options) {
                options.tablets = 2;
                options.owns = [](const web::TabletId&) { return false; };
              }).ok());
  const auto share = [](auto& options) { options.shared = true; };
  const auto one = *Open(share), other = *Open(share);
  EXPECT_TRUE(one->tablets().empty());
  const web::TabletId id = one->map().id(1);
  const auto tablet =
      Tablet::Open(std::make_unique<LocalLease>(Collection::TabletDirectory(folder_ / "c", id)), id,
                   {.sieve = "mercator"});
  ASSERT_TRUE(tablet.ok()) << tablet.status().ToString();
  one->Attach(**tablet, MonotonicTime(std::chrono::seconds(9)));
  EXPECT_EQ(NamesOf(*one), std::vector<std::string>{"t-1"});
  EXPECT_EQ(one->tablet(1), tablet->get());
  const frontier::Tablets tablets = one->Frontier();
  EXPECT_EQ(tablets.owned(), std::vector<uint32_t>{1});
  EXPECT_EQ(tablets[1].rests_until, MonotonicTime(std::chrono::seconds(9)));
  // Another process writes its seeds.
  ASSERT_TRUE(one->AddSeeds({"https://a.test/"}).ok());
  EXPECT_EQ(one->seeds().size(), 1u);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "c/seeds.txt"));
  one->Detach(**tablet);
  EXPECT_TRUE(one->tablets().empty());
  EXPECT_EQ(one->tablet(1), nullptr);
  EXPECT_TRUE((*tablet)->Close().ok());
}

}  // namespace
}  // namespace crivello::collection
