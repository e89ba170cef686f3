// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace crivello::text {

// The document slope curve (Pinto et al., QuASM, JCDL 2002): a page is N tokens, b_n = 1 for a tag and 0 for
// a word. The number of tags up to n rises steeply in menus and slowly in running text.

// Tokens [first, last).
struct TokenRange {
  uint64_t first = 0;
  uint64_t last = 0;
  friend bool operator==(const TokenRange&, const TokenRange&) = default;
};

// The sequence b_0 ... b_{N-1} as runs of equal bits, because a page has far more tokens than changes between
// tags and words. Runs alternate and none is empty. One thread at a time while it grows.
class TagRuns {
 public:
  struct Run {
    uint32_t length = 0;
    bool tag = false;
  };

  // Appends one or more tags, or words. O(1). At most 2^32 - 1 tokens are kept.
  void AddTags(uint64_t count) { Add(true, count); }
  void AddWords(uint64_t count) { Add(false, count); }

  std::span<const Run> runs() const { return runs_; }
  uint64_t size() const { return size_; }
  uint64_t tags() const { return tags_; }

 private:
  void Add(bool tag, uint64_t count);

  std::vector<Run> runs_;
  uint64_t size_ = 0;
  uint64_t tags_ = 0;
};

struct SlopePlateau {
  uint64_t i = 0;
  uint64_t j = 0;      // the last token of the plateau, as in the formula
  uint64_t value = 0;  // of the sum
};

// i <= j that maximise sum_{n<i} b_n + sum_{i<=n<=j} (1 - b_n) + sum_{n>j} b_n; of several, the least i, and
// for it the least j. Linear in the runs: the sum is the number of tags plus the sum of (1 - 2 b_n) over
// i..j, so this is the segment of largest sum. All zero for an empty sequence.
SlopePlateau FindPlateau(const TagRuns& tags);

// The low-slope sections of the curve, in order: every stretch whose words outweigh its tags, a tag weighing
// as much as `tag_weight` words, and that is not part of a better stretch (the maximal scoring subsequences
// of Ruzzo and Tompa, ISMB 1999; linear). Only those whose balance is at least `share` of the best one's.
struct LowSlopeOptions {
  double tag_weight = 3;
  double share = 0.1;
};
std::vector<TokenRange> FindLowSlopes(const TagRuns& tags, const LowSlopeOptions& options = {});

struct SlopePoint {
  uint64_t token = 0;
  uint64_t tags = 0;  // among the tokens before it
};
// The curve as at most `max_points` (at least 2) equidistant points, from (0, 0) to (N, tags).
std::vector<SlopePoint> SlopeCurve(const TagRuns& tags, size_t max_points);

}  // namespace crivello::text
