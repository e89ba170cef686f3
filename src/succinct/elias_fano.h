// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/description.h"
#include "base/image.h"
#include "succinct/broadword.h"

namespace crivello::succinct {

// A non-decreasing sequence of n numbers, none above u, in at most 2 + ceil(log(u / n)) bits each plus 5% for
// everything else: the representation of Elias (1974) and Fano (1971), with Vigna's skipping (Quasi-succinct
// indices, 2013).
//
// The l = max(0, floor(log(u / n))) lower bits of each number are stored verbatim. The rest, h, is in the
// upper bits: the i-th number has a one at position i + h. So of a position, the ones before it, and the
// zeros before it (the value there), two determine the third. Access(i) selects a one, SeekTo(x) selects a
// zero, and then they read lower bits. For this, the positions of every q-th one and every q-th zero are
// stored (the quanta); from the nearest one, words are counted. Where ones, or zeros, are so sparse that this
// would take long, the other kind's quanta are searched for a closer start. A long run with equal upper bits
// is searched, not scanned.
//
// Costs: Access and SeekTo count q / 64 to q / 40 words on average; at worst, in skewed sequences, a search
// in O(log n) and then 128 words. A cursor's Next() takes a few instructions. Opening is O(1).
//
// A view of its image, which must outlive it; immutable. FromImage() checks only lengths: with damaged words
// numbers are wrong, but nothing outside the image is read and every search ends.
// Limits: n <= 2^56.  Format: docs/formats/elias-fano.md.
class EliasFano {
 public:
  static constexpr FileKind kFileKind = {.name = "elias-fano", .version = 1};
  // The value if there is no element; greater than every element if u < 2^64 - 1.
  static constexpr uint64_t kEnd = ~uint64_t{0};

  struct Element {
    uint64_t index;  // size() if there is none
    uint64_t value;  // kEnd if there is none
    friend bool operator==(const Element&, const Element&) = default;
  };

  class Cursor;

  // The empty sequence.
  EliasFano() = default;
  static Result<EliasFano> FromImage(Bytes image);
  static Result<EliasFano> ReadFrom(ImageReader& reader);

  uint64_t size() const { return shape_.size; }
  // The upper bound u.
  uint64_t universe() const { return shape_.universe; }

  // REQUIRES: i < size().
  uint64_t Access(uint64_t i) const {
    const uint64_t lower = Lower(i);  // first, so that its cache miss overlaps with those of Select()
    return ((Select<true>(i) - i) << shape_.lower_width) | lower;
  }
  // The first element that is at least x.
  Element SeekTo(uint64_t x) const;
  // The last element that is at most x.
  Element Predecessor(uint64_t x) const;
  // A cursor on the first element.
  Cursor Begin() const;

  Description Describe() const;

 private:
  friend class EliasFanoBuilder;

  // The parameters determined by n and u.
  struct Shape {
    static constexpr uint64_t kMaxSize = uint64_t{1} << 56;

    Shape() = default;
    Shape(uint64_t n, uint64_t u);

    uint64_t lower_words() const { return size * lower_width / 64 + (size * lower_width % 64 != 0); }
    uint64_t upper_words() const { return upper_bits / 64 + 1; }
    // The number of quanta for `count` ones or zeros. If a single one would suffice, none is stored.
    uint64_t quanta(uint64_t count) const {
      return count >> log_quantum > 0 ? ((count - 1) >> log_quantum) + 1 : 0;
    }
    uint64_t zeros() const { return (universe >> lower_width) + 1; }

    uint64_t size = 0;
    uint64_t universe = 0;
    unsigned lower_width = 0;  // l
    unsigned log_quantum = 0;  // log q
    uint64_t upper_bits = 1;   // n ones, and a zero at the end of each upper value up to u's
  };

  // The position of quantum k is starts[k >> (kLogStart - log q)] + offset(k), unless that is kFar.
  struct Quanta {
    static Result<Quanta> ReadFrom(ImageReader& reader, uint64_t quanta, unsigned log_quantum);

