// SPDX-License-Identifier: Apache-2.0
#include "index/segments/text_cache.h"

#include <utility>

namespace crivello::index {
namespace {

// A larger block would evict too many others.
constexpr size_t kLargestShare = 8;

size_t BytesOf(const TextBlock& block) {
  return block.bytes.capacity() + block.documents.capacity() * sizeof(StoredDocument) + 200;
}

}  // namespace

std::shared_ptr<const TextBlock> TextCache::Find(const Key& key) {
  MutexLock lock(mu_);
  const auto place = places_.find(key);
  if (place == places_.end()) return nullptr;
  entries_.splice(entries_.begin(), entries_, place->second);
  return place->second->block;
}

void TextCache::Add(const Key& key, std::shared_ptr<const TextBlock> block) {
  const size_t bytes = BytesOf(*block);
  if (bytes > max_bytes_ / kLargestShare) return;
  MutexLock lock(mu_);
  if (places_.contains(key)) return;  // another thread was quicker
  while (bytes_ + bytes > max_bytes_) {
    bytes_ -= BytesOf(*entries_.back().block);
    places_.erase(entries_.back().key);
    entries_.pop_back();
  }
  entries_.push_front({key, std::move(block)});
  places_.emplace(key, entries_.begin());
  bytes_ += bytes;
}

}  // namespace crivello::index
