// SPDX-License-Identifier: Apache-2.0
#include "sieve/bloom_sieve.h"

#include <cmath>

#include "sieve/sieve_crash.h"
#include "sieve/sieve_load.h"

namespace crivello::sieve {
namespace {

// So exact that the suites' keys lose none.
SieveSubject Plain(const std::string& name, uint64_t keys) {
  return {.name = name, .open = [=](const std::string& folder, FileSystem& fs) {
            return OpenBloomSieve(folder, {.expected_keys = keys, .error_bits = 60, .log_bytes = 5000}, fs);
          }};
}
const SieveSubject kPlain = Plain("Plain", 6000);
// A filter smaller than the released logs, so that it is saved often.
const SieveSubject kSmallBloom = Plain("Small", RandomUser::kKeys);
const SieveSubject kBlocked = {
    .name = "Blocked", .open = [](const std::string& folder, FileSystem& fs) {
      return OpenBloomSieve(
          folder, {.expected_keys = 10000, .error_bits = 24, .blocked = true, .log_bytes = 5000}, fs);
    }};

INSTANTIATE_TEST_SUITE_P(Bloom, SieveContract, testing::Values(kPlain, kBlocked), SubjectName);
INSTANTIATE_TEST_SUITE_P(Bloom, SieveCrash, testing::Values(kSmallBloom, kBlocked), SubjectName);

TEST(BloomSieveTest, LosesAsManyKeysAsTheFormulaSays) {
  for (const bool blocked : {false, true}) {
    // The last loads exceed the size.
    for (const uint64_t keys : {100000u, 200000u, 400000u}) {
      SCOPED_TRACE(testing::Message() << (blocked ? "blocked, " : "plain, ") << keys);
      TemporaryFolder folder;
      const BloomSieveOptions options = {.expected_keys = 100000, .error_bits = 7, .blocked = blocked};
      auto sieve = OpenBloomSieve(folder / "sieve", options);
      ASSERT_TRUE(sieve.ok()) << sieve.status().ToString();
      const auto result = RunSieveLoad(**sieve, {.seed = keys, .offers = keys});
      ASSERT_TRUE(result.ok()) << result.status().ToString();
      const double expected = BloomSieveLosses(options, keys);
      const double lost = static_cast<double>(keys - result->taken);
      // Losses are nearly independent, so their number is within five standard deviations.
      EXPECT_NEAR(lost, expected, 5 * std::sqrt(expected));
      EXPECT_GT(expected, keys == 100000 ? 100 : 1000);
    }
  }
}

TEST(BloomSieveTest, KeepsTheLayoutOfItsFilter) {
  TemporaryFolder folder;
  const BloomSieveOptions options = {.expected_keys = 100, .log_bytes = 1000};
  {
    auto sieve = OpenBloomSieve(folder / "sieve", options);
    ASSERT_TRUE(sieve.ok());
    ASSERT_TRUE(RunSieveLoad(**sieve, {.offers = 1000, .sync_every = 100, .release_every = 100}).ok());
    ASSERT_TRUE((*sieve)->Release().ok());
  }
  ASSERT_TRUE(FileSize(folder / "sieve/filter").ok()) << "saved, since so much was released";
  BloomSieveOptions blocked = options;
  blocked.blocked = true;
  EXPECT_EQ(OpenBloomSieve(folder / "sieve", blocked).status().code(), StatusCode::kInvalidArgument);
  BloomSieveOptions larger = options;
  larger.expected_keys = 1000000;
  auto sieve = OpenBloomSieve(folder / "sieve", larger);
  ASSERT_TRUE(sieve.ok());
  EXPECT_LT((*sieve)->stats().memory_bytes, 2u << 20);
}

}  // namespace
}  // namespace crivello::sieve
