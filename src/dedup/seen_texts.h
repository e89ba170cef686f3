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

// The normalised texts that the crawl has seen, anywhere and per host, in fixed memory: an approximate
// dictionary of digests (PageDigest::text), the lecture notes' proposal for near-duplicates on the fly.
//
// It is a queue of blocked Bloom filters, called generations. Texts are added to the newest. When that is
// full, the oldest is dropped and an empty one is started, so the dictionary always has at least the last
// (kGenerations - 1) / kGenerations of what its memory can hold. A dropped text counts as new again; a text
// never seen is mistaken for seen with a probability below `error`.
//
// Look() before a page is committed and Add() afterwards, so that a page whose commit failed is not taken for
// a copy of itself when it is retried. A page that is fetched again is a copy of itself: callers must compare
// it with its row first.
//
// Texts added since the last Save() are lost in a crash; then their copies count as new. Thread-safe. Format:
// docs/formats/seen-texts.md.
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

  // InvalidArgument if the memory is too small for a filter, or the error is out of a filter's bounds.
  static Result<std::unique_ptr<SeenTexts>> Create(Options options);
  // Loads a saved dictionary. If it was saved with different options, returns an empty one. Corruption if it
  // is damaged: the caller may continue with an empty one.
  static Result<std::unique_ptr<SeenTexts>> Load(const std::string& path, Options options);
  // Sets the content to the payload of such a file. If that has different options or is damaged, nothing
  // changes.
  Status Restore(Bytes image) CRV_EXCLUDES(mu_);

  Seen Look(uint64_t digest, uint64_t host_hash) const CRV_EXCLUDES(mu_);
  void Add(uint64_t digest, uint64_t host_hash) CRV_EXCLUDES(mu_);

  // Replaces the file; Add() waits meanwhile.
  Status Save(const std::string& path, FileSystem& fs = PosixFileSystem()) const CRV_EXCLUDES(mu_);

  // How many texts fit into a generation.
  uint64_t generation_texts() const { return keys_ / 2; }
  uint64_t MemoryBytes() const CRV_EXCLUDES(mu_);

 private:
  SeenTexts(Options options, uint64_t keys) : options_(options), keys_(keys) {}
  Result<succinct::MutableBlockedBloomFilter> NewFilter() const;
  void AddKey(Signature128 key) CRV_REQUIRES(mu_);

  const Options options_;
  const uint64_t keys_;  // per generation
  mutable Mutex mu_;
  std::deque<succinct::MutableBlockedBloomFilter> filters_ CRV_GUARDED_BY(mu_);  // newest first
  uint64_t added_ CRV_GUARDED_BY(mu_) = 0;                                       // keys in the newest
};

}  // namespace crivello::dedup
