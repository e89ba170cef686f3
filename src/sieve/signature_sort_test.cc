// SPDX-License-Identifier: Apache-2.0
#include "sieve/signature_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/random.h"

namespace crivello::sieve {
namespace {

// The obvious way.
std::vector<uint32_t> StableOrder(const std::vector<uint64_t>& keys) {
  std::vector<uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  return order;
}

std::vector<std::vector<uint64_t>> Inputs(uint64_t seed) {
  SeededRandom random(seed);
  std::vector<std::vector<uint64_t>> inputs = {{}, {0}, {5, 5, 5}, {~uint64_t{0}, 0}};
  const auto add = [&](size_t n, const auto& draw) {
    std::vector<uint64_t> keys(n);
    for (auto& key : keys) key = draw();
    inputs.push_back(std::move(keys));
  };
  for (const size_t n : {10u, 25u, 1000u, 70000u}) {
    add(n, [&] { return random.Next(); });
    add(n, [&] { return random.Below(n / 3 + 1); });                                      // many equal
    add(n, [&] { return random.Next() >> random.Below(64); });                            // of all lengths
    add(n, [&] { return uint64_t{0xabc} << 52 | random.Next() >> 12; });                  // one host
    add(n, [&] { return random.Below(2) * (uint64_t{0xabc} << 52) + random.Below(n); });  // two hosts, dense
    add(n, [&] { return uint64_t{7}; });
    add(n, [&] { return uint64_t{1} << random.Below(64); });
  }
  return inputs;
}

TEST(SignatureSortTest, SortsIndirectlyAndStably) {
  SignatureSort sort;  // one for all, because its memory is kept
  for (const uint64_t seed : {1u, 2u}) {
    SCOPED_TRACE(seed);
    for (const auto& keys : Inputs(seed)) {
      auto scratch = keys;
      sort.Sort(scratch);
      const auto order = StableOrder(keys);
      ASSERT_TRUE(sort.positions() == order) << keys.size();
      for (size_t i = 0; i < order.size(); i++) ASSERT_EQ(sort.signatures()[i], keys[order[i]]);
    }
  }
}

TEST(SignatureSortTest, KeepsTheFirstOfEqualOnes) {
  SignatureSort sort;
  for (const auto& keys : Inputs(3)) {
    auto scratch = keys;
    sort.Sort(scratch);
    sort.Deduplicate();
    ASSERT_TRUE(std::is_sorted(sort.signatures().begin(), sort.signatures().end()));
    std::vector<uint64_t> distinct = keys;
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    ASSERT_TRUE(sort.signatures() == distinct);
    ASSERT_EQ(sort.positions().size(), distinct.size());
    if (keys.size() > 2000) continue;
    for (size_t i = 0; i < distinct.size(); i++) {
      ASSERT_EQ(sort.positions()[i], std::find(keys.begin(), keys.end(), distinct[i]) - keys.begin());
    }
  }
}

}  // namespace
}  // namespace crivello::sieve
