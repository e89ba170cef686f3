// SPDX-License-Identifier: Apache-2.0
#include "bits/kraft.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace crivello::bits {
namespace {

std::string ToDecimal(Uint128 number) {
  std::string digits;
  do {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(number % 10)));
    number /= 10;
  } while (number != 0);
  return digits;
}

}  // namespace

std::string KraftSum::ToString() const {
  if (units_ == 0) return "0";
  const uint64_t low = static_cast<uint64_t>(units_);
  const unsigned halvings = low == 0 ? kMaxKraftLength : static_cast<unsigned>(std::countr_zero(low));
  const unsigned log = kMaxKraftLength - halvings;
  const std::string numerator = ToDecimal(units_ >> halvings);
  if (log == 0) return numerator;
  return numerator + (log <= 10 ? "/" + std::to_string(1 << log) : "/2^" + std::to_string(log));
}

std::string KraftCode::Word::ToString() const {
  std::string text;
  for (unsigned i = length; i-- > 0;) text.push_back((bits >> i & 1) != 0 ? '1' : '0');
  return text;
}

Result<KraftCode> KraftCode::FromLengths(std::span<const unsigned> lengths) {
  if (lengths.size() > std::numeric_limits<uint32_t>::max()) {
    return Status::InvalidArgument("code from lengths: too many words: the limit is 2^32 - 1");
  }
  KraftCode code;
  std::array<uint32_t, kMaxKraftLength + 1> counts = {};
  for (size_t i = 0; i < lengths.size(); i++) {
    if (lengths[i] > kMaxKraftLength) {
      return Status::InvalidArgument("code from lengths: length " + std::to_string(i) + " is " +
                                     std::to_string(lengths[i]) + ", but the limit is 64 bits");
    }
    code.sum_.Add(lengths[i]);
    counts[lengths[i]]++;
    code.lengths_.push_back(static_cast<uint8_t>(lengths[i]));
  }
  if (code.sum_.ExceedsOne()) {
    return Status::InvalidArgument("code from lengths: the sum of 2^-length is " + code.sum_.ToString() +
                                   ", more than 1: no instantaneous code has these lengths");
  }

  // `left` is the right end of the covered part; when words of length t come, it is a multiple of 2^-t.
  std::array<uint32_t, kMaxKraftLength + 1> next_rank = {};
  std::array<uint64_t, kMaxKraftLength + 1> next_word = {};
  Uint128 left = 0;
  uint32_t rank = 0;
  for (unsigned length = 0; length <= kMaxKraftLength; length++) {
    if (counts[length] == 0) continue;
    const Uint128 right = left + (static_cast<Uint128>(counts[length]) << (kMaxKraftLength - length));
    code.levels_.push_back({static_cast<uint64_t>(left), static_cast<uint64_t>(right - 1), length, rank});
    next_rank[length] = rank;
    next_word[length] = static_cast<uint64_t>(left >> (kMaxKraftLength - length));
    left = right;
    rank += counts[length];
  }
  code.words_.resize(lengths.size());
  code.by_rank_.resize(lengths.size());
  for (size_t i = 0; i < lengths.size(); i++) {
    code.words_[i] = next_word[lengths[i]]++;
    code.by_rank_[next_rank[lengths[i]]++] = static_cast<uint32_t>(i);
  }
  return code;
}

size_t KraftCode::Read(BitReader& reader) const {
  const uint64_t window = reader.PeekBits(64);
  const auto level = std::lower_bound(levels_.begin(), levels_.end(), window,
                                      [](const Level& l, uint64_t point) { return l.last < point; });
  if (level == levels_.end()) {
    reader.Fail(BitReader::Error::kNotACodeword);
    return 0;
  }
  reader.SkipBits(level->length);
  if (!reader.ok() || level->length == 0) return reader.ok() ? by_rank_[0] : 0;
  return by_rank_[level->rank + ((window - level->first) >> (kMaxKraftLength - level->length))];
}

}  // namespace crivello::bits
