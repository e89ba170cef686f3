// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crivello::dedup {

// The digests of a page's text that are used to compare texts.
struct PageDigest {
  // Equal for texts that differ only in letter case, white space, punctuation and digits (dates, hit
  // counters, page numbers); 0 for a text without words.
  uint64_t text = 0;
  // Differs in few bits for texts that share most of their word sequences.
  uint64_t simhash = 0;
  uint64_t words = 0;  // number of words that count
  friend bool operator==(const PageDigest&, const PageDigest&) = default;
};

// The number of differing bits.
inline int HammingDistance(uint64_t a, uint64_t b) { return __builtin_popcountll(a ^ b); }

// Charikar's 64-bit SimHash (Similarity estimation techniques from rounding algorithms, 2002; Manku, Jain,
// Das Sarma: Detecting near-duplicates for web crawling, 2007). Bit i is set if and only if it is set in the
// hashes of more than half of the signals.
//
// The counters of all 64 bits are stored in bit planes: plane p has bit p of each. A hash is added to all of
// them by rippling carries, about ten operations instead of 64 additions. Eight at a time are first added by
// carry-save adders (Harley and Seal), without a branch, so that they share one ripple. One thread at a
// time.
class SimHash {
 public:
  void Clear();
  // Adds a signal by its hash; add one of weight w w times.
  void Add(uint64_t hash) {
    waiting_[signals_++ % kGroup] = hash;
    if (signals_ % kGroup == 0) AddGroup();
  }
  uint64_t Value() const;

 private:
  static constexpr size_t kGroup = 8;
  using Planes = std::array<uint64_t, 64>;

  // Adds 2^plane to the counter of each set bit of `hash`.
  static void Ripple(uint64_t hash, size_t plane, Planes& planes) {
    for (size_t p = plane; hash != 0; p++) {
      const uint64_t carry = planes[p] & hash;
      planes[p] ^= hash;
      hash = carry;
    }
  }
  void AddGroup();

  Planes planes_ = {};
  std::array<uint64_t, kGroup> waiting_ = {};  // the last signals_ % kGroup signals, not yet in planes_
  uint64_t signals_ = 0;
};

// Digests texts one by one, without allocating once its table fits the longest one; linear.
//
// A text is UTF-8 (invalid bytes count as letters). Its words are runs of letters and digits,
// case-folded, with each run of digits as one 0; words of only digits are omitted. In scripts without
// spaces each character is a word. The signals of the SimHash are the distinct sequences of kGram words,
// or the whole text if it is shorter. Digests are written to files: they never change. One thread at a
// time.
class PageDigester {
 public:
  static constexpr size_t kGram = 3;
  static constexpr size_t kMaxSignalWords = 1 << 17;

  PageDigest Digest(std::string_view text);

  // A text in parts, which also separate words: digests the main parts and all parts in one pass.
  enum class Part : bool { kMain, kAround };
  struct Digests {
    PageDigest main;
    PageDigest whole;  // without SimHash
  };
  void Add(std::string_view text, Part part);
  // The digests of what was added since the last call.
  Digests Finish();
  // The number of distinct signals in the last SimHash: few of them say little about a page (NearCopyTable).
  uint64_t signals() const { return signals_; }

 private:
  // Identifies a sequence of words.
  struct Chain {
    uint64_t hash = 0;
    uint64_t words = 0;
    void Add(uint64_t word);
    PageDigest Value() const;
  };
  uint64_t SimHashOfWords();
  bool Insert(uint64_t signal);  // false if it is already there

  Chain main_, whole_;
  SimHash simhash_;
  std::vector<uint64_t> words_;  // hashes of the first main words, in order
  // A table of the signals so far, with open addressing; 0 is an empty slot.
  std::vector<uint64_t> table_;
  uint64_t mask_ = 0;
  uint64_t signals_ = 0;
};

}  // namespace crivello::dedup
