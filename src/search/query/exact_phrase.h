// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "index/postings/posting_cursor.h"
#include "search/query/occurrences.h"

namespace crivello::search {

// The words of a phrase one behind the other, where each of them is one list: what nearly all phrases are.
// As PhraseOccurrences, and about twice as fast.
//
// What a phrase costs is waiting for its positions, which lie anywhere.  So candidates are found some at a
// time, with the places of their positions, which are on their way to the cache when the first is looked at.
// As many as were asked for so far, up to kMostAhead: who leaps from one to another does not pay for those
// between.
//
// The two rarest words tell most documents that do not have the phrase; positions of the others are read
// only where these two stand as they must, by cursors of their own, as that is seldom.
class ExactPhrase final : public Occurrences {
 public:
  struct Word {
    index::PostingCursor cursor;
    uint32_t offset = 0;  // in the phrase
  };
  // REQUIRES: two words at least, offsets increase.
  explicit ExactPhrase(std::vector<Word> words);
  void Next() override {
    if (++at_ == size_) FindCandidates();
    doc_ = candidates_[at_].doc;
  }
  void SeekTo(DocId d) override;
  bool Matches() override;
  void SetFilter(const CandidateFilter* filter) override { filter_ = filter; }
  uint32_t count() override { return static_cast<uint32_t>(starts_.size()); }
  uint32_t count_bound() override {
    return std::min(candidates_[at_].first.count, candidates_[at_].second.count);
  }
  std::span<const uint32_t> positions() override { return starts_; }  // where each begins
  float MaxValue(const Formula& formula) override;
  float BlockValue(const Formula& formula, DocId from, DocId* last) override;

 private:
  static constexpr uint32_t kMostAhead = 64;
  // So many documents that are not worth it are passed over at once: then who asks may want to stop.
  static constexpr uint32_t kMostPassed = 4096;
  struct Candidate {
    DocId doc = kEndDoc;
    index::PositionsPlace first;  // of the two rarest words
    index::PositionsPlace second;
  };
  // Positions, followed by some that are none.
  struct Positions {
    std::vector<uint32_t> values;
    uint32_t size = 0;
    void Read(const Word& word, const index::PositionsPlace& place);
  };

  void FindCandidates();
  bool IsWorth(DocId doc);
  bool Align();
  void FindPair();

  const CandidateFilter* filter_ = nullptr;
  std::vector<Word> words_;      // the rarest first
  std::vector<Word> rest_;       // all but two of them again, for their positions
  index::PostingCursor maxima_;  // the rarest again, for the maxima of blocks

  // From the current one on: candidates_[at_], ..., candidates_[size_ - 1], and the end.
  std::array<Candidate, kMostAhead + 1> candidates_;
  uint32_t at_ = 0;
  uint32_t size_ = 0;
  uint32_t ahead_ = 1;  // how many are looked for

  DocId checked_ = kEndDoc;  // the document of starts_
  std::vector<uint32_t> starts_;
  Positions first_;
  Positions second_;
};

}  // namespace crivello::search
