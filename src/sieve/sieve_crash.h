// SPDX-License-Identifier: Apache-2.0
// Helpers for the crash tests of the sieves; included only by _test.cc files.
#pragma once

#include <atomic>
#include <cerrno>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/forwarding_file_system.h"
#include "base/random.h"
#include "sieve/sieve_contract.h"

namespace crivello::sieve {

// A disk that is full while SetFull(true): no byte can be appended, everything else works. Thread-safe.
class FullFileSystem final : public ForwardingFileSystem {
 public:
  void SetFull(bool full) { full_ = full; }

  Result<std::unique_ptr<AppendFile>> OpenForAppend(const std::string& path, AppendOptions options) override {
    CRV_ASSIGN(auto file, ForwardingFileSystem::OpenForAppend(path, options));
    return std::unique_ptr<AppendFile>(std::make_unique<File>(*this, path, std::move(file)));
  }

 private:
  class File final : public AppendFile {
   public:
    File(FullFileSystem& fs, std::string path, std::unique_ptr<AppendFile> file)
        : fs_(fs), path_(std::move(path)), file_(std::move(file)) {}
    Status Append(Bytes bytes) override {
      if (bytes.empty() || !fs_.full_) return file_->Append(bytes);
      CRV_TRY(file_->Append(bytes.first(bytes.size() / 3)));  // fills the last free space
      return Status::FromErrno("write", path_, ENOSPC);
    }
    Status Sync() override { return file_->Sync(); }

   private:
    FullFileSystem& fs_;
    const std::string path_;
    const std::unique_ptr<AppendFile> file_;
  };

  std::atomic<bool> full_ = false;
};

// What a user of a sieve knows about its keys, over several lives of it; detects every broken guarantee.
class Ledger {
 public:
  void BeginLife() {
    in_life_.clear();
    in_doubt_.clear();
  }
  // An Offer, or a Sync, that returned ok.
  void Offered(uint64_t i) { in_doubt_.insert(i); }
  void Synced() { acknowledged_.merge(in_doubt_); }
  void Taken(uint64_t i) {
    EXPECT_TRUE(in_life_.insert(i).second) << "key " << i << " came out twice without a crash between";
    EXPECT_FALSE(released_.contains(i)) << "key " << i << " came out again though it was released";
    taken_.insert(i);
  }
  void Released() { released_.insert(in_life_.begin(), in_life_.end()); }
  // Call it after all waiting keys were taken.
  void CheckNoneLost() const {
    for (const uint64_t i : acknowledged_) {
      EXPECT_TRUE(taken_.contains(i)) << "key " << i << " was acknowledged and is lost";
    }
  }
  const std::set<uint64_t>& taken() const { return taken_; }

 private:
  std::set<uint64_t> in_doubt_, acknowledged_, in_life_, taken_, released_;
};

// A random user: each Step() offers, syncs, flushes, takes or releases, and returns the sieve's result. Calls
// `on_event` for what the ledger must know, as it happens.
class RandomUser {
 public:
  static constexpr uint64_t kKeys = 600;

  enum class Event : char { kOffered = 'o', kSynced = 's', kTaken = 't', kReleased = 'r' };
  using OnEvent = std::function<void(Event, uint64_t i)>;

  RandomUser(uint64_t seed, OnEvent on_event) : random_(seed), on_event_(std::move(on_event)) {}

  Status Step(Sieve& sieve) {
    const uint64_t what = random_.Below(16);
    if (what < 8) {
      std::vector<TestKey> keys;
      for (uint64_t n = 1 + random_.Below(30); n > 0; n--) keys.emplace_back(random_.Below(kKeys));
      std::vector<Key> views;
      for (const auto& key : keys) views.push_back(key.key());
      CRV_TRY(sieve.Offer(views));
      for (const auto& key : keys) on_event_(Event::kOffered, TestKey::NumberIn(key.bytes));
    } else if (what < 11) {
      CRV_TRY(sieve.Sync());
      on_event_(Event::kSynced, 0);
    } else if (what < 12) {
      CRV_TRY(sieve.Flush({.wait = random_.Below(2) == 0}));
    } else if (what < 15) {
      CRV_TRY(sieve.Take(random_.Below(60), [&](std::string_view bytes) {
        on_event_(Event::kTaken, TestKey::NumberIn(bytes));
      }));
    } else {
      CRV_TRY(sieve.Release());
      on_event_(Event::kReleased, 0);
    }
    return Status::Ok();
  }

  // Records an event in a ledger.
  static void Tell(Ledger& ledger, Event event, uint64_t i) {
    switch (event) {
      case Event::kOffered:
        return ledger.Offered(i);
      case Event::kSynced:
        return ledger.Synced();
      case Event::kTaken:
        return ledger.Taken(i);
      case Event::kReleased:
        return ledger.Released();
    }
  }

 private:
  SeededRandom random_;
  OnEvent on_event_;
};

}  // namespace crivello::sieve
