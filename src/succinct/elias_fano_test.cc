// SPDX-License-Identifier: Apache-2.0
#include "succinct/elias_fano.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "base/test_support.h"
#include "succinct/bit_vector_test_support.h"

namespace crivello::succinct {
namespace {

using Element = EliasFano::Element;
constexpr uint64_t kMax = ~uint64_t{0};

std::vector<uint64_t> Image(const std::vector<uint64_t>& values, uint64_t u) {
  EliasFanoBuilder builder(values.size(), u);
  for (const uint64_t value : values) builder.Add(value);
  ImageWriter image;
  const Status status = builder.AppendTo(image);
  EXPECT_TRUE(status.ok()) << status.ToString();
  return std::move(image).Release();
}

Bytes AsImage(const std::vector<uint64_t>& words) { return std::as_bytes(std::span(words)); }

// The example of the lecture notes: the upper bits are the gaps of the upper parts in unary.
TEST(EliasFanoTest, IsBitExactOnTheExampleOfTheNotes) {
  const std::vector<uint64_t> image = Image({5, 8, 8, 15, 32}, 36);
  ASSERT_EQ(image.size(), 4u);  // n, u, lower bits, upper bits; no quanta
  EXPECT_EQ(image[0], 5u);
  EXPECT_EQ(image[1], 36u);
  std::string lower, upper;
  for (unsigned i = 0; i < 5; i++) {
    if (i > 0) lower += ' ';
    for (const unsigned bit : {1u, 0u}) lower += (image[2] >> (2 * i + bit)) & 1 ? '1' : '0';
  }
  for (unsigned i = 0; i < 13; i++) upper += (image[3] >> i) & 1 ? '1' : '0';
  EXPECT_EQ(lower, "01 00 00 11 00");
  EXPECT_EQ(upper,
            "01"
            "01"
            "1"
            "01"
            "000001");
  EXPECT_EQ(image[2] >> 10, 0u);
  EXPECT_EQ(image[3] >> 13, 0u);

  const auto sequence = EliasFano::FromImage(AsImage(image));
  ASSERT_TRUE(sequence.ok());
  EXPECT_EQ(sequence->Access(3), 15u);
  EXPECT_EQ(sequence->SeekTo(9), (Element{3, 15}));
  EXPECT_EQ(sequence->SeekTo(33), (Element{5, EliasFano::kEnd}));
}

struct Case {
  std::string name;
  std::vector<uint64_t> values;
  uint64_t u;
};

std::vector<uint64_t> Uniform(uint64_t n, uint64_t u, Random& random) {
  std::vector<uint64_t> values(n);
  for (auto& value : values) value = u == kMax ? random.Next() : random.Below(u + 1);
  std::sort(values.begin(), values.end());
  return values;
}

std::vector<Case> Cases(Random& random) {
  std::vector<Case> cases;
  for (const uint64_t u : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, uint64_t{1} << 40, kMax - 1, kMax}) {
    cases.push_back({"none", {}, u});
    cases.push_back({"zero", {0}, u});
    cases.push_back({"the bound", {u}, u});
    cases.push_back({"the bound, many times", std::vector<uint64_t>(1000, u), u});
    cases.push_back({"zero, many times", std::vector<uint64_t>(3000, 0), u});
    for (const uint64_t n : {2u, 63u, 64u, 65u, 256u, 257u, 1025u, 5000u})
      cases.push_back({"uniform", Uniform(n, u, random), u});
  }
  Case every{"every number", {}, 4999};
  for (uint64_t i = 0; i < 5000; i++) every.values.push_back(i);
  cases.push_back(every);
  // Many elements at each end: ones are sparse in the middle, zeros at the ends.
  Case crowds{"two crowds", std::vector<uint64_t>(20'000, 3), 1'000'000};
  crowds.values.resize(40'000, 999'990);
  cases.push_back(crowds);
  Case run{"one run in order", {}, uint64_t{1} << 60};
  for (uint64_t i = 0; i < 30'000; i++) run.values.push_back(1'000'000 + 3 * i);
  cases.push_back(run);
  Case gaps{"huge gaps", {}, kMax};
  for (uint64_t x = 1, i = 0; i < 64; i++, x *= 2)
    for (int copies = 0; copies < 40; copies++) gaps.values.push_back(x);
  cases.push_back(gaps);
  return cases;
}

// The elements, their neighbours, the ends, and some random values.
std::vector<uint64_t> Probes(const Case& c, Random& random) {
  std::vector<uint64_t> probes = {0, 1, c.u / 2, c.u - 1, c.u, c.u + 1, kMax - 1, kMax};
  for (size_t i = 0; i < c.values.size(); i += 1 + c.values.size() / 500)
    for (const uint64_t delta : {kMax, uint64_t{0}, uint64_t{1}}) probes.push_back(c.values[i] + delta);
  for (const uint64_t x : Uniform(200, c.u, random)) probes.push_back(x);
  return probes;
}

Element NaiveSuccessor(const std::vector<uint64_t>& values, uint64_t x) {
  const auto at = static_cast<uint64_t>(std::lower_bound(values.begin(), values.end(), x) - values.begin());
  return {at, at < values.size() ? values[at] : EliasFano::kEnd};
}

class EliasFanoCasesTest : public testing::Test {
 protected:
  // Calls check(case, sequence) for each case.
  template <typename Check>
  void ForEachCase(Check check) {
    const uint64_t seed = 7;
    SCOPED_TRACE(seed);
    for (const Case& c : Cases(random_)) {
      SCOPED_TRACE(c.name + ", n = " + std::to_string(c.values.size()) + ", u = " + std::to_string(c.u));
      const auto image = Image(c.values, c.u);
      const auto sequence = EliasFano::FromImage(AsImage(image));
      ASSERT_TRUE(sequence.ok()) << sequence.status().ToString();
      ASSERT_EQ(sequence->size(), c.values.size());
      ASSERT_EQ(sequence->universe(), c.u);
      check(c, *sequence);
      if (HasFatalFailure()) return;
    }
  }
  SeededRandom random_{7};
};

TEST_F(EliasFanoCasesTest, GivesBackEveryValue) {
  ForEachCase([](const Case& c, const EliasFano& sequence) {
    auto cursor = sequence.Begin();
    for (uint64_t i = 0; i < c.values.size(); i++) {
      ASSERT_EQ(sequence.Access(i), c.values[i]) << i;
      ASSERT_FALSE(cursor.AtEnd());
      ASSERT_EQ(cursor.index(), i);
      ASSERT_EQ(cursor.value(), c.values[i]) << i;
      cursor.Next();
    }
    ASSERT_TRUE(cursor.AtEnd());
    ASSERT_EQ(cursor.index(), c.values.size());
    ASSERT_EQ(cursor.value(), EliasFano::kEnd);
  });
}

TEST_F(EliasFanoCasesTest, FindsSuccessorAndPredecessorOfEveryValue) {
  ForEachCase([this](const Case& c, const EliasFano& sequence) {
    for (const uint64_t x : Probes(c, random_)) {
      ASSERT_EQ(sequence.SeekTo(x), NaiveSuccessor(c.values, x)) << x;
      const auto after =
          static_cast<uint64_t>(std::upper_bound(c.values.begin(), c.values.end(), x) - c.values.begin());
      const Element predecessor = sequence.Predecessor(x);
      ASSERT_EQ(predecessor.index, after > 0 ? after - 1 : c.values.size()) << x;
      ASSERT_EQ(predecessor.value, after > 0 ? c.values[after - 1] : EliasFano::kEnd) << x;
    }
  });
}

TEST_F(EliasFanoCasesTest, SeeksForwardFromAnywhere) {
  ForEachCase([this](const Case& c, const EliasFano& sequence) {
    auto probes = Probes(c, random_);
    std::sort(probes.begin(), probes.end());
    for (const size_t stride : {1u, 3u, 50u}) {
      auto cursor = sequence.Begin();
      Element expected = NaiveSuccessor(c.values, 0);
      for (size_t i = 0; i < probes.size(); i += 1 + random_.Below(stride)) {
        cursor.SeekTo(probes[i]);
        // At the end, kEnd is also a value, which may be sought.
        if (expected.index < c.values.size() && expected.value < probes[i])
          expected = NaiveSuccessor(c.values, probes[i]);
        ASSERT_EQ((Element{cursor.index(), cursor.value()}), expected) << probes[i];
        if (!cursor.AtEnd() && random_.Next() % 2 == 0) {
          cursor.Next();
          expected.index++;
          expected.value = expected.index < c.values.size() ? c.values[expected.index] : EliasFano::kEnd;
          ASSERT_EQ((Element{cursor.index(), cursor.value()}), expected);
        }
      }
    }
  });
}

// The total size: 2 + ceil(log(u / n)) bits per element, and 5% more.
TEST(EliasFanoTest, TakesLittleMoreThanItsBound) {
  const uint64_t seed = 8;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const uint64_t n = 300'000;
  for (const double ratio :
       {1.0, 1.01, 1.99, 2.0, 3.0, 3.99, 7.9, 15.9, 31.9, 33.0, 63.9, 1000.0, 1e6, 1e12}) {
    SCOPED_TRACE(ratio);
    const auto u = static_cast<uint64_t>(ratio * static_cast<double>(n));
    const auto image = Image(Uniform(n, u, random), u);
    const double bits = static_cast<double>(image.size()) * 64 / static_cast<double>(n);
    EXPECT_LE(bits, 1.05 * (2 + std::ceil(std::log2(static_cast<double>(u) / static_cast<double>(n)))));
  }
}

TEST(EliasFanoTest, RefusesToBuildWhatIsNotASequence) {
  const auto status = [](uint64_t n, uint64_t u, const std::vector<uint64_t>& values) {
    EliasFanoBuilder builder(n, u);
    for (const uint64_t value : values) builder.Add(value);
    ImageWriter image;
    return builder.AppendTo(image).code();
  };
  EXPECT_EQ(status(2, 10, {1, 2}), StatusCode::kOk);
  EXPECT_EQ(status(2, 10, {2, 1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(status(2, 10, {1, 11}), StatusCode::kInvalidArgument);
  EXPECT_EQ(status(2, 10, {1}), StatusCode::kInvalidArgument);
  EXPECT_EQ(status(2, 10, {1, 2, 3}), StatusCode::kInvalidArgument);
}

// FromImage() checks only lengths: the content may be anything.
TEST(EliasFanoTest, StaysInsideADamagedImage) {
  const uint64_t seed = 9;
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  const auto use = [](const std::vector<uint64_t>& image) {
    const auto sequence = EliasFano::FromImage(AsImage(image));
    if (!sequence.ok()) return;
    uint64_t sum = 0;
    for (uint64_t i = 0; i < sequence->size(); i += 41) sum += sequence->Access(i);
    for (uint64_t x = 0; x < 12'000; x += 41) {
      sum += sequence->SeekTo(x).value + sequence->Predecessor(x).value;
      auto cursor = sequence->Begin();
      cursor.SeekTo(x);
      for (uint64_t y = x; !cursor.AtEnd() && y < 12'000; y += 1000) {
        const uint64_t before = cursor.index();
        cursor.Next();
        cursor.SeekTo(y);
        ASSERT_GT(cursor.index(), before);
      }
    }
    EXPECT_NE(sum, 1u);
  };
  auto values = Uniform(600, 10'000, random);
  values.insert(values.end(), 600, 10'000);
  const auto good = Image(values, 10'000);
  for (size_t bit = 0; bit < good.size() * 64; bit += 1 + bit % 3) {
    auto bad = good;
    bad[bit / 64] ^= uint64_t{1} << (bit % 64);
    use(bad);
  }
  for (size_t i = 0; i < good.size(); i++) {
    for (const uint64_t word : {uint64_t{0}, kMax}) {
      auto bad = good;
      bad[i] = word;
      use(bad);
    }
    EXPECT_FALSE(EliasFano::FromImage(AsImage(good).first(i * 8)).ok());
    EXPECT_FALSE(EliasFano::FromImage(AsImage(good).first(i * 8 + 5)).ok());
  }
  auto no_ones = good;
  for (size_t i = 2; i < good.size(); i++) no_ones[i] = 0;
  use(no_ones);
  auto no_zeros = good;
  for (size_t i = 2; i < good.size(); i++) no_zeros[i] = kMax;
  use(no_zeros);
}

TEST(EliasFanoTest, IsReadFromAMappedFileAndADamagedFileIsRefused) {
  TemporaryFolder folder;
  const std::string path = folder / "sequence";
  const auto image = Image({5, 8, 8, 15, 32}, 36);
  ASSERT_TRUE(WriteImage(path, EliasFano::kFileKind, AsImage(image)).ok());
  {
    const auto mapped = Mapped<EliasFano>::Open(path);
    ASSERT_TRUE(mapped.ok()) << mapped.status().ToString();
    EXPECT_EQ((*mapped)->Access(4), 32u);
    EXPECT_EQ((*mapped)->Describe()[2].name, "lower-bits");
    EXPECT_EQ(std::get<uint64_t>((*mapped)->Describe()[2].value), 2u);
  }
  ExpectEveryDamageIsFound<EliasFano>(path);
}

TEST(EliasFanoTest, IsEmptyByDefault) {
  const EliasFano sequence;
  EXPECT_EQ(sequence.size(), 0u);
  EXPECT_EQ(sequence.SeekTo(0), (Element{0, EliasFano::kEnd}));
  EXPECT_TRUE(sequence.Begin().AtEnd());
}

}  // namespace
}  // namespace crivello::succinct
