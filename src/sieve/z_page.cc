// SPDX-License-Identifier: Apache-2.0
#include "sieve/z_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "base/hash.h"

namespace crivello::sieve {
namespace {

constexpr size_t kChecksumAt = 0;
constexpr size_t kFirstAt = 8;
constexpr size_t kLastAt = 16;
constexpr size_t kCountAt = 24;
constexpr size_t kLowerWidthAt = 26;

constexpr size_t WordsFor(uint64_t bits) { return static_cast<size_t>(bits / 64 + (bits % 64 != 0)); }

// The words that `count` keys over `range` need with l lower bits; more than a page has if they do not fit.
constexpr size_t PageWords(size_t count, uint64_t range, unsigned l) {
  const uint64_t zeros = range >> l;
  if (zeros > kZPageWords * 64) return kZPageWords + 1;
  return WordsFor(count * l) + WordsFor(count + zeros);
}

struct Shape {
  unsigned lower_width = 0;
  size_t words = 0;
};

// The better of the two widths around log(range / count): one more lower bit for each key against half of the
// zeros.
Shape BestShape(size_t count, uint64_t range) {
  const uint64_t ratio = range / count;
  const unsigned above = std::min(static_cast<unsigned>(std::bit_width(ratio)), kMaxZLowerWidth);
  const unsigned below = above == 0 ? 0 : above - 1;
  const size_t words_above = PageWords(count, range, above);
  const size_t words_below = PageWords(count, range, below);
  return words_below <= words_above ? Shape{below, words_below} : Shape{above, words_above};
}

// Includes the number, so that a page moved to another place is detected as damage.
uint64_t Checksum(Bytes page, uint64_t number) { return Hash64(page.subspan(kFirstAt), Mix64(number + 1)); }

}  // namespace

Result<ZPage> ZPage::Parse(Bytes page, uint64_t number) {
  assert(page.size() == kZPageBytes && reinterpret_cast<uintptr_t>(page.data()) % 8 == 0);
  if (LoadField<uint64_t>(page, kChecksumAt) != Checksum(page, number)) {
    return Status::Corruption(fmt::format("page {}: damaged", number));
  }
  ZPage result;
  result.first_ = LoadField<uint64_t>(page, kFirstAt);
  result.last_ = LoadField<uint64_t>(page, kLastAt);
  result.count_ = LoadField<uint16_t>(page, kCountAt);
  result.lower_width_ = LoadField<uint8_t>(page, kLowerWidthAt);
  if (result.count_ == 0 || result.count_ > kMaxZPageKeys || result.last_ < result.first_ ||
      result.lower_width_ > kMaxZLowerWidth ||
      PageWords(result.count_, result.last_ - result.first_, result.lower_width_) > kZPageWords) {
    return Status::Corruption(fmt::format("page {}: corrupt: impossible lengths", number));
  }
  result.upper_words_ = WordsFor(result.count_ + ((result.last_ - result.first_) >> result.lower_width_));
  result.lower_ = reinterpret_cast<const uint64_t*>(page.data() + kZPageHeaderBytes);
  result.upper_ = result.lower_ + WordsFor(result.count_ * result.lower_width_);
  return result;
}

Status ZPage::Decode(std::span<uint64_t> out) const {
  assert(out.size() >= count_);
  size_t i = 0;
  bool rises = true;
  uint64_t previous = 0;
  for (size_t w = 0; w < upper_words_; w++) {
    for (uint64_t word = upper_[w]; word != 0; word &= word - 1) {
      if (i == count_) return Status::Corruption("corrupt: a page has more keys than its header says");
      const uint64_t high = w * 64 + static_cast<unsigned>(std::countr_zero(word)) - i;
      const uint64_t distance = (high << lower_width_) | Lower(i);
      rises &= distance > previous || i == 0;
      previous = distance;
      out[i++] = first_ + distance;
    }
  }
  if (i != count_ || !rises || out[0] != first_ || out[count_ - 1] != last_) {
    return Status::Corruption("corrupt: the keys of a page differ from its header");
  }
  return Status::Ok();
}

size_t CountForZPage(std::span<const uint64_t> keys) {
  // One key always fits. The size grows with each key, so the number that fits is found by bisection.
  size_t fits = 1;
  size_t too_many = std::min(keys.size(), kMaxZPageKeys) + 1;
  while (too_many - fits > 1) {
    const size_t middle = (fits + too_many) / 2;
    const bool fit = BestShape(middle, keys[middle - 1] - keys[0]).words <= kZPageWords;
    (fit ? fits : too_many) = middle;
  }
  return fits;
}

void EncodeZPage(std::span<const uint64_t> keys, uint64_t number, std::span<uint64_t, kZPageBytes / 8> page) {
  const uint64_t range = keys.back() - keys.front();
  const Shape shape = BestShape(keys.size(), range);
  const unsigned l = shape.lower_width;
  assert(shape.words <= kZPageWords && keys.size() <= kMaxZPageKeys);
  std::fill(page.begin(), page.end(), uint64_t{0});
  const auto bytes = std::as_writable_bytes(page);
  StoreField(bytes, kFirstAt, keys.front());
  StoreField(bytes, kLastAt, keys.back());
  StoreField(bytes, kCountAt, static_cast<uint16_t>(keys.size()));
  StoreField(bytes, kLowerWidthAt, static_cast<uint8_t>(l));
  uint64_t* lower = page.data() + kZPageHeaderBytes / 8;
  uint64_t* const upper = lower + WordsFor(keys.size() * l);
  const uint64_t mask = succinct::LowBits(l);
  uint64_t pending = 0;  // lower bits not yet stored
  unsigned used = 0;
  for (size_t i = 0; i < keys.size(); i++) {
    const uint64_t distance = keys[i] - keys.front();
    const uint64_t position = (distance >> l) + i;
    upper[position / 64] |= uint64_t{1} << (position % 64);
    const uint64_t low = distance & mask;
    pending |= low << used;
    used += l;
    if (used >= 64) {
      *lower++ = pending;
      used -= 64;
      pending = used == 0 ? 0 : low >> (l - used);
    }
  }
  if (used > 0) *lower = pending;
  StoreField(bytes, kChecksumAt, Checksum(bytes, number));
}

}  // namespace crivello::sieve
