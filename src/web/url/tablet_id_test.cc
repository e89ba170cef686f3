// SPDX-License-Identifier: Apache-2.0
#include "web/url/tablet_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace crivello::web {
namespace {

using ::testing::HasSubstr;

TEST(TabletIdTest, NamesItsPrefix) {
  EXPECT_EQ(TabletId().Name(), "t-");
  EXPECT_EQ(TabletId(4, 0b0101).Name(), "t-0101");
  for (const auto& id : {TabletId(), TabletId(1, 1), TabletId(4, 5), TabletId(12, 4095)}) {
    EXPECT_EQ(TabletId::Parse(id.Name()), id);
  }
  for (const char* name : {"", "t", "0000", "t-2", "t-0 ", "x-01", "t-0000000000000"}) {
    EXPECT_EQ(TabletId::Parse(name), std::nullopt) << name;
  }
}

TEST(TabletIdTest, ContainsTheHashesThatBeginWithIt) {
  const TabletId id(2, 0b10);
  EXPECT_TRUE(id.Contains(0b10ull << 62));
  EXPECT_TRUE(id.Contains((0b11ull << 62) - 1));
  EXPECT_FALSE(id.Contains(0b11ull << 62));
  EXPECT_TRUE(TabletId().Contains(~uint64_t{0}));
}

TEST(TabletMapTest, GivesEachHostOneTablet) {
  const auto map = TabletMap::Of({TabletId(1, 1), TabletId(2, 0), TabletId(3, 0b011), TabletId(3, 0b010)});
  ASSERT_TRUE(map.ok()) << map.status().ToString();
  EXPECT_EQ(map->size(), 4u);
  EXPECT_EQ(map->id(0).Name(), "t-00");
  EXPECT_EQ(map->id(3).Name(), "t-1");
  std::mt19937_64 random(7);
  for (int i = 0; i < 10'000; ++i) {
    const uint64_t hash = random();
    const uint32_t slot = map->SlotOf(hash);
    EXPECT_TRUE(map->id(slot).Contains(hash));
    EXPECT_EQ(map->Find(map->id(slot)), slot);
  }
  EXPECT_EQ(map->Find(TabletId(2, 1)), std::nullopt);
}

TEST(TabletMapTest, OfOneCountAgreesWithTheTopBits) {
  for (const uint32_t count : {1u, 2u, 64u, 4096u}) {
    const auto map = TabletMap::Uniform(count);
    ASSERT_TRUE(map.ok());
    std::mt19937_64 random(count);
    for (int i = 0; i < 1000; ++i) {
      const uint64_t hash = random();
      EXPECT_EQ(map->SlotOf(hash), TabletOf(hash, std::countr_zero(count)));
    }
  }
  for (const uint32_t count : {0u, 3u, 8192u}) {
    EXPECT_EQ(TabletMap::Uniform(count).status().code(), StatusCode::kInvalidArgument) << count;
  }
}

TEST(TabletMapTest, NamesWhatIsMissingOrTwice) {
  const auto of = [](const std::vector<std::string>& names) {
    return TabletMap::OfNames(names).status().message();
  };
  EXPECT_THAT(of({"t-00", "t-1"}), HasSubstr("t-01"));
  EXPECT_THAT(of({"t-0"}), HasSubstr("t-1"));
  EXPECT_THAT(of({"lost+found"}), HasSubstr("missing: t- "));
  EXPECT_THAT(of({"t-0", "t-01", "t-1"}), HasSubstr("t-01 overlaps"));
  const std::vector<std::string> names = {"t-1", "0000", "t-0", "tmp"};
  EXPECT_TRUE(TabletMap::OfNames(names).ok());
}

}  // namespace
}  // namespace crivello::web
