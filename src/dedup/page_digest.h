// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace crivello::dedup {

// What stands for a page's text when texts are compared.
struct PageDigest {
  // Equal for texts that are the same but for letter case, white space, punctuation and digits (dates, hit
  // counters, page numbers); 0 for a text without words.
  uint64_t text = 0;
  // Close, in number of differing bits, for texts that share most of their stretches of words.
  uint64_t simhash = 0;
  uint64_t words = 0;  // that count
  friend bool operator==(const PageDigest&, const PageDigest&) = default;
};

// How many bits differ.
inline int HammingDistance(uint64_t a, uint64_t b) { return __builtin_popcountll(a ^ b); }

// Charikar's SimHash of 64 bits (Similarity estimation techniques from rounding algorithms, 2002; Manku,
// Jain, Das Sarma: Detecting near-duplicates for web crawling, 2007).  Bit i is set if and only if more
// signals have bit i set in their hash than not.
//
// The counters of all 64 bits are kept in bit planes: plane p holds bit p of each, and a hash is added to
// them all by a ripple of carries, some ten operations instead of 64 additions.  Eight at a time are added by
// carry-save adders first (Harley and Seal), without a branch, so that one ripple serves all of them.  One
// thread at a time.
class SimHash {
 public:
  void Clear();
  // Adds a signal by its hash; one of weight w is added w times.
  void Add(uint64_t hash) {
    waiting_[signals_++ % kGroup] = hash;
    if (signals_ % kGroup == 0) AddGroup();
  }
  uint64_t Value() const;

 private:
  static constexpr size_t kGroup = 8;
  using Planes = std::array<uint64_t, 64>;

  // Adds 2^plane for each bit of `hash` that is set.
  static void Ripple(uint64_t hash, size_t plane, Planes& planes) {
    for (size_t p = plane; hash != 0; p++) {
      const uint64_t carry = planes[p] & hash;
      planes[p] ^= hash;
      hash = carry;
    }
  }
  void AddGroup();

  Planes planes_ = {};
  std::array<uint64_t, kGroup> waiting_ = {};  // the last signals_ % kGroup, not yet in planes_
  uint64_t signals_ = 0;
};

// Digests texts, one after the other, without allocating once its table has grown to the longest; linear.
//
// A text is UTF-8 (bytes that are none count as letters).  Its words are runs of letters and digits, in
// folded case, each run of digits as one 0, and those of digits alone left out; in scripts that are written
// without spaces each character is a word.  The signals of the SimHash are the distinct sequences of kGram
// words, or the whole of a shorter text.  Digests are written to files: they never change.  One thread at a
// time.
class PageDigester {
 public:
  static constexpr size_t kGram = 3;
  static constexpr size_t kMaxSignalWords = 1 << 17;

  PageDigest Digest(std::string_view text);

  // A text in parts, which part its words, too: the main ones and all of them together are digested at once.
  enum class Part : bool { kMain, kAround };
  struct Digests {
    PageDigest main;
    PageDigest whole;  // without SimHash
  };
  void Add(std::string_view text, Part part);
  // Of what was added since the last time.
  Digests Finish();
  // How many distinct signals the last SimHash was made of: few say little of a page (NearCopyTable).
  uint64_t signals() const { return signals_; }

 private:
  // What tells a sequence of words from others.
  struct Chain {
    uint64_t hash = 0;
    uint64_t words = 0;
    void Add(uint64_t word);
    PageDigest Value() const;
  };
  uint64_t SimHashOfWords();
  bool Insert(uint64_t signal);  // false if it is there

  Chain main_, whole_;
  SimHash simhash_;
  std::vector<uint64_t> words_;  // hashes of the first main ones, in order
  // A table of the signals so far, open addressing; 0 is an empty slot.
  std::vector<uint64_t> table_;
  uint64_t mask_ = 0;
  uint64_t signals_ = 0;
};

}  // namespace crivello::dedup
