// SPDX-License-Identifier: Apache-2.0
#include "sieve/cached_sieve.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>

#include "sieve/signature_cache.h"

namespace crivello::sieve {
namespace {

class CachedSieve final : public Sieve {
 public:
  CachedSieve(std::unique_ptr<Sieve> sieve, uint64_t cache_bytes)
      : sieve_(std::move(sieve)), cache_(cache_bytes) {}

  Status Offer(std::span<const Key> keys) override;
  Status Sync() override { return sieve_->Sync(); }
  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view)>& visit) override {
    return sieve_->Take(limit, visit);
  }
  Status Release() override { return sieve_->Release(); }
  Status Flush(FlushOptions options) override { return sieve_->Flush(options); }
  SieveStats stats() const override;
  SievePending pending() const override { return sieve_->pending(); }
  SievePosition position() const override { return sieve_->position(); }
  Status CopyTo(const std::string& from, const std::string& to) override { return sieve_->CopyTo(from, to); }

 private:
  const std::unique_ptr<Sieve> sieve_;
  SignatureCache cache_;
  std::atomic<uint64_t> cached_ = 0;
};

Status CachedSieve::Offer(std::span<const Key> keys) {
  CRV_TRY(CheckKeys(keys));
  constexpr size_t kGroup = 64;  // keys in one call of the sieve; their cache misses overlap
  std::array<Key, kGroup> fresh;
  while (!keys.empty()) {
    const auto group = keys.first(std::min(kGroup, keys.size()));
    keys = keys.subspan(group.size());
    for (const Key& key : group) cache_.Prefetch(key.signature);
    const auto end = std::copy_if(group.begin(), group.end(), fresh.begin(),
                                  [this](const Key& key) { return !cache_.Contains(key.signature); });
    const std::span<const Key> offered(fresh.begin(), end);
    cached_.fetch_add(group.size() - offered.size(), std::memory_order_relaxed);
    if (offered.empty()) continue;
    CRV_TRY(sieve_->Offer(offered));
    for (const Key& key : offered) cache_.Insert(key.signature);
  }
  return Status::Ok();
}

SieveStats CachedSieve::stats() const {
  SieveStats stats = sieve_->stats();
  stats.cached = cached_.load(std::memory_order_relaxed);
  stats.offered += stats.cached;
  stats.memory_bytes += cache_.memory_bytes();
  return stats;
}

}  // namespace

std::unique_ptr<Sieve> WithCache(std::unique_ptr<Sieve> sieve, uint64_t cache_bytes) {
  return std::make_unique<CachedSieve>(std::move(sieve), cache_bytes);
}

}  // namespace crivello::sieve
