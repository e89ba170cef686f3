// SPDX-License-Identifier: Apache-2.0
#include "dedup/minhash/minhash.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "dedup/minhash/minhash_kernels.h"

namespace crivello::dedup {
namespace {

// Calls test() once for each instruction set of this machine.
template <typename Test>
void ForEachTarget(Test test) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(target);
    test();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(MinHashTest, DrawsTheConstantsOfNumpy) {
  const MinHashConstants drawn = DrawMinHashConstants(112);
  EXPECT_TRUE(std::equal(drawn.a.begin(), drawn.a.end(), FineWebFactors().begin(), FineWebFactors().end()));
  EXPECT_TRUE(std::equal(drawn.b.begin(), drawn.b.end(), FineWebSummands().begin(), FineWebSummands().end()));
}

// Computed with numpy by datatrove's formula, from the same words.
TEST(MinHashTest, HasTheMinimaOfDatatrove) {
  MinHasher hasher = MinHasher::Create(kFineWebShape).value();
  const auto minima =
      hasher.Minima(Words("Tropical fish include fish found in tropical environments around the world"));
  const std::vector<uint64_t> hashes = {4981201081599462104u, 11144726614682892343u, 16423059365946969298u,
                                        3725383887679534739u, 11110535586527945496u, 17933369640756520821u,
                                        18303540170506770625u};
  EXPECT_TRUE(std::equal(hashes.begin(), hashes.end(), hasher.shingles().begin(), hasher.shingles().end()));
  ASSERT_EQ(minima.size(), 112u);
  const std::vector<uint64_t> first = {373691293695268883u, 4053943961420500u,  470257314847421086u,
                                       87050430298002879u,  3234174925535249u,  54274288121269611u,
                                       340895978012435258u, 659368313387424960u};
  EXPECT_TRUE(std::equal(first.begin(), first.end(), minima.begin()));
  EXPECT_EQ(minima[110], 11125071104412157u);
  EXPECT_EQ(minima[111], 254946301475281403u);
  uint64_t all = 0;
  for (const uint64_t minimum : minima) all ^= minimum;
  EXPECT_EQ(all, 259964292765245376u);
  EXPECT_TRUE(hasher.Minima(Words("only four words here")).empty());
}

TEST(MinHashTest, UpdatesMinimaBySimdAsPlainly) {
  SeededRandom random(1);
  for (size_t functions : {1u, 2u, 3u, 7u, 8u, 9u, 20u, 112u, 113u, 128u}) {
    const MinHashConstants constants = DrawMinHashConstants(functions, 5);
    std::vector<uint64_t> hashes(random.Below(40));
    for (uint64_t& hash : hashes) {
      hash = random.Next();
      // Hashes whose products are close to multiples of the prime.
      if (random.Below(2) == 0) hash = kMinHashPrime * random.Below(9) + random.Below(3) - 1;
    }
    std::vector<uint64_t> plain(functions, ~uint64_t{0});
    UpdateMinimaPlainly(hashes, {constants.a.data(), constants.b.data(), plain.data(), functions});
    ForEachTarget([&] {
      std::vector<uint64_t> simd(functions, ~uint64_t{0});
      UpdateMinima(hashes, {constants.a.data(), constants.b.data(), simd.data(), functions});
      EXPECT_EQ(plain, simd) << functions;
    });
  }
  // The edge cases of the reduction, unchanged by a = 1, b = 0, in every lane.
  const std::vector<uint64_t> ones(16, 1), zeros(16, 0);
  ForEachTarget([&] {
    for (uint64_t multiple = 0; multiple <= 8; multiple++) {
      for (uint64_t offset = 0; offset < 5; offset++) {
        const uint64_t hash = multiple * kMinHashPrime + offset - 2;
        std::vector<uint64_t> simd(16, ~uint64_t{0});
        UpdateMinima({&hash, 1}, {ones.data(), zeros.data(), simd.data(), simd.size()});
        EXPECT_EQ(simd, std::vector<uint64_t>(16, hash % kMinHashPrime)) << hash;
      }
    }
  });
}

TEST(MinHashTest, HashesBySha1InLanesAsOneByOne) {
  SeededRandom random(2);
  std::vector<std::string> strings;
  for (size_t length = 0; length < 200; length++) strings.emplace_back(length, static_cast<char>(length));
  for (int i = 0; i < 300; i++) {
    std::string bytes(random.Below(130), ' ');
    for (char& byte : bytes) byte = static_cast<char>(random.Below(256));
    strings.push_back(std::move(bytes));
  }
  const std::vector<std::string_view> messages(strings.begin(), strings.end());
  for (const size_t count : {messages.size(), size_t{1}, size_t{17}, size_t{0}}) {
    std::vector<uint64_t> plain(count);
    HashBySha1Plainly(std::span(messages).last(count), plain.data());
    ForEachTarget([&] {
      std::vector<uint64_t> simd(count);
      HashBySha1(std::span(messages).last(count), simd.data());
      EXPECT_EQ(plain, simd);
    });
  }
}

TEST(MinHashTest, HasItsKneeAtTheResemblanceOfFineWeb) {
  EXPECT_NEAR(kFineWebShape.Knee(), 0.72, 0.001);
  EXPECT_NEAR(kFineWebShape.ChanceOfSharedBand(0.8), 0.924, 0.001);
  EXPECT_FALSE(MinHasher::Create({.gram = 0}).ok());
  EXPECT_FALSE(MinHasher::Create({.bands = 0}).ok());
  EXPECT_FALSE(MinHasher::Create({.bands = 1 << 12, .rows = 1 << 12}).ok());
}

// Two texts of numbered words that share the first part of their shingles.
TEST(MinHashTest, EstimatesResemblanceWithinItsPredictedError) {
  SeededRandom random(3);
  MinHasher hasher = MinHasher::Create({.gram = 1}).value();
  double squares = 0;
  double expected = 0;
  int shared_bands = 0;
  double expected_bands = 0;
  constexpr int kPairs = 300;
  for (int pair = 0; pair < kPairs; pair++) {
    const uint64_t common = 20 + random.Below(80), own = random.Below(15);
    std::string a, b;
    for (uint64_t i = 0; i < common; i++) {
      const std::string word = "w" + std::string(1, static_cast<char>('a' + pair % 26)) +
                               std::string(1 + i, static_cast<char>('a' + pair / 26)) + " ";
      a += word;
      b += word;
    }
    for (uint64_t i = 0; i < own; i++) {
      a += "x" + std::string(1 + i, static_cast<char>('a' + random.Below(20))) + " ";
      b += "y" + std::string(1 + i, static_cast<char>('a' + random.Below(20))) + " ";
    }
    const auto minima_a = hasher.Minima(Words(a));
    const std::vector<uint64_t> kept(minima_a.begin(), minima_a.end());
    const auto minima_b = hasher.Minima(Words(b));
    const double exact = static_cast<double>(common) / static_cast<double>(common + 2 * own);
    const double error = EstimatedResemblance(kept, minima_b) - exact;
    squares += error * error;
    expected += exact * (1 - exact) / 112;
    const auto keys_a = BandKeys(kept, hasher.shape()), keys_b = BandKeys(minima_b, hasher.shape());
    bool shares = false;
    for (size_t band = 0; band < 14; band++) shares = shares || keys_a[band] == keys_b[band];
    shared_bands += shares ? 1 : 0;
    expected_bands += hasher.shape().ChanceOfSharedBand(exact);
  }
  EXPECT_NEAR(std::sqrt(squares / kPairs), std::sqrt(expected / kPairs), 0.25 * std::sqrt(expected / kPairs));
  // Four standard deviations, if each pair were a coin toss.
  EXPECT_NEAR(shared_bands, expected_bands, 2 * std::sqrt(kPairs));
}

}  // namespace
}  // namespace crivello::dedup
