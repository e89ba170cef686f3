// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace crivello::search {

// Texts that a beginning of one of their keys leads to, the weightiest first.
//
// Keys lie in a marisa-trie, each followed by the number of its text: some 10 bytes a key.  What begins with
// a prefix is read off the trie, up to kScanned keys; for the few prefixes that have more the answer is kept.
// So a call costs a millisecond at most, and is exact.  Immutable; any number of threads may ask.
class CompletionTrie {
 public:
  static constexpr size_t kMaxCount = 32;
  static constexpr size_t kScanned = 4096;

  struct Key {
    std::string key;    // has no zero byte
    uint32_t text = 0;  // a number of `texts`
    uint32_t weight = 0;
  };
  struct Completion {
    std::string_view text;
    uint32_t weight = 0;
  };

  // Unavailable if memory is.
  static Result<CompletionTrie> Build(std::vector<std::string> texts, std::vector<Key> keys);
  ~CompletionTrie();
  CompletionTrie(CompletionTrie&&) noexcept;

  // Up to `count` texts, at most kMaxCount, of the heaviest keys that begin with the prefix; those of one
  // weight in the order of their numbers.
  std::vector<Completion> Find(std::string_view prefix, size_t count) const;
  // Memory that it takes.
  uint64_t bytes() const;

 private:
  struct Trie;
  struct Found {
    uint32_t weight = 0;
    uint32_t text = 0;
  };
  CompletionTrie();
  static std::vector<Found> Best(std::vector<Found> found);

  std::unique_ptr<Trie> trie_;
  std::vector<uint32_t> weights_;  // by the numbers that the trie gives the keys
  std::vector<std::string> texts_;
  std::map<std::string, std::vector<Found>, std::less<>> kept_;
};

}  // namespace crivello::search
