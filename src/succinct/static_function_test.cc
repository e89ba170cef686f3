// SPDX-License-Identifier: Apache-2.0
#include "succinct/static_function.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/test_support.h"
#include "succinct/static_function_builder.h"

namespace crivello::succinct {
namespace {

struct Construction {
  GraphKind graph;
  bool compacted;
};

constexpr Construction kConstructions[] = {{GraphKind::kGraph2, false},      {GraphKind::kGraph2, true},
                                           {GraphKind::kHypergraph3, false}, {GraphKind::kHypergraph3, true},
                                           {GraphKind::kFuse4, false},       {GraphKind::kFuse4, true}};

std::string FunctionKey(uint64_t i) {
  return "https://example.org/" + std::to_string(i * i) + "/" + std::to_string(i);
}

uint64_t ValueOf(uint64_t i, unsigned bits) { return Mix64(i) & PackedMask(bits); }

ImageWriter FunctionImage(StaticFunctionOptions options, uint64_t keys) {
  StaticFunctionBuilder builder(options);
  for (uint64_t i = 0; i < keys; i++) EXPECT_TRUE(builder.Add(FunctionKey(i), ValueOf(i, options.bits)).ok());
  auto image = builder.Build();
  EXPECT_TRUE(image.ok()) << image.status().ToString();
  return std::move(image).value();
}

double BitsPerKey(const ImageWriter& image, uint64_t keys) {
  return 8 * static_cast<double>(image.bytes().size()) / static_cast<double>(keys);
}

void ExpectAllValues(const StaticFunction& f, uint64_t keys, unsigned bits) {
  std::vector<std::string> strings;
  for (uint64_t i = 0; i < keys; i++) strings.push_back(FunctionKey(i));
  const std::vector<std::string_view> views(strings.begin(), strings.end());
  std::vector<uint64_t> batch(keys);
  f.GetBatch(views, batch);
  for (uint64_t i = 0; i < keys; i++) {
    ASSERT_EQ(f.Get(views[i]), ValueOf(i, bits)) << i;
    ASSERT_EQ(f.Get(f.Sign(views[i])), ValueOf(i, bits)) << i;
    ASSERT_EQ(batch[i], ValueOf(i, bits)) << i;
  }
}

TEST(StaticFunctionTest, ReturnsEveryValueInEveryConstruction) {
  for (const auto [graph, compacted] : kConstructions) {
    for (const uint64_t keys : {0u, 1u, 2u, 3u, 10u, 1000u, 20000u}) {
      for (const unsigned bits : {1u, 7u, 16u, 27u, 57u, 58u, 64u}) {
        SCOPED_TRACE(testing::Message() << int(graph) << compacted << " keys " << keys << " bits " << bits);
        const ImageWriter image = FunctionImage({.bits = bits, .graph = graph, .compacted = compacted}, keys);
        const auto f = StaticFunction::FromImage(image.bytes());
        ASSERT_TRUE(f.ok()) << f.status().ToString();
        EXPECT_EQ(f->size(), keys);
        EXPECT_EQ(f->bits(), bits);
        ExpectAllValues(*f, keys, bits);
        // A foreign key gives an arbitrary value of that many bits.
        EXPECT_EQ(f->Get("nobody") & ~PackedMask(bits), 0u);
      }
    }
  }
}

TEST(StaticFunctionTest, ReturnsEveryValueOfManyKeysInManyShards) {
  for (const auto [graph, compacted] : kConstructions) {
    SCOPED_TRACE(testing::Message() << int(graph) << compacted);
    constexpr uint64_t kKeys = 100'000;
    const ImageWriter image =
        FunctionImage({.bits = 27, .graph = graph, .compacted = compacted, .max_shard_keys = 5000}, kKeys);
    const auto f = StaticFunction::FromImage(image.bytes());
    ASSERT_TRUE(f.ok());
    ExpectAllValues(*f, kKeys, 27);
  }
}

TEST(StaticFunctionTest, WorksWhereMostShardsAreEmptyAndWhereBucketsHoldManyShards) {
  const ImageWriter image = FunctionImage({.bits = 9, .max_shard_keys = 1}, 1500);  // 2048 shards
  const auto f = StaticFunction::FromImage(image.bytes());
  ASSERT_TRUE(f.ok());
  ExpectAllValues(*f, 1500, 9);
}

TEST(StaticFunctionTest, TakesTheBitsOfTheLargestValueIfNoneAreGiven) {
  for (const uint64_t largest : {uint64_t{0}, uint64_t{1}, uint64_t{1000}, ~uint64_t{0}}) {
    StaticFunctionBuilder builder;
    ASSERT_TRUE(builder.Add("a", largest).ok());
    ASSERT_TRUE(builder.Add("b", 0).ok());
    const auto image = builder.Build();
    ASSERT_TRUE(image.ok());
    const auto f = StaticFunction::FromImage(image->bytes());
    EXPECT_EQ(f->bits(), std::max<uint64_t>(1, static_cast<uint64_t>(std::bit_width(largest))));
    EXPECT_EQ(f->Get("a"), largest);
    EXPECT_EQ(f->Get("b"), 0u);
  }
}

TEST(StaticFunctionTest, RefusesDuplicateKeysInEveryConstruction) {
  for (const auto [graph, compacted] : kConstructions) {
    for (const int copies : {2, 3, 300}) {
      StaticFunctionBuilder builder({.graph = graph, .compacted = compacted});
      for (uint64_t i = 0; i < 1000; i++) ASSERT_TRUE(builder.Add(FunctionKey(i), i).ok());
      for (int i = 1; i < copies; i++) ASSERT_TRUE(builder.Add(FunctionKey(7), 7).ok());
      const Status status = builder.Build().status();
      EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
      EXPECT_NE(status.message().find("duplicate key: it was added with value 7 and with value 7"),
                std::string::npos)
          << status.ToString();
    }
  }
}

TEST(StaticFunctionTest, RefusesImpossibleOptionsAndValues) {
  StaticFunctionBuilder narrow({.bits = 4});
  EXPECT_EQ(narrow.Add("a", 16).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(narrow.Add("a", 15).ok());
  const auto status = [](StaticFunctionOptions options) {
    return StaticFunctionBuilder(std::move(options)).Build().status().code();
  };
  EXPECT_EQ(status({.bits = 65}), StatusCode::kInvalidArgument);
  EXPECT_EQ(status({.threads = 0}), StatusCode::kInvalidArgument);
  EXPECT_EQ(status({.max_shard_keys = 0}), StatusCode::kInvalidArgument);
  EXPECT_EQ(status({.max_shard_keys = kMaxShardKeys}), StatusCode::kInvalidArgument);
  StaticFunctionBuilder many_shards({.max_shard_keys = 1});
  for (uint64_t i = 0; i < 5000; i++) ASSERT_TRUE(many_shards.Add(FunctionKey(i), i).ok());
  EXPECT_EQ(many_shards.Build().status().code(), StatusCode::kInvalidArgument);
}

// Distinct signatures that are equal in the bits that edges use: no salt makes such a graph peelable.
TEST(StaticFunctionTest, GivesUpOnSignaturesThatAreNotRandom) {
  StaticFunctionBuilder builder;
  for (uint64_t i = 0; i < 3; i++) ASSERT_TRUE(builder.Add({.low = 5, .high = i}, i).ok());
  const Status status = builder.Build().status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("another seed"), std::string::npos);
}

TEST(StaticFunctionTest, HasTheSameBytesWhateverTheThreadsTheMemoryAndTheOrderOfKeys) {
  TemporaryFolder folder;
  constexpr uint64_t kKeys = 100'000;
  for (const auto [graph, compacted] : kConstructions) {
    StaticFunctionOptions options = {
        .bits = 20, .graph = graph, .compacted = compacted, .max_shard_keys = 9000};
    const std::vector<uint64_t> expected = FunctionImage(options, kKeys).Release();
    options.threads = 3;
    EXPECT_EQ(FunctionImage(options, kKeys).Release(), expected);
    options.threads = 64;
    EXPECT_EQ(FunctionImage(options, kKeys).Release(), expected);
    options.store = {.memory_bytes = 0, .temporary_directory = folder.path()};
    {
      StaticFunctionBuilder builder(options);
      for (uint64_t i = kKeys; i-- > 0;) ASSERT_TRUE(builder.Add(FunctionKey(i), ValueOf(i, 20)).ok());
      EXPECT_TRUE(builder.spilled());
      EXPECT_FALSE(std::filesystem::is_empty(folder.path()));
      auto image = builder.Build();
      ASSERT_TRUE(image.ok());
      EXPECT_EQ(std::move(*image).Release(), expected);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  }
}

TEST(StaticFunctionTest, SaysSoIfItsTemporaryFolderIsNotThere) {
  StaticFunctionBuilder builder({.store = {.memory_bytes = 0, .temporary_directory = "/nonexistent"}});
  Status status;
  for (uint64_t i = 0; i < 100'000 && status.ok(); i++) status = builder.Add(FunctionKey(i), i);
  EXPECT_FALSE(status.ok());
}

TEST(StaticFunctionTest, DependsOnTheSeed) {
  const std::vector<uint64_t> one = FunctionImage({.bits = 8, .seed = 1}, 100).Release();
  const std::vector<uint64_t> two = FunctionImage({.bits = 8, .seed = 2}, 100).Release();
  EXPECT_NE(one, two);
}

TEST(StaticFunctionTest, TakesTheSpaceOfTheNotes) {
  constexpr uint64_t kKeys = 100'000;
  constexpr unsigned kBits = 27;
  const auto size = [&](GraphKind graph, bool compacted) {
    return BitsPerKey(FunctionImage({.bits = kBits, .graph = graph, .compacted = compacted}, kKeys), kKeys);
  };
  EXPECT_NEAR(size(GraphKind::kGraph2, false), 2.09 * kBits, 0.05);
  EXPECT_NEAR(size(GraphKind::kHypergraph3, false), 1.23 * kBits, 0.05);
  // n b + 1.23 n, and 1/32 of the latter for rank.
  EXPECT_NEAR(size(GraphKind::kHypergraph3, true), kBits + 1.23 * (1 + 1.0 / 32), 0.05);
  EXPECT_NEAR(size(GraphKind::kFuse4, true), kBits + 1.122 * (1 + 1.0 / 32), 0.05);
}

TEST(StaticFunctionTest, TakesAtMostATenthMoreThanTheValuesFromSixteenBitsOn) {
  constexpr uint64_t kKeys = 600'000;
  EXPECT_LE(BitsPerKey(FunctionImage({.bits = 16}, kKeys), kKeys), 1.085 * 16);
  EXPECT_LE(BitsPerKey(FunctionImage({.bits = 16, .compacted = true}, 10'000), 10'000), 1.10 * 16);
}

// Like WriteFileAtomically, but without syncing.
void Overwrite(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

TEST(StaticFunctionTest, LiesInAFileAndFindsDamageThere) {
  TemporaryFolder folder;
  const std::string path = folder / "f";
  for (const bool compacted : {false, true}) {
    StaticFunctionBuilder builder({.bits = 12, .compacted = compacted});
    for (uint64_t i = 0; i < 50; i++) ASSERT_TRUE(builder.Add(FunctionKey(i), ValueOf(i, 12)).ok());
    ASSERT_TRUE(builder.WriteFile(path).ok());
    {
      const auto f = Mapped<StaticFunction>::Open(path);
      ASSERT_TRUE(f.ok()) << f.status().ToString();
      ExpectAllValues(**f, 50, 12);
      EXPECT_EQ(std::string(AsText(f->file().payload())), AsText(builder.Build()->bytes()));
    }
    const std::string good = *ReadFile(path);
    for (size_t at = 0; at < good.size(); at++) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ 4);
      Overwrite(path, bad);
      EXPECT_EQ(Mapped<StaticFunction>::Open(path).status().code(), StatusCode::kCorruption) << at;
      Overwrite(path, good.substr(0, at));
      EXPECT_EQ(Mapped<StaticFunction>::Open(path).status().code(), StatusCode::kCorruption) << at;
    }
  }
}

// Under the address sanitizer: an image without its envelope's checksum may give wrong values, but never a
// read outside.
TEST(StaticFunctionTest, StaysWithinADamagedImage) {
  for (const auto [graph, compacted] : kConstructions) {
    const std::vector<uint64_t> good =
        FunctionImage({.bits = 12, .graph = graph, .compacted = compacted, .max_shard_keys = 20}, 60)
            .Release();
    const auto use = [](const std::vector<uint64_t>& words) {
      const auto f = StaticFunction::FromImage(std::as_bytes(std::span(words)));
      if (!f.ok()) {
        EXPECT_EQ(f.status().code(), StatusCode::kCorruption);
        return;
      }
      std::vector<Signature128> signatures;
      for (uint64_t i = 0; i < 40; i++) signatures.push_back(f->Sign(FunctionKey(i)));
      std::vector<uint64_t> out(signatures.size());
      f->GetBatch(signatures, out);
      for (size_t i = 0; i < out.size(); i++) EXPECT_EQ(f->Get(signatures[i]), out[i]);
      EXPECT_FALSE(f->Describe().empty());
    };
    for (size_t bit = 0; bit < good.size() * 64; bit++) {
      std::vector<uint64_t> bad = good;
      bad[bit / 64] ^= uint64_t{1} << (bit % 64);
      use(bad);
    }
    for (size_t size = 0; size < good.size(); size++)
      use({good.begin(), good.begin() + std::ptrdiff_t(size)});
  }
}

TEST(StaticFunctionTest, DescribesItself) {
  const ImageWriter image = FunctionImage({.bits = 12, .seed = 99}, 1000);
  const Description description = StaticFunction::FromImage(image.bytes())->Describe();
  EXPECT_EQ(description[0].name, "keys");
  EXPECT_EQ(std::get<uint64_t>(description[0].value), 1000u);
  EXPECT_EQ(description.back().name, "bits-per-key");
  EXPECT_DOUBLE_EQ(std::get<double>(description.back().value), BitsPerKey(image, 1000));
}

// The notes say that a graph of 2.09 n vertices is almost always acyclic. In fact the probability tends to a
// constant, for a bipartite one sqrt(1 - (2 / 2.09)^2) = 0.29. For 3-hypergraphs it does tend to one.
TEST(PeelingTest, SucceedsAsOftenAsTheTheorySays) {
  const auto successes = [](GraphKind kind, uint64_t keys, int trials) {
    std::vector<SignedValue> equations(keys);
    std::vector<uint64_t> slots;
    Shard shard = Shard::For(kind, keys);
    SeededRandom random(1);
    int count = 0;
    for (int t = 0; t < trials; t++) {
      for (SignedValue& e : equations) e.signature.low = random.Next();
      count += PeelAndSolve(kind, shard, equations, &slots);
    }
    return count;
  };
  constexpr int kTrials = 200;
  // Six standard deviations are 0.19 of the trials; finite graphs succeed slightly more often than the limit.
  EXPECT_NEAR(successes(GraphKind::kGraph2, 5000, kTrials), 0.33 * kTrials, 0.19 * kTrials);
  EXPECT_GE(successes(GraphKind::kHypergraph3, 100'000, 10), 9);
  EXPECT_GE(successes(GraphKind::kFuse4, 5000, kTrials), 0.9 * kTrials);
}

TEST(PeelingTest, ChoosesDistinctSlotsWithinTheShard) {
  SeededRandom random(2);
  for (const uint64_t keys :
       {uint64_t{0}, uint64_t{1}, uint64_t{2}, uint64_t{50}, uint64_t{100'000}, kMaxShardKeys}) {
    const auto check = [&]<GraphKind kind>(std::integral_constant<GraphKind, kind>) {
      const Shard shard = Shard::For(kind, keys);
      EXPECT_TRUE(shard.Fits(kind, shard.slots(kind)));
      EXPECT_FALSE(shard.Fits(kind, shard.slots(kind) - 1));
      for (int i = 0; i < 1000; i++) {
        auto slots = EdgeSlots<kind>(shard, i == 0 ? 0 : i == 1 ? ~uint64_t{0} : random.Next());
        std::sort(slots.begin(), slots.end());
        EXPECT_EQ(std::adjacent_find(slots.begin(), slots.end()), slots.end());
        EXPECT_LT(slots.back(), shard.slots(kind));
      }
    };
    check(std::integral_constant<GraphKind, GraphKind::kGraph2>());
    check(std::integral_constant<GraphKind, GraphKind::kHypergraph3>());
    check(std::integral_constant<GraphKind, GraphKind::kFuse4>());
  }
}

}  // namespace
}  // namespace crivello::succinct
