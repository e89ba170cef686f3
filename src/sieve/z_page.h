// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>

#include "base/file_header.h"
#include "base/status.h"
#include "succinct/broadword.h"

namespace crivello::sieve {

// A page of a file of sorted signatures (z_file.h): as many keys as fit into 4096 bytes, stored as the first
// key and the Elias-Fano code of the distances from it (Elias 1974, Fano 1971). The l low bits of each
// distance are stored verbatim; for the rest, h, of the i-th one, there is a one at position i + h of the
// upper bits. l is optimal for the keys of this page, so a page takes at most 2 + log(range / keys) bits per
// key however the keys cluster. Each page is an entry point, so no directory is needed: within a page, the
// upper bits, about 40 words, are counted. Format: docs/formats/sieve-z.md.
constexpr size_t kZPageBytes = 4096;
constexpr size_t kZPageHeaderBytes = 32;
constexpr size_t kZPageWords = (kZPageBytes - kZPageHeaderBytes) / 8;
constexpr size_t kMaxZPageKeys = 2048;
// Lower bits are read by one unaligned load. Pages whose few keys would need a larger width are not filled.
constexpr unsigned kMaxZLowerWidth = 56;

// A view of a page, which must outlive it. Parse() checks the checksum and the lengths, so that no content
// leads to reads outside the page; Decode() detects all other errors.
class ZPage {
 public:
  // Parses page `number` of its file. Corruption (without the file name) if it is damaged. REQUIRES:
  // page.size() == kZPageBytes, and its address is a multiple of 8.
  static Result<ZPage> Parse(Bytes page, uint64_t number);

  size_t count() const { return count_; }  // at least 1
  uint64_t first() const { return first_; }
  uint64_t last() const { return last_; }

  // Writes the keys. Corruption unless they strictly increase from first to last. REQUIRES: out.size() >=
  // count().
  Status Decode(std::span<uint64_t> out) const;

 private:
  friend class ZPageProbe;

  uint64_t Lower(size_t i) const {
    const size_t bit = i * lower_width_;
    uint64_t word;  // the upper bits follow, so the whole word is inside the page
    std::memcpy(&word, reinterpret_cast<const char*>(lower_) + bit / 8, sizeof word);
    return (word >> (bit % 8)) & succinct::LowBits(lower_width_);
  }

  uint64_t first_ = 0;
  uint64_t last_ = 0;
  size_t count_ = 0;
  unsigned lower_width_ = 0;
  size_t upper_words_ = 0;
  const uint64_t* lower_ = nullptr;
  const uint64_t* upper_ = nullptr;
};

// Looks up keys in a page in increasing order. All lookups together cost one pass over the upper bits, and
// each a few instructions more; other keys are not decoded.
class ZPageProbe {
 public:
  explicit ZPageProbe(const ZPage& page) : page_(page) {}

  // REQUIRES: page.first() <= key <= page.last(), and no earlier key was greater.
  bool Contains(uint64_t key) {
    const uint64_t distance = key - page_.first_;
    const uint64_t high = distance >> page_.lower_width_;
    const uint64_t low = distance & succinct::LowBits(page_.lower_width_);
    uint64_t position = 0;  // of the first key with these upper bits, after `high` zeros
    if (high > 0) {
      for (;;) {
        const auto zeros = static_cast<uint64_t>(std::popcount(~page_.upper_[word_]));
        if (zeros_ + zeros >= high) break;
        zeros_ += zeros;
        if (++word_ == page_.upper_words_) {
          word_--;
          zeros_ -= zeros;
          return false;  // only in a damaged page
        }
      }
      position = word_ * 64 +
                 succinct::SelectInWord(~page_.upper_[word_], static_cast<unsigned>(high - zeros_ - 1)) + 1;
    }
    for (; position < page_.upper_words_ * 64; position++) {
      if (((page_.upper_[position / 64] >> (position % 64)) & 1) == 0) return false;
      const uint64_t i = position - high;
      if (i >= page_.count_) return false;
      const uint64_t lower = page_.Lower(i);
      if (lower >= low) return lower == low;
    }
    return false;
  }

 private:
  const ZPage& page_;
  size_t word_ = 0;     // the word with the zero sought last
  uint64_t zeros_ = 0;  // zeros in the words before it
};

// How many of these keys fit into a page: at least one. REQUIRES: keys are strictly increasing, not empty.
size_t CountForZPage(std::span<const uint64_t> keys);
// Encodes a page of these keys. REQUIRES: they strictly increase, and fit.
void EncodeZPage(std::span<const uint64_t> keys, uint64_t number, std::span<uint64_t, kZPageBytes / 8> page);

}  // namespace crivello::sieve
