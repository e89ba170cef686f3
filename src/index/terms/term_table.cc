// SPDX-License-Identifier: Apache-2.0
#include "index/terms/term_table.h"

#include "base/random.h"

namespace crivello::index {
namespace {

constexpr size_t kFirstSlots = 1 << 10;

}  // namespace

TermTable::TermTable()
    : seed_{RandomSeed() | 1, RandomSeed() | 1}, mask_(kFirstSlots - 1), slots_(kFirstSlots) {}

// The bytes between the first 8 and the last 8.
uint64_t TermTable::HashMiddle(std::string_view text) const {
  uint64_t hash = 0;
  for (size_t at = 8; at + 8 < text.size(); at += 8) {
    hash = Multiply(hash ^ Load64(text.data() + at) ^ seed_[1], seed_[0]);
  }
  return hash;
}

uint32_t TermTable::Insert(const Key& key, uint64_t at) {
  const uint32_t number = size();
  bytes_.insert(bytes_.end(), key.text.begin(), key.text.end());
  ends_.push_back(static_cast<uint32_t>(bytes_.size()));
  slots_[at] = {key.first, TagOf(key), number};
  if (2 * ends_.size() > slots_.size()) Grow();
  return number;
}

void TermTable::Grow() {
  mask_ = 2 * slots_.size() - 1;
  std::vector<Slot>(2 * slots_.size()).swap(slots_);
  for (uint32_t number = 0; number < size(); number++) {
    const Key key = Prepare(term(number));
    uint64_t at = key.hash & mask_;
    while (slots_[at].tag != kFree) at = (at + 1) & mask_;
    slots_[at] = {key.first, TagOf(key), number};
  }
}

void TermTable::Clear() {
  ends_.clear();
  bytes_.clear();
  slots_.assign(slots_.size(), Slot());
}

}  // namespace crivello::index
