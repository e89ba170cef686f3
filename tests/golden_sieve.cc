// SPDX-License-Identifier: Apache-2.0
// Sieves as left by a crawl: some keys were taken and released, some decided and not yet taken, some only
// offered.
#include "base/hash.h"
#include "golden.h"
#include "sieve/memory_sieve.h"
#include "sieve/mercator_sieve.h"
#include "sieve/offline_sieve.h"

namespace crivello {
namespace {

using sieve::Key;
using sieve::Sieve;
using OpenSieve = std::function<Result<std::unique_ptr<Sieve>>(const std::string& folder)>;

constexpr uint64_t kDecided = 5;   // offered and decided
constexpr uint64_t kReleased = 2;  // of those, taken and released
constexpr uint64_t kOffered = 7;   // in total

std::string UrlAt(uint64_t i) { return "https://example.org/" + std::to_string(i); }

Status Offer(Sieve& sieve, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; i++) {
    const std::string url = UrlAt(i);
    const Key key = {Mix64(i), url};
    CRV_TRY(sieve.Offer({&key, 1}));
  }
  return Status::Ok();
}

Result<std::vector<std::string>> TakeAll(Sieve& sieve) {
  std::vector<std::string> taken;
  CRV_TRY(sieve.Flush({.wait = true}));
  CRV_TRY(sieve.Take(1000, [&](std::string_view url) { taken.emplace_back(url); }).status());
  return taken;
}

Status WriteSieve(const OpenSieve& open, const std::string& folder) {
  CRV_ASSIGN(const auto sieve, open(folder));
  CRV_TRY(Offer(*sieve, 0, kDecided));
  CRV_TRY(Offer(*sieve, 0, 1));  // a duplicate
  CRV_TRY(sieve->Flush({.wait = true}));
  CRV_TRY(sieve->Take(kReleased, [](std::string_view) {}).status());
  CRV_TRY(sieve->Release());
  CRV_TRY(Offer(*sieve, kDecided, kOffered));
  return sieve->Sync();
}

Golden SieveGolden(const std::string& name, const OpenSieve& open) {
  return {.name = name,
          .write = [=](const std::string& folder) { return WriteSieve(open, folder); },
          .check =
              [=](const std::string& folder) {
                CRV_GOLDEN_ASSIGN(const auto sieve, open(folder));
                const Status offered = Offer(*sieve, 0, kOffered + 1);  // all but the last are known
                ASSERT_TRUE(offered.ok()) << offered.ToString();
                CRV_GOLDEN_ASSIGN(const auto taken, TakeAll(*sieve));
                std::vector<std::string> expected;
                for (uint64_t i = kReleased; i <= kOffered; i++) expected.push_back(UrlAt(i));
                EXPECT_EQ(taken, expected);
              }};
}

}  // namespace

std::vector<Golden> SieveGoldens() {
  // One log per key, so that some logs are completely released.
  const OpenSieve memory = [](const std::string& folder) {
    return sieve::OpenMemorySieve(folder, {.log_bytes = 1});
  };
  const OpenSieve mercator = [](const std::string& folder) {
    return sieve::OpenMercatorSieve(folder, {.memory_bytes = 16 << 20, .batch_keys = 100});
  };
  const OpenSieve offline = [](const std::string& folder) {
    return sieve::OpenOfflineSieve(folder, {.memory_bytes = 1 << 20, .batch_bytes = 1 << 20});
  };
  return {SieveGolden("sieve-memory-v1", memory), SieveGolden("sieve-mercator-v1", mercator),
          SieveGolden("sieve-offline-v1", offline)};
}

}  // namespace crivello
