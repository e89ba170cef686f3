// SPDX-License-Identifier: Apache-2.0
#include "index/segments/text_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/random.h"
#include "index/terms/term_test_support.h"

namespace crivello::index {
namespace {

struct Stored {
  std::string url, id, title, description, text;
  StoredDocument view() const { return {url, id, title, description, text}; }
};

std::vector<Stored> SomeTexts(size_t count, size_t words) {
  SeededRandom random(count + words);
  std::vector<Stored> all;
  for (size_t i = 0; i < count; i++) {
    Stored stored = {"http://example.org/" + std::to_string(i), i % 3 == 0 ? "" : "id" + std::to_string(i),
                     SomeWord(random), i % 2 == 0 ? "" : SomeWord(random), ""};
    for (size_t left = random.Below(words + 1); left > 0; left--) stored.text += SomeWord(random) + " ";
    all.push_back(std::move(stored));
  }
  return all;
}

std::vector<std::byte> Write(const std::vector<Stored>& texts) {
  MemorySink sink;
  auto writer = TextStoreWriter::Create(sink);
  for (const Stored& stored : texts) EXPECT_TRUE(writer->Add(stored.view()).ok());
  EXPECT_TRUE(writer->Finish().ok());
  return std::move(sink).Release().at("texts");
}

TEST(TextStoreTest, ReadsEveryDocumentInAnyOrder) {
  for (const auto& [count, words] :
       {std::pair<size_t, size_t>(0, 0), {1, 0}, {1, 20'000}, {3000, 30}, {40, 9000}}) {
    SCOPED_TRACE(testing::Message() << count << " documents of up to " << words << " words");
    const std::vector<Stored> texts = SomeTexts(count, words);
    const std::vector<std::byte> image = Write(texts);
    const auto store = TextStore::FromImage(image);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    ASSERT_EQ(store->documents(), count);
    TextReader reader(*store);
    for (DocId doc = 0; doc < count; doc++) {
      const auto got = reader.Get(doc);
      ASSERT_TRUE(got.ok()) << got.status().ToString();
      ASSERT_EQ(*got, texts[doc].view());
    }
    SeededRandom random(1);
    for (int i = 0; i < 100 && count > 0; i++) {
      const DocId doc = static_cast<DocId>(random.Below(count));
      ASSERT_EQ(*reader.Get(doc), texts[doc].view());
    }
    EXPECT_EQ(reader.Get(static_cast<DocId>(count)).status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(TextStoreTest, GivesTheSameBytesForTheSameTexts) {
  EXPECT_EQ(Write(SomeTexts(300, 100)), Write(SomeTexts(300, 100)));
}

TEST(TextStoreTest, RefusesOrReadsADamagedImage) {
  const std::vector<Stored> texts = SomeTexts(60, 300);
  const std::vector<std::byte> good = Write(texts);
  uint64_t refused_blocks = 0;
  const auto use = [&](const std::vector<std::byte>& image) {
    const auto store = TextStore::FromImage(image);
    if (!store.ok()) {
      EXPECT_EQ(store.status().code(), StatusCode::kCorruption);
      return;
    }
    TextReader reader(*store);
    for (DocId doc = 0; doc < std::min<DocId>(store->documents(), 80); doc++) {
      const auto got = reader.Get(doc);
      if (!got.ok()) {
        ASSERT_EQ(got.status().code(), StatusCode::kCorruption);
        refused_blocks++;
      }
    }
  };
  for (size_t at = 0; at < good.size(); at += at + 600 < good.size() ? 61 : 1) {
    std::vector<std::byte> bad = good;
    bad[at] ^= std::byte{16};
    use(bad);
  }
  EXPECT_GT(refused_blocks, 100u);
  for (size_t size = 0; size < good.size(); size += 9)
    use({good.begin(), good.begin() + std::ptrdiff_t(size)});
}

TEST(TextCacheTest, IsReadInsteadOfTheStoreAndStaysSmall) {
  const std::vector<Stored> texts = SomeTexts(400, 300);
  const std::vector<std::byte> image = Write(texts);
  const std::vector<std::byte> other_image = Write(SomeTexts(400, 200));
  const TextStore store = TextStore::FromImage(image).value();
  const TextStore other = TextStore::FromImage(other_image).value();
  for (const size_t bytes : {size_t{0}, size_t{100'000}, size_t{10'000'000}}) {
    TextCache cache(bytes);
    const char* first = nullptr;
    for (int round = 0; round < 2; round++) {
      TextReader reader(store, &cache);
      TextReader other_reader(other, &cache);
      TextReader plain(store);
      for (DocId doc = 0; doc < store.documents(); doc++) {
        const auto got = reader.Get(doc);
        ASSERT_TRUE(got.ok());
        EXPECT_EQ(*got, plain.Get(doc).value());
        ASSERT_TRUE(other_reader.Get(doc).ok());
        if (doc > 0) continue;
        // The bytes are at the same address, if the cache held them all.
        EXPECT_TRUE(round == 0 || bytes < 10'000'000 || got->url.data() == first);
        first = got->url.data();
      }
    }
  }
}

TEST(TextCacheTest, ForgetsWhatWasNotAskedForTheLongest) {
  const auto block = [] {
    auto made = std::make_shared<TextBlock>();
    made->bytes.assign(1000, 'x');
    return made;
  };
  TextCache cache(12'500);
  for (uint64_t i = 0; i < 10; i++) cache.Add({1, i}, block());
  EXPECT_NE(cache.Find({1, 0}), nullptr);
  cache.Add({1, 10}, block());
  EXPECT_NE(cache.Find({1, 0}), nullptr);
  EXPECT_EQ(cache.Find({1, 1}), nullptr);
  EXPECT_EQ(cache.Find({2, 0}), nullptr);
}

}  // namespace
}  // namespace crivello::index
