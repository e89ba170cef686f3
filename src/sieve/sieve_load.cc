// SPDX-License-Identifier: Apache-2.0
#include "sieve/sieve_load.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <vector>

#include "base/folder.h"
#include "base/image.h"
#include "base/process_usage.h"
#include "sieve/mercator_files.h"
#include "sieve/mercator_manifest.h"
#include "sieve/offline_manifest.h"
#include "sieve/sieve_files.h"
#include "sieve/signature_sort.h"
#include "sieve/z_file.h"

namespace crivello::sieve {
namespace {

constexpr std::string_view kTemplate =
    "https://www.h0000000.example.org/news/2026/11/15/0123456789abcdef.html";
constexpr size_t kHostAt = 13;
constexpr size_t kHostDigits = 7;
constexpr size_t kNameAt = 49;
constexpr size_t kNameDigits = 16;
constexpr unsigned kHostBits = 20;
constexpr unsigned kRecentBits = 23;  // repeats of the last 2^23 new keys

uint64_t NameOf(uint64_t seed, uint64_t i) { return Mix64(i + Mix64(seed)); }

// Half of the names draw from all hosts, a quarter from half of them, and so on.
uint64_t HostOf(uint64_t name) {
  const auto level = static_cast<unsigned>(std::countr_zero(name | uint64_t{1} << (kHostBits - 4)));
  return (name >> 40) % (uint64_t{1} << kHostBits) >> level;
}

// Draws the numbers of the offered keys.
class LoadNumbers {
 public:
  explicit LoadNumbers(const SieveLoadOptions& options)
      : random_(options.seed),
        repeat_below_(static_cast<uint64_t>(options.repeats * 0x1p64 * (1 - 0x1p-53))),
        next_(options.known) {}

  uint64_t Next() {
    const uint64_t draw = random_.Next();
    if (draw >= repeat_below_ || next_ == 0) {
      fresh_++;
      return next_++;
    }
    const uint64_t how = random_.Next();
    if (how % 4 == 0) return ScaleTo(how, next_);
    const auto bits = static_cast<unsigned>((how >> 8) % (kRecentBits + 1));
    const uint64_t distance = (how >> 16) & ((uint64_t{1} << bits) - 1);
    return next_ - 1 - std::min(distance, next_ - 1);
  }
  uint64_t fresh() const { return fresh_; }

 private:
  SeededRandom random_;
  uint64_t repeat_below_;
  uint64_t next_;
  uint64_t fresh_ = 0;
};

// The keys of one Offer.
class Group {
 public:
  Group(const SieveLoadOptions& options, LoadNumbers& numbers, uint64_t size) {
    owned_.reserve(size);
    for (uint64_t i = 0; i < size; i++) owned_.emplace_back(options.seed, numbers.Next());
    keys_.reserve(size);
    for (const auto& key : owned_) keys_.push_back(key.key());
  }
  std::span<const Key> keys() const { return keys_; }

