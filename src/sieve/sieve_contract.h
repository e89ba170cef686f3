// SPDX-License-Identifier: Apache-2.0
// The tests that every sieve must pass; included only by _test.cc files. They are in sieve_contract_test.cc
// and sieve_crash_test.cc; the test of each sieve lists its subjects:
//   INSTANTIATE_TEST_SUITE_P(Memory, SieveContract, testing::Values(subject), SubjectName);
//   INSTANTIATE_TEST_SUITE_P(Memory, SieveCrash, testing::Values(subject), SubjectName);
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/hash.h"
#include "base/test_support.h"
#include "sieve/sieve.h"

namespace crivello::sieve {

// A way to open a sieve; the first time creates it. Subjects should have such small batches and files that a
// few thousand keys trigger everything that happens in a large crawl.
struct SieveSubject {
  std::string name;  // letters and digits
  std::function<Result<std::unique_ptr<Sieve>>(const std::string& folder, FileSystem& fs)> open;
};
inline std::ostream& operator<<(std::ostream& out, const SieveSubject& subject) {
  return out << subject.name;
}
inline std::string SubjectName(const testing::TestParamInfo<SieveSubject>& info) { return info.param.name; }

// Test keys: the i-th one, with two records (`version`), so that it shows which one came out.
struct TestKey {
  explicit TestKey(uint64_t i, int version = 0)
      : bytes("key-" + std::to_string(i) + "-" + std::to_string(version) +
              std::string(Mix64(i) % 90, static_cast<char>('a' + i % 26))),
        // Few hosts, as in a small crawl: half of the keys share their 12 top bits.
        signature(i % 2 == 0 ? Mix64(i + 1) >> 12 | uint64_t{0xabc} << 52 : Mix64(i + 1)) {}
  Key key() const { return {.signature = signature, .bytes = bytes}; }
  static uint64_t NumberIn(std::string_view text) { return std::stoull(std::string(text.substr(4))); }

  std::string bytes;
  uint64_t signature;
};

class SieveTestBase : public testing::TestWithParam<SieveSubject> {
 protected:
  // Opens the sieve in folder_; fails the test if it cannot.
  std::unique_ptr<Sieve> Open(FileSystem& fs = PosixFileSystem()) {
    auto sieve = GetParam().open(folder_ / "sieve", fs);
    EXPECT_TRUE(sieve.ok()) << sieve.status().ToString();
    return sieve.ok() ? std::move(sieve).value() : nullptr;
  }
  static Status OfferOne(Sieve& sieve, const TestKey& key) {
    const Key one[] = {key.key()};
    return sieve.Offer(one);
  }
  // Everything that comes out after a flush.
  static std::vector<std::string> Drain(Sieve& sieve) {
    const Status flushed = sieve.Flush({.wait = true});
    EXPECT_TRUE(flushed.ok()) << flushed.ToString();
    std::vector<std::string> out;
    for (;;) {
      const auto taken = sieve.Take(1000, [&](std::string_view bytes) { out.emplace_back(bytes); });
      EXPECT_TRUE(taken.ok()) << taken.status().ToString();
      if (!taken.ok() || *taken == 0) return out;
    }
  }

  TemporaryFolder folder_;
};

class SieveContract : public SieveTestBase {};
class SieveCrash : public SieveTestBase {};

}  // namespace crivello::sieve
