// SPDX-License-Identifier: Apache-2.0
#include "sieve/bloom_sieve.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/folder.h"
#include "base/mutex.h"
#include "sieve/key_queue.h"
#include "sieve/sieve_files.h"
#include "succinct/bloom_filter.h"

namespace crivello::sieve {
namespace {

using succinct::BasicBloomFilter;
using succinct::BasicMutableBloomFilter;

// The key for the filters. A signature is already a hash, except its top bits, which may all be
// equal.
Signature128 Spread(uint64_t signature) {
  return {.low = Mix64(signature), .high = Mix64(signature ^ 0x9e3779b97f4a7c15u)};
}

template <typename Layout>
class BloomSieve final : public Sieve {
 public:
  using Filter = BasicMutableBloomFilter<Layout>;

  BloomSieve(const std::string& folder, FileSystem& fs) : fs_(fs), filter_path_(folder + "/filter") {}

  Status Recover(const std::string& folder, const BloomSieveOptions& options) {
    MutexLock lock(mu_);
    CRV_TRY(MakeFolders(folder));
    CRV_TRY(RemoveTemporaries(folder, fs_));
    CRV_TRY(OpenFilter(options));
    CRV_ASSIGN(auto queue, KeyQueue::Open(
                               folder, {.log_bytes = options.log_bytes},
                               [&](uint64_t signature) CRV_REQUIRES(mu_) { Remember(signature); }, fs_));
    queue_.emplace(std::move(queue));
    return Status::Ok();
  }

  Status Offer(std::span<const Key> keys) override {
    CRV_TRY(CheckKeys(keys));
    MutexLock lock(mu_);
    for (const Key& key : keys) {
      stats_.offered++;
      if (filter_->Contains(Spread(key.signature))) continue;
      CRV_TRY(queue_->Append(key));
      Remember(key.signature);
      stats_.passed++;
    }
    return Status::Ok();
  }

  Status Sync() override {
    MutexLock lock(mu_);
    return queue_->Sync();
  }

  Result<uint64_t> Take(uint64_t limit, const std::function<void(std::string_view)>& visit) override {
    MutexLock lock(mu_);
    return queue_->Take(limit, visit);
  }

  Status Release() override {
    MutexLock lock(mu_);
    CRV_TRY(queue_->Release());
    if (queue_->released_bytes() == 0 || queue_->released_bytes() < filter_bytes()) return Status::Ok();
    CRV_TRY(queue_->Sync());
    CRV_TRY(filter_->WriteFile(filter_path_, fs_));
    saved_bytes_ = filter_bytes();
    return queue_->Drop();
  }

  Status Flush(FlushOptions) override { return Status::Ok(); }  // everything is decided already

  SievePending pending() const override {
    MutexLock lock(mu_);
    return {.untaken = queue_->untaken(), .known = filter_->view().adds()};
  }

  SieveStats stats() const override {
    MutexLock lock(mu_);
    SieveStats stats = stats_;
    stats.known = filter_->view().adds();
    stats.untaken = queue_->untaken();
    stats.written_bytes = fs_.written_bytes();
    stats.disk_bytes = queue_->disk_bytes() + saved_bytes_;
    stats.memory_bytes = filter_bytes() + queue_->memory_bytes();
    return stats;
  }

 private:
  Status OpenFilter(const BloomSieveOptions& options) CRV_REQUIRES(mu_) {
    auto file = FormatFile::OpenAny(filter_path_);
    if (file.ok()) {
      if (file->kind() != Layout::kFileKind.name) {
        return Status::InvalidArgument(fmt::format("{}: found a {} sieve, but a {} sieve was requested",
                                                   filter_path_, file->kind(), Layout::kFileKind.name));
      }
      CRV_TRY(file->Expect(Layout::kFileKind));
      auto filter = Filter::FromImage(file->payload());
      if (!filter.ok()) return filter.status().WithContext(filter_path_);
      filter_.emplace(std::move(filter).value());
      saved_bytes_ = filter_bytes();
      return Status::Ok();
    }
    if (file.status().code() != StatusCode::kNotFound) return file.status();
    CRV_ASSIGN(auto filter, Filter::Create({.expected_keys = options.expected_keys,
                                            .error = std::exp2(-static_cast<double>(options.error_bits))}));
    filter_.emplace(std::move(filter));
    return Status::Ok();
  }

  void Remember(uint64_t signature) CRV_REQUIRES(mu_) {
    const Signature128 spread = Spread(signature);
    if (!filter_->Contains(spread)) filter_->Add(spread);
  }
  uint64_t filter_bytes() const CRV_REQUIRES(mu_) { return filter_->view().bits() / 8; }

  CountingFileSystem fs_;
  const std::string filter_path_;
  mutable Mutex mu_;
  std::optional<Filter> filter_ CRV_GUARDED_BY(mu_);
  std::optional<KeyQueue> queue_ CRV_GUARDED_BY(mu_);
  uint64_t saved_bytes_ CRV_GUARDED_BY(mu_) = 0;
  SieveStats stats_ CRV_GUARDED_BY(mu_);
};

template <typename Layout>
Result<std::unique_ptr<Sieve>> OpenBloom(const std::string& folder, const BloomSieveOptions& options,
                                         FileSystem& fs) {
  auto sieve = std::make_unique<BloomSieve<Layout>>(folder, fs);
  CRV_TRY(sieve->Recover(folder, options));
  return std::unique_ptr<Sieve>(std::move(sieve));
}

// The bits of a lost key are all set already, so the filter is as full as if the key had been added.
template <typename Layout>
double Losses(const BloomSieveOptions& options, uint64_t keys) {
  constexpr int kSteps = 10000;
  const auto shape = Layout::For(options.expected_keys, std::exp2(-static_cast<double>(options.error_bits)));
  const double step = static_cast<double>(keys) / kSteps;
  double lost = 0;
  for (int i = 0; i < kSteps; i++) lost += step * Layout::ErrorFor(shape, (i + 0.5) * step);
  return lost;
}

}  // namespace

Result<std::unique_ptr<Sieve>> OpenBloomSieve(const std::string& folder, BloomSieveOptions options,
                                              FileSystem& fs) {
  return options.blocked ? OpenBloom<succinct::BlockedBloomLayout>(folder, options, fs)
                         : OpenBloom<succinct::BloomLayout>(folder, options, fs);
}

double BloomSieveLosses(const BloomSieveOptions& options, uint64_t keys) {
  return options.blocked ? Losses<succinct::BlockedBloomLayout>(options, keys)
                         : Losses<succinct::BloomLayout>(options, keys);
}

}  // namespace crivello::sieve
