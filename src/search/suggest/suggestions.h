// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/segments/snapshot.h"
#include "search/suggest/completion_trie.h"
#include "text/terms/analyser.h"

namespace crivello::search {

// What a collection can be asked, as far as its pages say it: completions of what was typed so far.
//
// Made of some of the documents, those with most inlinks, and among equals any: their titles, from each of
// their words on, and the words and pairs of words of the beginnings of their texts.  Keys are in the form of
// terms, so case and accents do not matter; what is suggested is written as most of the pages write it.  A
// title weighs 1 + the inlinks of its pages, half from a later word on; words and pairs how often they
// occurred.
//
// What making one costs is bounded (docs/benchmarks.md).  Immutable; any number of threads may ask.
class Suggestions {
 public:
  struct Budget {
    size_t documents = 50'000;
    size_t text_bytes = 24 << 20;
    size_t words = 100'000;
    size_t pairs = 100'000;
  };
  // Corruption if a text cannot be read; Unavailable if it was stopped.
  static Result<Suggestions> Make(const index::Snapshot& snapshot,
                                  const std::set<std::string, std::less<>>& stop_words, const Budget& budget,
                                  std::stop_token stop);

  // Up to `count` texts that begin as was typed, words and titles in turn, the best first; then, if there are
  // too few, what was typed with its last two words completed, or its last one.  At most a few milliseconds.
  std::vector<std::string> Find(std::string_view typed, size_t count, text::Analyser& analyser) const;
  uint64_t bytes() const { return titles_.bytes() + words_.bytes(); }

 private:
  Suggestions(CompletionTrie titles, CompletionTrie words)
      : titles_(std::move(titles)), words_(std::move(words)) {}

  CompletionTrie titles_;
  CompletionTrie words_;  // and pairs
};

}  // namespace crivello::search