    uint64_t offset(uint64_t k) const { return (offsets[k / 4] >> (k % 4 * 16)) & LowBits(16); }
    std::span<const uint64_t> starts;
    const uint64_t* offsets = nullptr;
  };
  static constexpr unsigned kLogStart = 12;
  // The offset exceeds 2^16 - 2, or the next quantum is more than kSparse q bits away.
  static constexpr uint64_t kFar = LowBits(16);
  static constexpr uint64_t kSparse = 8;

  uint64_t Lower(uint64_t i) const {
    const uint64_t bit = i * shape_.lower_width;
    if (shape_.lower_width <= 57) {
      uint64_t word;  // also reads bits after the lower bits, which are masked off
      std::memcpy(&word, reinterpret_cast<const char*>(lower_) + bit / 8, sizeof(word));
      return (word >> (bit % 8)) & LowBits(shape_.lower_width);
    }
    const uint64_t* words = lower_ + bit / 64;
    return ((words[0] >> (bit % 64)) | ((words[1] << 1) << (63 - bit % 64))) & LowBits(shape_.lower_width);
  }
  // The value of the i-th element, whose one is at `position`.
  uint64_t ValueAt(uint64_t i, uint64_t position) const {
    return ((position - i) << shape_.lower_width) | Lower(i);
  }

  // The position of the r-th one (or zero) of the upper bits; upper_bits if it is missing because of damage.
  template <bool kBit>
  uint64_t Select(uint64_t r) const {
    const Quanta& quanta = kBit ? one_quanta_ : zero_quanta_;
    if (quanta.starts.empty()) return SelectFrom<kBit>(r, 0);
    const uint64_t offset = quanta.offset(r >> shape_.log_quantum);
    if (offset == kFar) return SelectAmongSparse<kBit>(r);
    const uint64_t from = quanta.starts[r >> kLogStart] + offset;
    const uint64_t rest = r & LowBits(shape_.log_quantum);
    // The elements after that zero are about rest / 2 to rest on: prefetch their lower bits while counting.
    if (!kBit) PrefetchLower(from - (r - rest) + rest * 3 / 4);
    return SelectFrom<kBit>(rest, from);
  }
  void PrefetchLower(uint64_t i) const {
    if (i < size()) __builtin_prefetch(lower_ + i * shape_.lower_width / 64);
  }
  // The position of the one (or zero) preceded by r others, counting from position `from`.
  template <bool kBit>
  uint64_t SelectFrom(uint64_t r, uint64_t from) const {
    if (from >= shape_.upper_bits) return shape_.upper_bits;
    const uint64_t* const end = upper_ + shape_.upper_words();
    const uint64_t* at = upper_ + from / 64;
    uint64_t word = (kBit ? *at : ~*at) & ~LowBits(from % 64);
    for (;;) {
      const auto count = static_cast<unsigned>(std::popcount(word));
      if (r < count) break;
      r -= count;
      if (++at == end) return shape_.upper_bits;
      word = kBit ? *at : ~*at;
    }
    return static_cast<uint64_t>(at - upper_) * 64 + SelectInWord(word, static_cast<unsigned>(r));
  }
  template <bool kBit>
  uint64_t SelectAmongSparse(uint64_t r) const;

  struct Place {
    uint64_t index;     // size() if there is none
    uint64_t position;  // of its one
    uint64_t value;     // kEnd if there is none
  };
  Place NoPlace() const { return {size(), shape_.upper_bits, kEnd}; }
  // Where the elements whose upper bits are at least `upper` start among the upper bits.
  uint64_t StartOf(uint64_t upper) const { return upper > 0 ? Select<false>(upper - 1) + 1 : 0; }
  // The first element that is at least x, given StartOf(x's upper bits).
  Place Find(uint64_t x, uint64_t start) const;
  Place FindInRun(uint64_t x, uint64_t index) const;

  static constexpr uint64_t kNoBits[2] = {};