 private:
  std::vector<LoadKey> owned_;
  std::vector<Key> keys_;
};

// Writes the signatures of the keys 0 ... known - 1 as a Z file; returns how many distinct ones there are.
Result<uint64_t> WriteZ(const std::string& path, uint64_t seed, uint64_t known, FileSystem& fs) {
  constexpr uint64_t kPartKeys = 8 << 20;
  CRV_ASSIGN(auto writer, ZWriter::Create(path, fs));
  SignatureSort sort;
  std::vector<uint64_t> part;
  const uint64_t parts = known / kPartKeys + 1;
  const uint64_t width = ~uint64_t{0} / parts + 1;  // 0 if there is one part
  for (uint64_t p = 0; p < parts; p++) {
    part.clear();
    for (uint64_t i = 0; i < known; i++) {
      const uint64_t signature = LoadKey::SignatureOf(seed, i);
      if (width == 0 || signature / width == p) part.push_back(signature);
    }
    sort.Sort(part);
    sort.Deduplicate();
    CRV_TRY(writer.Add(sort.signatures()));
  }
  CRV_TRY(writer.Finish());
  return writer.keys();
}

}  // namespace

uint64_t LoadKey::SignatureOf(uint64_t seed, uint64_t i) {
  const uint64_t name = NameOf(seed, i);
  return (Mix64(HostOf(name) + 1) >> 52 << 52) | (Mix64(name) >> 12);
}

LoadKey::LoadKey(uint64_t seed, uint64_t i) : signature_(SignatureOf(seed, i)) {
  static_assert(kTemplate.size() == sizeof text_);
  std::memcpy(text_.data(), kTemplate.data(), kTemplate.size());
  const uint64_t name = NameOf(seed, i);
  uint64_t host = HostOf(name);
  for (size_t digit = kHostDigits; digit-- > 0; host /= 10) {
    text_[kHostAt + digit] = static_cast<char>('0' + host % 10);
  }
  for (size_t digit = 0; digit < kNameDigits; digit++) {
    text_[kNameAt + digit] = "0123456789abcdef"[(name >> (60 - 4 * digit)) & 15];
  }
}

Result<SieveLoadResult> RunSieveLoad(Sieve& sieve, const SieveLoadOptions& options,
                                     const std::function<void(uint64_t)>& on_progress) {
  SieveLoadResult result;
  const double cpu = CpuSeconds();
  const auto start = std::chrono::steady_clock::now();
  LoadNumbers numbers(options);
  const auto take = [&]() -> Status {
    for (;;) {
      CRV_ASSIGN(const uint64_t taken, sieve.Take(options.sync_every, [](std::string_view) {}));
      result.taken += taken;
      if (taken == 0) return Status::Ok();
    }
  };
  uint64_t synced = 0;
  uint64_t released = 0;
  while (result.offers < options.offers) {
    const Group group(options, numbers, std::min(options.group, options.offers - result.offers));
    CRV_TRY(sieve.Offer(group.keys()));
    result.offers += group.keys().size();
    if (result.offers - synced < options.sync_every) continue;
    synced = result.offers;
    CRV_TRY(sieve.Sync());
    CRV_TRY(take());
    if (on_progress) on_progress(result.offers);
    if (result.offers - released < options.release_every) continue;
    released = result.offers;
    CRV_TRY(sieve.Release());
  }
  CRV_TRY(sieve.Sync());
  CRV_TRY(sieve.Flush({.wait = true}));
  CRV_TRY(take());
  CRV_TRY(sieve.Release());
  result.fresh = numbers.fresh();
  result.cpu_seconds = CpuSeconds() - cpu;
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.stats = sieve.stats();
  return result;
}

double MeasureLoadOnly(const SieveLoadOptions& options) {
  const double cpu = CpuSeconds();
  LoadNumbers numbers(options);
  uint64_t sum = 0;
  for (uint64_t offers = 0; offers < options.offers; offers += options.group) {
    const Group group(options, numbers, options.group);
    for (const Key& key : group.keys()) sum += key.signature + static_cast<unsigned char>(key.bytes[60]);
  }
  // Using the sum keeps the compiler from removing the keys.
  return CpuSeconds() - cpu + (sum == 0 ? 1e-9 : 0);
}

Status PrepareMercatorSieve(const std::string& folder, uint64_t seed, uint64_t known, FileSystem& fs) {
  CRV_TRY(MakeFolders(folder));
  const MercatorFiles files(folder);
  MercatorManifest manifest;
  CRV_ASSIGN(const uint64_t keys, WriteZ(files.Run(0), seed, known, fs));
  manifest.runs.push_back({.id = 0, .keys = keys});
  manifest.next_batch = 1;
  return WriteImage(files.Manifest(), MercatorManifest::kFileKind, manifest.Encode().bytes(), fs);
}

Status PrepareOfflineSieve(const std::string& folder, uint64_t seed, uint64_t known, FileSystem& fs) {
  CRV_TRY(MakeFolders(folder));
  OfflineManifest manifest;
  manifest.seen_generation = 1;
  CRV_ASSIGN(manifest.known, WriteZ(manifest.SeenPath(folder), seed, known, fs));
  return manifest.Write(OfflineManifest::Path(folder), fs);
}

}  // namespace crivello::sieve
