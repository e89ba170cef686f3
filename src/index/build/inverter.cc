// SPDX-License-Identifier: Apache-2.0
#include "index/build/inverter.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "index/build/posting_run.h"

namespace crivello::index {
namespace {

// The first 8 bytes of a term as a number with the same order.
uint64_t OrderOf(std::string_view term) {
  char first[8] = {};
  std::memcpy(first, term.data(), std::min<size_t>(8, term.size()));
  uint64_t word;
  std::memcpy(&word, first, sizeof(word));
  return __builtin_bswap64(word);
}

}  // namespace

void Inverter::Append(uint32_t number, uint32_t position) {
  const uint32_t step = position - position_;
  position_ = position;
  if (step > 1) [[unlikely]] {
    entries_.push_back(kJump);
    entries_.push_back(step - 1);
  }
  entries_.push_back(number << 1 | (step > 0 ? kNextPosition : 0));
}

void Inverter::Add(std::span<const text::Term> terms) {
  // This many slots of the table are prefetched at a time.
  std::array<TermTable::Key, 16> keys;
  while (!terms.empty()) {
    const size_t many = std::min(keys.size(), terms.size());
    for (size_t i = 0; i < many; i++) keys[i] = terms_.Prepare(terms[i].text);
    for (size_t i = 0; i < many; i++) Append(terms_.NumberOf(keys[i]), terms[i].position);
    terms = terms.subspan(many);
  }
}

void Inverter::AddKeyword(std::string_view term) { Append(terms_.NumberOf(term), 0); }

void Inverter::EndDocument(uint32_t length) {
  document_ends_.push_back(entries_.size());
  lengths_.push_back(length);
  position_ = ~uint32_t{0};
}

std::vector<uint32_t> Inverter::SortedTerms() const {
  struct Item {
    uint64_t order;
    uint32_t number;
  };
  std::vector<Item> items(terms_.size());
  for (uint32_t i = 0; i < terms_.size(); i++) items[i] = {OrderOf(terms_.term(i)), i};
  std::ranges::sort(items, [this](const Item& a, const Item& b) {
    return a.order != b.order ? a.order < b.order : terms_.term(a.number) < terms_.term(b.number);
  });
  std::vector<uint32_t> numbers(items.size());
  for (size_t i = 0; i < items.size(); i++) numbers[i] = items[i].number;
  return numbers;
}

// Groups the occurrences by term.
void Inverter::Distribute(std::span<Place> places) {
  uint64_t at = 0;
  for (uint32_t doc = 0; doc < documents(); doc++) {
    uint64_t occurrence = MakeOccurrence(doc, 0) - 1;
    for (; at < document_ends_[doc]; at++) {
      const uint32_t entry = entries_[at];
      if (entry == kJump) {
        occurrence += entries_[++at];
        continue;
      }
      occurrence += entry & kNextPosition;
      Place& place = places[entry >> 1];
      occurrences_[place.next] = occurrence;
      place.next += place.last != occurrence ? 1 : 0;
      place.last = occurrence;
    }
  }
}

void Inverter::WriteRun(std::vector<uint8_t>* out) {
  std::vector<Place> places(terms_.size());
  for (size_t at = 0; at < entries_.size(); at++) {
    if (entries_[at] == kJump) {
      at++;
    } else {
      places[entries_[at] >> 1].next++;  // first, count the occurrences
    }
  }
  const std::vector<uint32_t> sorted = SortedTerms();
  std::vector<uint64_t> starts;
  starts.reserve(sorted.size());
  uint64_t start = 0;
  for (const uint32_t number : sorted) {
    starts.push_back(start);
    start += std::exchange(places[number].next, start);
  }
  // One more, because a term that repeats at a position is written before it is recognised.
  occurrences_.resize(std::max<size_t>(occurrences_.size(), start + 1));
  Distribute(places);
  RunWriter run(contents_, lengths_, out);
  for (size_t i = 0; i < sorted.size(); i++) {
    run.Add(terms_.term(sorted[i]),
            std::span(occurrences_).subspan(starts[i], places[sorted[i]].next - starts[i]));
  }
  run.Finish();
  terms_.Clear();
  entries_.clear();
  document_ends_.clear();
  lengths_.clear();
}

}  // namespace crivello::index
