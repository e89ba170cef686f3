// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/mutex.h"
#include "index/postings/posting_format.h"

namespace crivello::index {

// The parts of a document that a result page shows.
struct StoredDocument {
  std::string_view url = {};
  std::string_view id = {};  // its id in the collection it came from; may be empty
  std::string_view title = {};
  std::string_view description = {};
  std::string_view text = {};  // the main text, for snippets; empty if texts are not stored

  friend bool operator==(const StoredDocument&, const StoredDocument&) = default;
};

// A block of a text store, decompressed.
struct TextBlock {
  DocId first = 0;
  std::string bytes;
  std::vector<StoredDocument> documents;  // views of the bytes
};

// The recently read blocks: frequent searches show the same documents, and decompressing their texts is
// a good part of a search.  When the cache is full, it evicts the least recently used block.
// Thread-safe.
class TextCache {
 public:
  // The store of a block is identified by TextStore::number().
  struct Key {
    uint64_t store = 0;
    uint64_t block = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };

  explicit TextCache(size_t max_bytes) : max_bytes_(max_bytes) {}

  // nullptr if it is not in the cache.
  std::shared_ptr<const TextBlock> Find(const Key& key) CRV_EXCLUDES(mu_);
  void Add(const Key& key, std::shared_ptr<const TextBlock> block) CRV_EXCLUDES(mu_);

 private:
  struct Entry {
    Key key;
    std::shared_ptr<const TextBlock> block;
  };
  struct Hash {
    size_t operator()(const Key& key) const { return Mix64(key.store * 0x9E3779B97F4A7C15 + key.block); }
  };

  const size_t max_bytes_;
  Mutex mu_;
  size_t bytes_ CRV_GUARDED_BY(mu_) = 0;
  std::list<Entry> entries_ CRV_GUARDED_BY(mu_);  // the most recently used first
  std::unordered_map<Key, std::list<Entry>::iterator, Hash> places_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::index
