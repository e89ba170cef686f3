// SPDX-License-Identifier: Apache-2.0
#include "sieve/z_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/atomic_file.h"
#include "base/fault_file_system.h"
#include "base/random.h"
#include "base/test_support.h"

namespace crivello::sieve {
namespace {

using Keys = std::vector<uint64_t>;

Keys SortedKeys(Keys keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

// Possible distributions of signatures: uniform; a few hosts of very unequal sizes; one tablet; dense
// clusters; at both ends.
std::vector<std::pair<std::string, Keys>> Distributions(size_t n, uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::pair<std::string, Keys>> result;
  Keys keys(n);
  for (auto& key : keys) key = random.Next();
  result.emplace_back("uniform", SortedKeys(keys));
  for (auto& key : keys) {
    const uint64_t host = Mix64(1 + (random.Below(64) >> random.Below(7)));
    key = host >> 52 << 52 | random.Next() >> 12;
  }
  result.emplace_back("hosts", SortedKeys(keys));
  for (auto& key : keys) key = 0x123u << 20 | random.Next() >> 24;
  result.emplace_back("tablet", SortedKeys(keys));
  for (auto& key : keys) key = random.Below(5) * (~uint64_t{0} / 5) + random.Below(4 * n);
  result.emplace_back("clusters", SortedKeys(keys));
  for (auto& key : keys) key = (random.Below(2) == 0 ? 0 : ~uint64_t{0} - n) + random.Below(n);
  result.emplace_back("ends", SortedKeys(keys));
  std::iota(keys.begin(), keys.end(), uint64_t{1} << 40);
  result.emplace_back("consecutive", keys);
  return result;
}

Status WriteAll(const std::string& path, std::span<const uint64_t> keys, FileSystem& fs = PosixFileSystem()) {
  CRV_ASSIGN(auto writer, ZWriter::Create(path, fs));
  CRV_TRY(writer.Add(keys));
  return writer.Finish();
}

Result<Keys> ReadAll(const std::string& path) {
  CRV_ASSIGN(const ZFile file, ZFile::Open(path));
  ZCursor cursor(file);
  Keys keys;
  Keys page(kMaxZPageKeys);
  for (;;) {
    CRV_TRY(cursor.Next());
    if (cursor.page() == nullptr) break;
    CRV_TRY(cursor.page()->Decode(page));
    keys.insert(keys.end(), page.begin(), page.begin() + static_cast<ptrdiff_t>(cursor.page()->count()));
  }
  EXPECT_EQ(keys.size(), file.keys());
  return keys;
}

TEST(ZFileTest, GivesBackItsKeys) {
  TemporaryFolder folder;
  for (const size_t n : {0u, 1u, 2u, 3u, 100u, 900u, 20000u, 100000u}) {
    for (const auto& [name, keys] : Distributions(n, n)) {
      SCOPED_TRACE(testing::Message() << name << " " << n);
      ASSERT_TRUE(WriteAll(folder / "z", keys).ok());
      const auto read = ReadAll(folder / "z");
      ASSERT_TRUE(read.ok()) << read.status().ToString();
      EXPECT_TRUE(*read == keys);
    }
  }
  const Keys extremes = {0, 1, uint64_t{1} << 63, ~uint64_t{0}};
  ASSERT_TRUE(WriteAll(folder / "z", extremes).ok());
  EXPECT_EQ(*ReadAll(folder / "z"), extremes);
}

TEST(ZFileTest, RefusesKeysThatDoNotRise) {
  TemporaryFolder folder;
  EXPECT_EQ(WriteAll(folder / "z", Keys{1, 3, 2}).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(WriteAll(folder / "z", Keys{1, 1}).code(), StatusCode::kInvalidArgument);
  auto writer = ZWriter::Create(folder / "z");
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE(writer->Add(Keys{5}).ok());
  EXPECT_FALSE(writer->Add(Keys{5}).ok());
  EXPECT_FALSE(FileSize(folder / "z").ok());
}

// The maximum number of bits for n keys, by arithmetic: each page but the last is so full that one more key,
// at most 58 bits, would not fit, and two of its words may be partly used.
double BoundInBits(double n) {
  const double log = n * (2 + 64 - std::log2(n));
  const double page = kZPageWords * 64 - 2 * 63 - 58;
  return (log / page + 1) * kZPageBytes * 8 + 8 * 128;
}

TEST(ZFileTest, TakesNoMoreThanItsBoundWhateverTheKeys) {
  EXPECT_LE(BoundInBits(1e9) / 1e9, 36.7);
  EXPECT_LE(BoundInBits(2e8) / 2e8, 39.1);
  TemporaryFolder folder;
  for (const size_t n : {1000u, 30000u, 500000u}) {
    for (const auto& [name, keys] : Distributions(n, n)) {
      ASSERT_TRUE(WriteAll(folder / "z", keys).ok());
      const double bits = static_cast<double>(*FileSize(folder / "z")) * 8;
      EXPECT_LE(bits, BoundInBits(static_cast<double>(keys.size()))) << name << " " << n;
    }
  }
  // The density of 10^9 uniform keys, in a 2000th of the range: the size per key in such a file.
  SeededRandom random(4);
  Keys keys;
  for (uint64_t key = random.Below(1u << 31); keys.size() < 500000;
       key += 1 + random.Below(uint64_t{36893488147})) {
    keys.push_back(key);
  }
  ASSERT_TRUE(WriteAll(folder / "z", keys).ok());
  EXPECT_LE(static_cast<double>(*FileSize(folder / "z")) * 8 / 500000, 36.7);
}

TEST(ZFileTest, FindsExactlyItsKeys) {
  TemporaryFolder folder;
  for (const auto& [name, keys] : Distributions(200000, 6)) {
    ASSERT_TRUE(WriteAll(folder / "z", keys).ok());
    const auto file = ZFile::Open(folder / "z");
    ASSERT_TRUE(file.ok());
    SeededRandom random(7);
    // From visiting every page to skipping most of them.
    for (const size_t n : {0u, 1u, 3u, 30u, 3000u, 300000u}) {
      SCOPED_TRACE(testing::Message() << name << " " << n);
      Keys asked;
      for (size_t i = 0; i < n; i++) {
        const uint64_t key = keys[random.Below(keys.size())];
        asked.push_back(random.Below(3) == 0 ? random.Next() : key + random.Below(3) - 1);
      }
      asked.push_back(keys.front());
      asked.push_back(keys.back());
      asked.push_back(0);
      asked.push_back(~uint64_t{0});
      asked = SortedKeys(asked);
      Keys found;
      ASSERT_TRUE(FindAll(*file, asked, [&](size_t i) { found.push_back(asked[i]); }).ok());
      Keys expected;
      std::set_intersection(keys.begin(), keys.end(), asked.begin(), asked.end(),
                            std::back_inserter(expected));
      EXPECT_TRUE(found == expected);
    }
  }
}

TEST(ZFileTest, MergesRunsAndFreshKeys) {
  TemporaryFolder folder;
  SeededRandom random(8);
  for (const auto& [name, keys] : Distributions(60000, 8)) {
    for (const size_t runs : {0u, 1u, 2u, 5u}) {
      SCOPED_TRACE(testing::Message() << name << " " << runs);
      std::vector<Keys> parts(runs + 1);
      for (const uint64_t key : keys) parts[random.Below(runs + 1) >> random.Below(3)].push_back(key);
      std::vector<ZFile> files;
      for (size_t i = 0; i < runs; i++) {
        const std::string path = folder / ("z" + std::to_string(i));
        ASSERT_TRUE(WriteAll(path, parts[i]).ok());
        files.push_back(*ZFile::Open(path));
      }
      std::vector<const ZFile*> views;
      for (const auto& file : files) views.push_back(&file);
      auto writer = ZWriter::Create(folder / "merged");
      ASSERT_TRUE(writer.ok());
      ASSERT_TRUE(MergeRuns(
                      views, parts[runs], [] { return false; }, *writer)
                      .ok());
      ASSERT_TRUE(writer->Finish().ok());
      EXPECT_TRUE(*ReadAll(folder / "merged") == keys);
      if (runs == 0 || parts[0].empty()) continue;
      auto doubled = ZWriter::Create(folder / "merged");
      ASSERT_TRUE(doubled.ok());
      EXPECT_EQ(MergeRuns(
                    views, Keys{parts[0].back()}, [] { return false; }, *doubled)
                    .code(),
                StatusCode::kCorruption);
      EXPECT_EQ(MergeRuns(
                    views, {}, [] { return true; }, *doubled)
                    .code(),
                StatusCode::kUnavailable);
    }
  }
}

TEST(ZFileTest, IsCutAtTabletBorders) {
  TemporaryFolder folder;
  SeededRandom random(9);
  for (const auto& [name, keys] : Distributions(50000, 9)) {
    ASSERT_TRUE(WriteAll(folder / "z", keys).ok());
    const auto file = ZFile::Open(folder / "z");
    ASSERT_TRUE(file.ok());
    std::vector<std::pair<uint64_t, uint64_t>> ranges = {{0, ~uint64_t{0}}, {0, 0}, {keys[7], keys[7]}};
    for (uint64_t tablet = 0; tablet < 4; tablet++)
      ranges.emplace_back(tablet << 62, (tablet << 62) + (~uint64_t{0} >> 2));
    for (int i = 0; i < 5; i++) {
      const uint64_t a = keys[random.Below(keys.size())];
      const uint64_t b = random.Next();
      ranges.emplace_back(std::min(a, b), std::max(a, b));
    }
    for (const auto& [first, last] : ranges) {
      SCOPED_TRACE(testing::Message() << name << " " << first << " " << last);
      ASSERT_TRUE(WriteRange(*file, first, last, folder / "part").ok());
      const Keys expected(std::lower_bound(keys.begin(), keys.end(), first),
                          std::upper_bound(keys.begin(), keys.end(), last));
      EXPECT_TRUE(*ReadAll(folder / "part") == expected);
    }
    EXPECT_EQ(WriteRange(*file, 2, 1, folder / "part").code(), StatusCode::kInvalidArgument);
  }
}

TEST(ZFileTest, TellsEveryFlippedBitAndEveryCut) {
  TemporaryFolder folder;
  SeededRandom random(10);
  Keys keys(2000);
  for (auto& key : keys) key = random.Next();
  keys = SortedKeys(keys);
  ASSERT_TRUE(WriteAll(folder / "z", keys).ok());
  const std::string good = *ReadFile(folder / "z");
  const auto check = [&](const std::string& bytes, size_t at) {
    ASSERT_TRUE(WriteFileAtomically(folder / "damaged", AsBytes(bytes)).ok());
    const auto read = ReadAll(folder / "damaged");
    ASSERT_FALSE(read.ok()) << at;
    EXPECT_EQ(read.status().code(), StatusCode::kCorruption);
    EXPECT_THAT(read.status().message(), testing::HasSubstr("damaged"));
  };
  // Excludes the envelope's checksum of the payload, which a reader of pages does not check.
  for (size_t at = 0; at < good.size() - 32; at += 1 + random.Below(5)) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.Below(8)));
    check(bytes, at);
  }
  for (size_t size = 0; size < good.size(); size += 1 + random.Below(200)) check(good.substr(0, size), size);
}

TEST(ZPageTest, StaysInsideWhateverItsBits) {
  SeededRandom random(11);
  std::array<uint64_t, kZPageBytes / 8> page;
  Keys out(kMaxZPageKeys);
  int opened = 0;
  for (int round = 0; round < 20000; round++) {
    if (round % 2 == 0) {
      Keys keys;
      for (int i = 0; i < 300; i++) keys.push_back(random.Next() >> random.Below(40));
      EncodeZPage(SortedKeys(keys), 5, page);
      for (int i = 0; i < 8; i++) page[4 + random.Below(508)] ^= random.Next();
    } else {
      for (auto& word : page) word = random.Next();
      page[3] = random.Below(2049) | random.Below(57) << 16;
      page[2] = page[1] + (random.Next() >> random.Below(64));
    }
    // With the correct checksum, as an attacker would write it.
    const Bytes bytes = std::as_bytes(std::span(page));
    page[0] = Hash64(bytes.subspan(8), Mix64(6));
    const auto parsed = ZPage::Parse(bytes, 5);
    if (!parsed.ok()) continue;
    opened++;
    parsed->Decode(out).IgnoreError();
    ZPageProbe probe(*parsed);
    const uint64_t range = parsed->last() - parsed->first();
    for (uint64_t i = 0; i <= 100; i++) probe.Contains(parsed->first() + range / 100 * i);
  }
  EXPECT_GT(opened, 5000);
}

}  // namespace
}  // namespace crivello::sieve
