// SPDX-License-Identifier: Apache-2.0
#include "feeds/item_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "feeds/feed_test_support.h"

namespace crivello::feeds {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string LinkOf(int i) { return "https://a.example/" + std::to_string(i); }
std::string IdOf(int i) { return "urn:" + std::to_string(i); }

TEST(ItemMemoryTest, OnlyTheTailIsNewWhateverTheOrder) {
  ItemMemory memory({});
  EXPECT_THAT(memory.TakeNew({Item("2", LinkOf(2)), Item("1", LinkOf(1))}), ElementsAre(0, 1));
  EXPECT_THAT(memory.TakeNew({Item("1", LinkOf(1)), Item("2", LinkOf(2))}), IsEmpty());
  EXPECT_THAT(memory.TakeNew({Item("1", LinkOf(1)), Item("3", LinkOf(3)), Item("2", LinkOf(2))}),
              ElementsAre(1));
}

TEST(ItemMemoryTest, AnItemIsKnownByIdOrByLink) {
  ItemMemory memory({});
  memory.TakeNew({Item("1", LinkOf(1))});
  EXPECT_THAT(memory.TakeNew({Item("1", LinkOf(1) + "?session=5")}), IsEmpty());
  EXPECT_THAT(memory.TakeNew({Item("fresh guid", LinkOf(1))}), IsEmpty());
  EXPECT_THAT(memory.TakeNew({Item("", LinkOf(1))}), IsEmpty());
  EXPECT_THAT(memory.TakeNew({Item("", LinkOf(2))}), ElementsAre(0));
}

TEST(ItemMemoryTest, AnIdThatManyItemsShareIsNoId) {
  ItemMemory memory({});
  memory.TakeNew({Item("https://a.example/", LinkOf(1)), Item("https://a.example/", LinkOf(2))});
  EXPECT_THAT(memory.TakeNew({Item("https://a.example/", LinkOf(3)), Item("https://a.example/", LinkOf(2))}),
              ElementsAre(0));
}

TEST(ItemMemoryTest, ItemsWithNeitherAreKnownByTheirTexts) {
  web::FeedItem one;
  one.title.value = "one";
  web::FeedItem two;
  two.title.value = "two";
  ItemMemory memory({});
  EXPECT_THAT(memory.TakeNew({one}), ElementsAre(0));
  EXPECT_THAT(memory.TakeNew({two, one}), ElementsAre(0));
}

TEST(ItemMemoryTest, AnEmptyAnswerForgetsNothing) {
  ItemMemory memory({});
  std::vector<web::FeedItem> items;
  for (int i = 0; i < 200; ++i) items.push_back(Item(IdOf(i), LinkOf(i)));
  memory.TakeNew(items);
  memory.TakeNew({});
  memory.TakeNew({});
  EXPECT_THAT(memory.TakeNew({items.begin(), items.begin() + 60}), IsEmpty());
}

// A feed shows a sliding window of a sequence of items, shuffled, with some ids and links missing.  Each item
// must be handed on once.
TEST(ItemMemoryTest, HandsEachItemOfASlidingWindowOnOnce) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  SeededRandom random(seed);
  std::vector<uint64_t> stored;
  std::multiset<std::string> handed;
  const int kItems = 2000;
  const int kWindow = 25;
  int last = 0;
  for (int end = kWindow; end <= kItems; end += static_cast<int>(random.Below(kWindow))) {
    std::vector<web::FeedItem> items;
    for (int i = end - kWindow; i < end; ++i) {
      const bool no_id = i % 7 == 0;
      const bool no_link = i % 5 == 0 && !no_id;
      items.push_back(Item(no_id ? "" : IdOf(i), no_link ? "" : LinkOf(i)));
      items.back().title.value = std::to_string(i);
    }
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random.Below(i)]);
    ItemMemory memory(std::move(stored));
    for (const size_t place : memory.TakeNew(items)) handed.insert(items[place].title.value);
    stored = std::move(memory).keys();
    last = end;
  }
  EXPECT_EQ(handed.size(), static_cast<size_t>(last));
  for (int i = 0; i < last; ++i) EXPECT_EQ(handed.count(std::to_string(i)), 1u) << i;
}

TEST(ItemMemoryTest, IsBounded) {
  std::vector<web::FeedItem> items;
  for (int i = 0; i < 100'000; ++i) items.push_back(Item(IdOf(i), LinkOf(i)));
  ItemMemory memory({});
  EXPECT_EQ(memory.TakeNew(items).size(), ItemMemory::kMaxItems);
  std::reverse(items.begin(), items.end());
  EXPECT_EQ(memory.TakeNew(items).size(), ItemMemory::kMaxItems);
  EXPECT_LE(std::move(memory).keys().size(), ItemMemory::kMaxKeys);
}

}  // namespace
}  // namespace crivello::feeds
