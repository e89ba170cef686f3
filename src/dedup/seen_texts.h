// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "base/file_system.h"
#include "base/image.h"
#include "base/mutex.h"
#include "succinct/bloom_filter.h"

namespace crivello::dedup {

// Which normalised texts the crawl has seen, and on which hosts, in fixed memory: an approximate dictionary
// of digests (PageDigest::text), as the lecture notes propose for near-duplicates on the fly.
//
// It is a queue of blocked Bloom filters, generations.  Texts go into the newest; when that is full, the
// oldest is dropped and an empty one begins, so the dictionary always holds at least the last
// (kGenerations - 1) / kGenerations of what its memory can.  A text that was dropped is new again; one that
// was never seen is taken for seen with a probability below `error`.
//
// Look before a page is committed and Add() after, so that a page whose commit fails is not a copy of itself
// when it is tried again.  A page fetched once more is of course a copy of itself: who asks compares with its
// row first.
//
// What was added is lost in a crash unless saved; the cost is that copies of those texts are taken for new.
// Thread-safe.  Format: docs/formats/seen-texts.md.
class SeenTexts {
 public:
  static constexpr FileKind kFileKind = {.name = "seen-texts", .version = 1};
  static constexpr size_t kGenerations = 4;

  struct Options {
    uint64_t memory_bytes = 64 << 20;
    double error = 0x1p-20;  // at most 1/2, at least 2^-22
  };
  struct Seen {
    bool anywhere = false;
    bool on_this_host = false;
  };

  // InvalidArgument if the memory is too small for a filter, or the error out of a filter's bounds.
  static Result<std::unique_ptr<SeenTexts>> Create(Options options);
  // As it was saved.  If the options are others than then, an empty one of these.  Corruption if it is
  // damaged: who opens may go on with an empty one.
  static Result<std::unique_ptr<SeenTexts>> Load(const std::string& path, Options options);
  // Makes it what the payload of such a file says; if that was made with other options, or is damaged, it
  // stays as it was.
  Status Restore(Bytes image) CRV_EXCLUDES(mu_);

  Seen Look(uint64_t digest, uint64_t host_hash) const CRV_EXCLUDES(mu_);
  void Add(uint64_t digest, uint64_t host_hash) CRV_EXCLUDES(mu_);

  // Replaces the file; adding waits meanwhile.
  Status Save(const std::string& path, FileSystem& fs = PosixFileSystem()) const CRV_EXCLUDES(mu_);

  // Texts that a generation takes.
  uint64_t generation_texts() const { return keys_ / 2; }
  uint64_t MemoryBytes() const CRV_EXCLUDES(mu_);

 private:
  SeenTexts(Options options, uint64_t keys) : options_(options), keys_(keys) {}
  Result<succinct::MutableBlockedBloomFilter> NewFilter() const;
  void AddKey(Signature128 key) CRV_REQUIRES(mu_);

  const Options options_;
  const uint64_t keys_;  // of a generation
  mutable Mutex mu_;
  std::deque<succinct::MutableBlockedBloomFilter> filters_ CRV_GUARDED_BY(mu_);  // newest in front
  uint64_t added_ CRV_GUARDED_BY(mu_) = 0;                                       // keys, to the newest
};

}  // namespace crivello::dedup
