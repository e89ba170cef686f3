// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/word_frequency.h"

#include <algorithm>

namespace crivello::search {

uint64_t WordFrequency(std::string_view term, std::span<const SearchedSegment> segments) {
  uint64_t most = 0;
  for (const FieldWeight& field : DefaultFields()) {
    uint64_t frequency = 0;
    for (const SearchedSegment& searched : segments) {
      const index::FieldView* view = searched.segment->field(field.field);
      const auto entry = view == nullptr ? std::nullopt : view->terms.Find(term);
      if (!entry) continue;
      // A list that cannot be opened is as none here; who searches in it is told.
      if (const auto list = view->Open(*entry); list.ok()) frequency += list->frequency();
    }
    most = std::max(most, frequency);
  }
  return most;
}

}  // namespace crivello::search
