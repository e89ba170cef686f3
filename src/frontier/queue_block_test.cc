// SPDX-License-Identifier: Apache-2.0
#include "frontier/queue_block.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace crivello::frontier {
namespace {

std::vector<QueueItem> ReadAll(std::string_view bytes, std::string_view host, bool* ok) {
  QueueBlockReader reader(bytes, host);
  std::vector<QueueItem> items;
  QueueItem item;
  while (reader.Next(item)) items.push_back(item);
  *ok = reader.ok();
  return items;
}

std::vector<QueueItem> RandomItems(uint64_t seed, size_t count) {
  SeededRandom random(seed);
  std::vector<QueueItem> items;
  WallTime found(std::chrono::seconds(1'800'000'000));
  for (size_t i = 0; i < count; i++) {
    QueueItem item;
    item.url = fmt::format("{}://example.com{}/dir{}/page-{}?q={}", random.Below(3) == 0 ? "http" : "https",
                           random.Below(5) == 0 ? ":8080" : "", random.Below(3), random.Below(100),
                           std::string(random.Below(200), 'x'));
    item.kind = static_cast<UrlKind>(random.Below(3));
    item.depth = static_cast<uint32_t>(random.Below(4) == 0 ? random.Next() : 3);
    item.attempts = static_cast<uint32_t>(random.Below(4) == 0 ? random.Next() : 0);
    if (random.Below(3) == 0) found += std::chrono::seconds(random.Below(1000)) - std::chrono::seconds(500);
    item.found = found;
    const uint64_t page = random.Below(4);
    if (page == 0) item.via = "http://elsewhere.example/links.html";
    if (page == 1) item.via = fmt::format("https://example.com/dir{}/", random.Below(3));
    if (page == 2 && i > 0) item.via = items.back().via;
    item.place.index = static_cast<uint32_t>(i);
    item.last_of_block = i + 1 == count;
    items.push_back(item);
  }
  return items;
}

void Write(const std::vector<QueueItem>& items, QueueBlockWriter& writer) {
  for (const QueueItem& item : items) {
    writer.Add(*SplitUrl(item.url),
               {item.kind, item.depth, item.attempts, item.found, Via::Of(item.url, item.via)});
  }
}

TEST(QueueBlockTest, GivesBackItsItems) {
  QueueBlockWriter writer;
  for (uint64_t seed = 1; seed <= 50; seed++) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    const auto items = RandomItems(seed, 1 + seed);
    writer.Clear();
    Write(items, writer);
    EXPECT_EQ(writer.items(), items.size());
    bool ok = false;
    EXPECT_EQ(ReadAll(writer.bytes(), "example.com", &ok), items);
    EXPECT_TRUE(ok);
  }
}

TEST(QueueBlockTest, BlocksOneAfterTheOtherAreABlock) {
  std::vector<QueueItem> all;
  std::string bytes;
  QueueBlockWriter writer;
  for (uint64_t seed = 1; seed <= 5; seed++) {
    writer.Clear();
    const auto items = RandomItems(seed, seed);
    Write(items, writer);
    bytes.append(writer.bytes());
    for (QueueItem item : items) {
      item.place.index = static_cast<uint32_t>(all.size());
      item.last_of_block = false;
      all.push_back(std::move(item));
    }
  }
  all.back().last_of_block = true;
  bool ok = false;
  EXPECT_EQ(ReadAll(bytes, "example.com", &ok), all);
  EXPECT_TRUE(ok);
  ReadAll(bytes + bytes.front(), "example.com", &ok);
  EXPECT_FALSE(ok) << "a part without items";
}

TEST(QueueBlockTest, NamesAPageOnceForAllItsLinks) {
  QueueBlockWriter writer;
  const auto add = [&writer](std::string_view page) {
    const std::string url = "https://example.com/a/page";
    writer.Add(*SplitUrl(url), {.via = Via::Of(url, page)});
    return writer.bytes().size();
  };
  const size_t first = add("https://example.com/a/list");
  const size_t second = add("https://example.com/a/list");
  const size_t other = add("https://example.com/a/other");
  EXPECT_EQ(second - first, 3u);
  EXPECT_EQ(other - second, 3u + 2 + std::string("other").size());
}

TEST(QueueBlockTest, KeepsTimesBeforeTheEpochAndTheExtremes) {
  QueueBlockWriter writer;
  std::vector<QueueItem> items(2);
  items[0].url = "http://h/";
  items[0].found = WallTime(std::chrono::seconds(-9'000'000'000));
  items[1].url = "https://h:1/";
  items[1].found = WallTime(std::chrono::seconds(9'000'000'000));
  items[1].depth = items[1].attempts = 0xffffffff;
  items[1].place.index = 1;
  items[1].last_of_block = true;
  Write(items, writer);
  bool ok = false;
  EXPECT_EQ(ReadAll(writer.bytes(), "h", &ok), items);
  EXPECT_TRUE(ok);
}

TEST(QueueBlockTest, LeavesOutWhatIsShared) {
  QueueBlockWriter writer;
  for (int i = 0; i < 100; i++) {
    const std::string url = fmt::format("https://example.com/a/rather/long/path/to/page-{}", i);
    writer.Add(*SplitUrl(url), {});
  }
  EXPECT_LT(writer.bytes().size(), 100u * 8);
}

TEST(QueueBlockTest, NeverLeavesItsBytesWhateverTheyAre) {
  QueueBlockWriter writer;
  Write(RandomItems(7, 10), writer);
  const std::string good(writer.bytes());
  bool ok = false;
  for (size_t i = 0; i < good.size(); i++) {
    ReadAll(std::string(good, 0, i), "h", &ok);
    for (int bit = 0; bit < 8; bit++) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << bit));
      for (const QueueItem& item : ReadAll(bad, "h", &ok)) {
        EXPECT_LE(item.url.size(), QueueBlockWriter::kMaxUrlBytes + 20);
      }
    }
  }
  ReadAll("", "h", &ok);
  EXPECT_FALSE(ok);
  ReadAll("\x02", "h", &ok);
  EXPECT_FALSE(ok);
}

}  // namespace
}  // namespace crivello::frontier
