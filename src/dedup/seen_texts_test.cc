// SPDX-License-Identifier: Apache-2.0
#include "dedup/seen_texts.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"

namespace crivello::dedup {
namespace {

std::unique_ptr<SeenTexts> Must(Result<std::unique_ptr<SeenTexts>> seen) {
  EXPECT_TRUE(seen.ok()) << seen.status().ToString();
  return seen.ok() ? std::move(seen).value() : nullptr;
}

TEST(SeenTextsTest, KnowsWhatItSawAndWhere) {
  const auto seen = Must(SeenTexts::Create({.memory_bytes = 1 << 20}));
  EXPECT_FALSE(seen->Look(1, 10).anywhere);
  seen->Add(1, 10);
  EXPECT_TRUE(seen->Look(1, 10).anywhere);
  EXPECT_TRUE(seen->Look(1, 10).on_this_host);
  EXPECT_TRUE(seen->Look(1, 11).anywhere);
  EXPECT_FALSE(seen->Look(1, 11).on_this_host);
  EXPECT_FALSE(seen->Look(2, 10).anywhere);
}

TEST(SeenTextsTest, ForgetsTheOldestAndStaysWithinItsMemory) {
  const SeenTexts::Options options = {.memory_bytes = 1 << 18, .error = 0x1p-10};
  const auto seen = Must(SeenTexts::Create(options));
  const uint64_t generation = seen->generation_texts();
  ASSERT_GT(generation, 10'000u);
  SeededRandom random(1);
  std::vector<uint64_t> texts;
  for (uint64_t i = 0; i < generation * 6; i++) {
    texts.push_back(random.Next());
    seen->Add(texts.back(), i % 100);
    EXPECT_LE(seen->MemoryBytes(), options.memory_bytes);
  }
  for (uint64_t i = generation * 3; i < texts.size(); i++) {
    EXPECT_TRUE(seen->Look(texts[i], i % 100).on_this_host);
  }
  uint64_t remembered = 0, wrong = 0;
  for (uint64_t i = 0; i < generation; i++) {
    remembered += seen->Look(texts[i], i % 100).anywhere ? 1 : 0;
    wrong += seen->Look(random.Next(), 1).anywhere ? 1 : 0;
  }
  EXPECT_LT(remembered, generation / 100);
  EXPECT_LT(wrong, generation / 300);
}

TEST(SeenTextsTest, CountsATextOnce) {
  const auto seen = Must(SeenTexts::Create({.memory_bytes = 1 << 18}));
  seen->Add(77, 1);
  for (uint64_t i = 0; i < seen->generation_texts() * 10; i++) seen->Add(5, 1);
  EXPECT_TRUE(seen->Look(77, 1).anywhere) << "the same text again and again pushes nothing out";
}

TEST(SeenTextsTest, IsAsItWasWhenItIsLoaded) {
  const TemporaryFolder folder;
  const SeenTexts::Options options = {.memory_bytes = 1 << 16, .error = 0x1p-10};
  const auto seen = Must(SeenTexts::Create(options));
  SeededRandom random(2);
  std::vector<uint64_t> texts;
  for (uint64_t i = 0; i < seen->generation_texts() * 5 / 2; i++) {
    texts.push_back(random.Next());
    seen->Add(texts.back(), 3);
  }
  ASSERT_TRUE(seen->Save(folder / "seen").ok());
  const auto loaded = Must(SeenTexts::Load(folder / "seen", options));
  for (const uint64_t text : texts) EXPECT_TRUE(loaded->Look(text, 3).on_this_host);
  // Both behave the same from here on.
  for (uint64_t i = 0; i < seen->generation_texts() * 2; i++) {
    const uint64_t text = random.Next();
    EXPECT_EQ(seen->Look(text, 3).anywhere, loaded->Look(text, 3).anywhere);
    seen->Add(text, 3);
    loaded->Add(text, 3);
  }
  for (const uint64_t text : texts) EXPECT_EQ(seen->Look(text, 3).anywhere, loaded->Look(text, 3).anywhere);

  const auto other = Must(SeenTexts::Load(folder / "seen", {.memory_bytes = 1 << 17}));
  EXPECT_FALSE(other->Look(texts.back(), 3).anywhere) << "of another size: begun anew";
  EXPECT_EQ(SeenTexts::Load(folder / "none", options).status().code(), StatusCode::kNotFound);
}

TEST(SeenTextsTest, KeepsTheOldFileIfSavingFails) {
  const TemporaryFolder folder;
  const SeenTexts::Options options = {.memory_bytes = 1 << 16};
  const auto seen = Must(SeenTexts::Create(options));
  seen->Add(1, 1);
  ASSERT_TRUE(seen->Save(folder / "seen").ok());
  seen->Add(2, 1);
  for (uint64_t fail_at = 1;; fail_at++) {
    FaultFileSystem fs({.fail_at = fail_at, .tear = true});
    const bool saved = seen->Save(folder / "seen", fs).ok();
    const auto loaded = Must(SeenTexts::Load(folder / "seen", options));
    EXPECT_TRUE(loaded->Look(1, 1).anywhere);
    if (saved) {
      EXPECT_TRUE(loaded->Look(2, 1).anywhere);
      break;
    }
  }
}

TEST(SeenTextsTest, RefusesDamage) {
  const TemporaryFolder folder;
  const SeenTexts::Options options = {.memory_bytes = 4096, .error = 0x1p-4};
  const auto seen = Must(SeenTexts::Create(options));
  for (uint64_t i = 0; i < seen->generation_texts() * 2; i++) seen->Add(i, 1);
  ASSERT_TRUE(seen->Save(folder / "seen").ok());
  const auto file = FormatFile::Open(folder / "seen", SeenTexts::kFileKind);
  ASSERT_TRUE(file.ok());
  const std::string whole(AsText(file->payload()));
  const auto loaded = Must(SeenTexts::Create(options));
  const auto use = [&](std::string_view bytes) {
    std::vector<uint64_t> words((bytes.size() + 7) / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    const Status status = loaded->Restore(std::as_bytes(std::span(words)).first(bytes.size()));
    for (uint64_t i = 0; i < 10; i++) {
      loaded->Add(i, 1);
      EXPECT_TRUE(loaded->Look(i, 1).on_this_host);
    }
    return status.ok();
  };
  EXPECT_TRUE(use(whole));
  for (size_t size = 16; size < whole.size(); size++) {
    EXPECT_FALSE(use(std::string_view(whole).substr(0, size)));
  }
  for (size_t at = 0; at < std::min<size_t>(whole.size(), 256); at++) {
    for (int bit = 0; bit < 8; bit++) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      use(bytes);
    }
  }
  EXPECT_FALSE(SeenTexts::Create({.memory_bytes = 10}).ok());
  EXPECT_FALSE(SeenTexts::Create({.error = 0.9}).ok());
  EXPECT_FALSE(SeenTexts::Create({.error = 0x1p-40}).ok());
}

TEST(SeenTextsTest, TakesManyThreads) {
  // So large that nothing is dropped, however long a thread pauses between its two calls.
  const auto seen = Must(SeenTexts::Create({.memory_bytes = 1 << 20}));
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 2000; i++) {
        seen->Add(t * 10'000 + i, t);
        EXPECT_TRUE(seen->Look(t * 10'000 + i, t).on_this_host);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace crivello::dedup