  Shape shape_;
  const uint64_t* lower_ = kNoBits;
  const uint64_t* upper_ = kNoBits;
  Quanta one_quanta_;
  Quanta zero_quanta_;
};

// A position in a sequence that moves forwards. One thread at a time; the sequence that it came from may be
// destroyed, but not its image.
class EliasFano::Cursor {
 public:
  // size() at the end.
  uint64_t index() const { return index_; }
  // kEnd at the end.
  uint64_t value() const { return value_; }
  bool AtEnd() const { return index_ == sequence_.size(); }

  // Moves to the next element. REQUIRES: !AtEnd().
  void Next() {
    index_++;
    Settle();
  }
  // Moves to the first element that is at least x, unless the current one is.
  void SeekTo(uint64_t x);

 private:
  friend class EliasFano;

  // Before the first element.
  explicit Cursor(const EliasFano& sequence) : sequence_(sequence), word_(sequence.upper_), window_(*word_) {}

  // Reads the element at index_, whose one is the next in the window or in the following words.
  void Settle() {
    if (index_ >= sequence_.size()) return End();
    while (window_ == 0) {
      if (++word_ == sequence_.upper_ + sequence_.shape_.upper_words()) return End();
      window_ = *word_;
    }
    position_ = static_cast<uint64_t>(word_ - sequence_.upper_) * 64 +
                static_cast<unsigned>(std::countr_zero(window_));
    window_ &= window_ - 1;
    value_ = sequence_.ValueAt(index_, position_);
  }
  void End() {
    index_ = sequence_.size();
    value_ = kEnd;
  }
  EliasFano sequence_;
  const uint64_t* word_;  // current word of the upper bits
  uint64_t window_;       // its ones that were not consumed yet
  uint64_t index_ = 0;
  uint64_t position_ = 0;  // of the one of element index_
  uint64_t value_ = 0;
};

inline EliasFano::Cursor EliasFano::Begin() const {
  Cursor cursor(*this);
  cursor.Settle();
  return cursor;
}

inline EliasFano::Place EliasFano::Find(uint64_t x, uint64_t start) const {
  const uint64_t upper = x >> shape_.lower_width;
  if (start >= shape_.upper_bits || start < upper) return NoPlace();
  const uint64_t* const end = upper_ + shape_.upper_words();
  const uint64_t* at = upper_ + start / 64;
  uint64_t word = *at & ~LowBits(start % 64);
  constexpr uint64_t kScanned = 8;
  const uint64_t first = start - upper;
  for (uint64_t index = first; index < first + kScanned; index++) {
    if (index >= size()) return NoPlace();
    while (word == 0) {
      if (++at == end) return NoPlace();
      word = *at;
    }
    const uint64_t position =
        static_cast<uint64_t>(at - upper_) * 64 + static_cast<unsigned>(std::countr_zero(word));
    const uint64_t value = ValueAt(index, position);
    if (value >= x) return {index, position, value};
    word &= word - 1;
  }
  return FindInRun(x, first + kScanned);
}

inline EliasFano::Element EliasFano::SeekTo(uint64_t x) const {
  if (x > universe()) return {size(), kEnd};
  const Place place = Find(x, StartOf(x >> shape_.lower_width));
  return {place.index, place.value};
}

// Builds a sequence in memory. One thread at a time.
class EliasFanoBuilder {
 public:
  // For n numbers, none above u.  REQUIRES: n <= 2^56.
  EliasFanoBuilder(uint64_t n, uint64_t u);

  // Adds the next number.
  void Add(uint64_t x);
  // Appends the image.  InvalidArgument unless n numbers were added, in order, none above u.
  Status AppendTo(ImageWriter& image);

 private:
  void AddZeroQuanta(uint64_t upper);
  void AppendQuanta(const std::vector<uint64_t>& positions, uint64_t count, ImageWriter& image) const;

  EliasFano::Shape shape_;
  uint64_t added_ = 0;
  uint64_t last_ = 0;
  bool valid_ = true;
  std::vector<uint64_t> lower_;
  std::vector<uint64_t> upper_;
  std::vector<uint64_t> one_quanta_;  // positions
  std::vector<uint64_t> zero_quanta_;
};

}  // namespace crivello::succinct
