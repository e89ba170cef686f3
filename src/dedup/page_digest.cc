// SPDX-License-Identifier: Apache-2.0
#include "dedup/page_digest.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/hash.h"
#include "dedup/word_characters.h"

namespace crivello::dedup {
namespace {

// A word's hash is a polynomial of its characters, finished by Mix64.
constexpr uint64_t kFactor = 0x9fb21c651e98df25;
constexpr uint64_t kStart = 0x2545f4914f6cdd1d;

// Row n has the powers of kFactor to multiply n letters at the start of eight bytes by.
constexpr auto kPowers = [] {
  std::array<std::array<uint64_t, 8>, 9> rows = {};
  for (size_t n = 1; n <= 8; n++) {
    uint64_t power = 1;
    for (size_t i = n; i-- > 0;) rows[n][i] = power *= kFactor;
  }
  return rows;
}();

constexpr uint64_t EachByte(uint8_t value) { return value * uint64_t{0x0101010101010101}; }

// Eight bytes of a text: the ASCII letters at their start, in lower case; the rest is zero.
struct Letters {
  uint64_t bytes;
  size_t count;
};
Letters LettersOf(const uint8_t* text) {
  uint64_t raw;
  std::memcpy(&raw, text, sizeof raw);
  if constexpr (std::endian::native == std::endian::big) raw = __builtin_bswap64(raw);
  const uint64_t lower = (raw & EachByte(0x7f)) | EachByte(0x20);
  // The high bit of each byte that is a letter: at least 'a', not above 'z', and ASCII.
  const uint64_t is_letter = (lower + EachByte(0x80 - 'a')) & ~(lower + EachByte(0x80 - 'z' - 1)) & ~raw;
  const uint64_t others = ~is_letter & EachByte(0x80);
  if (others == 0) return {lower, 8};
  const int first = std::countr_zero(others) - 7;
  return {lower & ((uint64_t{1} << first) - 1), static_cast<size_t>(first / 8)};
}

// The same result as adding them one by one, but the products do not depend on each other.
uint64_t HashLetters(uint64_t hash, Letters letters) {
  const auto& powers = kPowers[letters.count];
  uint64_t sum = (hash + (letters.bytes & 0xff)) * powers[0];
  for (unsigned i = 1; i < 8; i++) sum += (letters.bytes >> (8 * i) & 0xff) * powers[i];
  return sum;
}

// Calls use(hash) for each word.
template <typename Use>
void ForEachWord(std::string_view text, Use use) {
  uint64_t hash = kStart;
  bool letters = false;      // the word has at least one letter
  bool after_digit = false;  // a run of digits counts as one 0
  const auto end_word = [&] {
    if (letters) use(Mix64(hash));
    hash = kStart;
    letters = after_digit = false;
  };
  const auto add_letter = [&](uint64_t c) {
    hash = (hash + c) * kFactor;
    letters = true;
    after_digit = false;
  };
  const auto add_digit = [&] {
    if (!after_digit) hash = (hash + '0') * kFactor;
    after_digit = true;
  };
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int64_t>(text.size());
  for (int64_t at = 0; at < size;) {
    const uint8_t byte = bytes[at];
    const char kind = kWordBytes[byte];
    if (kind >= 'a' && size - at >= 8) {
      // This handles almost all of a text.
      const Letters run = LettersOf(bytes + at);
      hash = HashLetters(hash, run);
      at += static_cast<int64_t>(run.count);
      letters = true;
      after_digit = false;
      if (run.count < 8 && bytes[at] == ' ') {  // most words end like this
        end_word();
        at++;
      }
    } else if (kind >= 'a') {
      add_letter(static_cast<uint64_t>(kind));
      at++;
    } else if (kind == 0) {
      end_word();
      at++;
    } else if (kind != kLongCharacter) {
      add_digit();
      at++;
    } else {
      // The macro's index is an int32_t, as in C: a window of the longest character is enough.
      const auto left = static_cast<int32_t>(std::min<int64_t>(size - at, U8_MAX_LENGTH));
      int32_t used = 0;
      UChar32 c = 0;
      U8_NEXT(bytes + at, used, left, c);
      at += used;
      if (c < 0) {
        add_letter(byte);
      } else if (StandsAlone(c) && (u_isalpha(c) || IsMark(c))) {
        end_word();
        add_letter(static_cast<uint64_t>(c));
        end_word();
      } else if (u_isdigit(c)) {
        add_digit();
      } else if (u_isalpha(c) || IsMark(c)) {
        add_letter(static_cast<uint64_t>(u_foldCase(c, U_FOLD_CASE_DEFAULT)));
      } else {
        end_word();
      }
    }
  }
  end_word();
}

}  // namespace

void SimHash::Clear() {
  planes_ = {};
  signals_ = 0;
}

void SimHash::AddGroup() {
  // Adds three bits of equal weight: the sum goes to `sum`, and the carry is returned.
  const auto add = [](uint64_t& sum, uint64_t a, uint64_t b) {
    const uint64_t either = sum ^ a;
    const uint64_t carry = (sum & a) | (either & b);
    sum = either ^ b;
    return carry;
  };
  const auto& w = waiting_;
  const uint64_t twos_a = add(planes_[0], w[0], w[1]);
  const uint64_t twos_b = add(planes_[0], w[2], w[3]);
  const uint64_t fours_a = add(planes_[1], twos_a, twos_b);
  const uint64_t twos_c = add(planes_[0], w[4], w[5]);
  const uint64_t twos_d = add(planes_[0], w[6], w[7]);
  const uint64_t fours_b = add(planes_[1], twos_c, twos_d);
  Ripple(add(planes_[2], fours_a, fours_b), 3, planes_);
}

uint64_t SimHash::Value() const {
  uint64_t value = 0;
  Planes all = planes_;
  for (size_t i = 0; i < signals_ % kGroup; i++) Ripple(waiting_[i], 0, all);
  const auto planes = static_cast<size_t>(std::bit_width(signals_));
  for (unsigned bit = 0; bit < 64; bit++) {
    uint64_t ones = 0;
    for (size_t p = 0; p < planes; p++) ones |= (all[p] >> bit & 1) << p;
    if (ones > signals_ - ones) value |= uint64_t{1} << bit;
  }
  return value;
}

bool PageDigester::Insert(uint64_t signal) {
  signal |= signal == 0;
  for (uint64_t at = signal & mask_;; at = (at + 1) & mask_) {
    if (table_[at] == signal) return false;
    if (table_[at] == 0) {
      table_[at] = signal;
      return true;
    }
  }
}

void PageDigester::Chain::Add(uint64_t word) {
  hash = (hash ^ word) * kFactor;
  hash ^= hash >> 32;
  ++words;
}

PageDigest PageDigester::Chain::Value() const {
  return {.text = words == 0 ? 0 : std::max<uint64_t>(Mix64(hash + words), 1), .words = words};
}

void PageDigester::Add(std::string_view text, Part part) {
  Chain main = main_;
  Chain whole = whole_;
  if (part == Part::kMain) {
    ForEachWord(text, [&](uint64_t word) {
      main.Add(word);
      whole.Add(word);
      if (words_.size() < kMaxSignalWords) words_.push_back(word);
    });
  } else {
    ForEachWord(text, [&](uint64_t word) { whole.Add(word); });
  }
  main_ = main;
  whole_ = whole;
}

PageDigester::Digests PageDigester::Finish() {
  Digests digests = {.main = main_.Value(), .whole = whole_.Value()};
  digests.main.simhash = SimHashOfWords();
  main_ = whole_ = {};
  words_.clear();
  return digests;
}

PageDigest PageDigester::Digest(std::string_view text) {
  Add(text, Part::kMain);
  return Finish().main;
}

uint64_t PageDigester::SimHashOfWords() {
  signals_ = 0;
  if (words_.empty()) return 0;
  const size_t gram = std::min(kGram, words_.size());
  const size_t signals = words_.size() - gram + 1;
  const size_t slots = std::bit_ceil(signals * 2);
  mask_ = slots - 1;
  if (table_.size() < slots) table_.resize(slots);
  std::fill_n(table_.begin(), slots, 0);
  simhash_.Clear();
  for (size_t i = 0; i < signals; i++) {
    uint64_t signal = kStart;
    for (size_t j = 0; j < gram; j++) signal = (signal + words_[i + j]) * kFactor;
    signal = Mix64(signal);
    if (Insert(signal)) {
      simhash_.Add(signal);
      signals_++;
    }
  }
  return simhash_.Value();
}

}  // namespace crivello::dedup
