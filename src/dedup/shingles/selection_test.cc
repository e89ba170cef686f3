// SPDX-License-Identifier: Apache-2.0
#include "dedup/shingles/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/hash.h"
#include "base/random.h"

namespace crivello::dedup {
namespace {

using Kind = Selection::Kind;

std::vector<uint64_t> RandomValues(SeededRandom* random, size_t count, uint64_t range) {
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values) value = random->Below(range);
  return values;
}

TEST(SelectionTest, WinnowsTheExampleOfThePaper) {
  // Schleimer, Wilkerson and Aiken, figure 2: windows of four, the last of equal minima.
  const std::vector<uint64_t> values = {77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98};
  std::vector<uint64_t> selected;
  for (const size_t i : SelectedPositions(values, {.kind = Kind::kWinnow, .parameter = 4})) {
    selected.push_back(values[i]);
  }
  EXPECT_EQ(selected, (std::vector<uint64_t>{17, 17, 8, 39, 17}));
}

TEST(SelectionTest, WinnowsWhatItsDefinitionSays) {
  SeededRandom random(1);
  for (int round = 0; round < 200; round++) {
    const auto values = RandomValues(&random, random.Below(60), 20);
    const size_t window = 1 + random.Below(10);
    std::set<size_t> expected;
    const size_t length = std::min(window, values.size());
    for (size_t i = 0; length > 0 && i + length <= values.size(); i++) {
      size_t least = i;
      for (size_t j = i; j < i + length; j++) least = values[j] <= values[least] ? j : least;
      expected.insert(least);
    }
    const auto got = SelectedPositions(values, {.kind = Kind::kWinnow, .parameter = window});
    EXPECT_EQ(std::vector<size_t>(expected.begin(), expected.end()), got);
  }
}

TEST(SelectionTest, KeepsTheLeastOfAPermutation) {
  SeededRandom random(2);
  for (int round = 0; round < 100; round++) {
    const auto values = RandomValues(&random, random.Below(80), 50);
    std::set<std::pair<uint64_t, uint64_t>> order;
    for (const uint64_t value : values) order.emplace(Mix64(value), value);
    std::set<uint64_t> expected;
    for (const auto& [hash, value] : order) {
      if (expected.size() < 10) expected.insert(value);
    }
    const auto set = SelectedSet(values, {.kind = Kind::kMin, .parameter = 10});
    EXPECT_EQ(set, std::vector<uint64_t>(expected.begin(), expected.end()));
  }
  // If enough are requested, the least ones are all of them.
  const auto values = RandomValues(&random, 100, 1000);
  EXPECT_EQ(SelectedSet(values, {.kind = Kind::kAll}),
            SelectedSet(values, {.kind = Kind::kMin, .parameter = 1000}));
}

TEST(SelectionTest, IsWrittenAsItIsRead) {
  for (const char* name : {"all", "mod:4", "winnow:8", "min:32"}) {
    const auto selection = Selection::Parse(name);
    ASSERT_TRUE(selection.ok()) << name;
    EXPECT_EQ(selection->ToString(), name);
  }
  for (const char* name : {"", "mod", "mod:", "mod:0", "mod:x", "mod:4 ", "least:4", "all:3", "min:-1"}) {
    EXPECT_FALSE(Selection::Parse(name).ok()) << name;
  }
}

}  // namespace
}  // namespace crivello::dedup
