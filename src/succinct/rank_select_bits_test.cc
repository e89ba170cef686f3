// SPDX-License-Identifier: Apache-2.0
#include "succinct/rank_select_bits.h"

#include <gtest/gtest.h>

#include "base/test_support.h"
#include "succinct/bit_vector_test_support.h"

namespace crivello::succinct {
namespace {

std::vector<uint64_t> BitsImage(const BitVectorBuilder& bits) {
  ImageWriter image;
  bits.AppendRankSelectBits(image);
  return std::move(image).Release();
}

Bytes BitsAsImage(const std::vector<uint64_t>& words) { return std::as_bytes(std::span(words)); }

void CheckSelects(const BitVectorBuilder& bits) {
  const auto image = BitsImage(bits);
  const auto select = RankSelectBits::FromImage(BitsAsImage(image));
  ASSERT_TRUE(select.ok()) << select.status().ToString();
  ASSERT_EQ(select->size(), bits.size());
  uint64_t ones = 0;
  for (uint64_t i = 0; i < bits.size(); i++) {
    if (bits.Get(i)) {
      ASSERT_EQ(select->Select1(ones++), i);
    } else {
      ASSERT_EQ(select->Select0(i - ones), i);
    }
  }
  ASSERT_EQ(select->ones(), ones);
  ASSERT_EQ(select->Rank(bits.size()), ones);
}

TEST(RankSelectBitsTest, SelectsEveryOneAndEveryZero) {
  const uint64_t seed = 4;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (const uint64_t size :
       {0u, 1u, 63u, 64u, 65u, 511u, 512u, 513u, 1536u, 2047u, 2048u, 2049u, 100'000u, 2'000'000u}) {
    SCOPED_TRACE(size);
    for (const auto& [name, bits] : KindsOfBits(size, random)) {
      SCOPED_TRACE(name);
      CheckSelects(bits);
    }
  }
}

// Groups with explicit positions, next to groups without.
TEST(RankSelectBitsTest, SelectsAmongBitsFarApart) {
  BitVectorBuilder bits(50'000'000);
  for (uint64_t i = 0; i < 20'000; i++) bits.Set(1'000'000 + i);
  for (uint64_t i = 10'000'000; i < 40'000'000; i += 1'000'003) bits.Set(i);
  for (uint64_t i = 0; i < 20'000; i++) bits.Set(45'000'000 + 2 * i);
  const auto image = BitsImage(bits);
  const auto select = RankSelectBits::FromImage(BitsAsImage(image));
  ASSERT_TRUE(select.ok());
  EXPECT_GT(std::get<uint64_t>(select->Describe()[3].value), 30u);
  uint64_t rank = 0;
  for (uint64_t i = 0; i < bits.size(); i++)
    if (bits.Get(i)) {
      ASSERT_EQ(select->Select1(rank++), i);
    }
  for (uint64_t r = 0; r < bits.size() - rank; r += 997) {
    const uint64_t i = select->Select0(r);
    ASSERT_FALSE(bits.Get(i));
    ASSERT_EQ(select->Rank0(i), r);
  }
}

// The clusters are worst cases for each part of the directory in turn.
TEST(RankSelectBitsTest, TakesAtMostATenthOfTheBits) {
  const uint64_t seed = 5;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const auto check = [](const std::string& name, const BitVectorBuilder& bits) {
    SCOPED_TRACE(name);
    const auto image = BitsImage(bits);
    const auto size = static_cast<double>(bits.size());
    const double extra = (static_cast<double>(image.size()) * 64 - size) / size;
    EXPECT_LT(extra, 0.097);
    EXPECT_GT(extra, 0.031);
  };
  for (const auto& [name, bits] : KindsOfBits(1'000'000, random)) check(name, bits);
  const uint64_t large = 100'000'000;
  check("zeros", BitVectorBuilder(large));
  BitVectorBuilder sparse(large), dense(large), clustered(large), just_written_out(large);
  for (uint64_t i = 0; i < large / 3000; i++) sparse.Set(random.Below(large));
  for (uint64_t i = 0; i < large; i++)
    if (i % 3 != 0) dense.Set(i);
  for (uint64_t i = 0; i < large; i++)
    if (i % 65'536 < 2048) clustered.Set(i);
  for (uint64_t i = 0; i < large; i += 2049) just_written_out.Set(i);
  check("sparse", sparse);
  check("dense", dense);
  check("clustered", clustered);
  check("just written out", just_written_out);
}

// FromImage() trusts lengths only after checking them, and trusts nothing else.
TEST(RankSelectBitsTest, StaysInsideADamagedImage) {
  const uint64_t seed = 6;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  BitVectorBuilder builder(5000);
  for (uint64_t i = 0; i < 2500; i++) builder.Set(random.Below(2500));
  const auto good = BitsImage(builder);
  const auto use = [](const std::vector<uint64_t>& image) {
    const auto bits = RankSelectBits::FromImage(BitsAsImage(image));
    if (!bits.ok()) return;
    uint64_t sum = 0;
    for (uint64_t i = 0; i <= bits->size(); i += 61) sum += bits->Rank(i);
    for (uint64_t r = 0; r < bits->ones(); r += 61) sum += bits->Select1(r);
    for (uint64_t r = 0; r < bits->size() - bits->ones(); r += 61) sum += bits->Select0(r);
    EXPECT_NE(sum, 1u);
  };
  for (size_t bit = 0; bit < good.size() * 64; bit++) {
    auto bad = good;
    bad[bit / 64] ^= uint64_t{1} << (bit % 64);
    use(bad);
  }
  for (size_t i = 0; i < good.size(); i++) {
    auto bad = good;
    bad[i] = ~uint64_t{0};
    use(bad);
    EXPECT_FALSE(RankSelectBits::FromImage(BitsAsImage(good).first(i * 8)).ok());
    EXPECT_FALSE(RankSelectBits::FromImage(BitsAsImage(good).first(i * 8 + 3)).ok());
  }
}

TEST(RankSelectBitsTest, IsReadFromAMappedFileAndADamagedFileIsRefused) {
  TemporaryFolder folder;
  BitVectorBuilder builder(1000);
  builder.Set(42);
  const auto image = BitsImage(builder);
  const std::string path = folder / "bits";
  ASSERT_TRUE(WriteImage(path, RankSelectBits::kFileKind, BitsAsImage(image)).ok());
  {
    const auto mapped = Mapped<RankSelectBits>::Open(path);
    ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
    EXPECT_EQ((*mapped)->Select1(0), 42u);
  }
  EXPECT_EQ(Mapped<RankBits>::Open(path).status().code(), StatusCode::kCorruption);
  ExpectEveryDamageIsFound<RankSelectBits>(path);
}

}  // namespace
}  // namespace crivello::succinct
