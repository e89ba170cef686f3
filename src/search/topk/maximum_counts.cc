// SPDX-License-Identifier: Apache-2.0
#include "search/topk/maximum_counts.h"

#include <algorithm>

namespace crivello::search {

const uint32_t* MaximumCounts::Of(const index::FieldView& field) {
  const MutexLock lock(mutex_);
  auto& maxima = maxima_[&field];
  if (maxima == nullptr) {
    std::vector<uint32_t> counts(field.lists.lengths.size(), 1);
    for (index::TermCursor term = field.terms.Begin(); term.valid(); term.Next()) {
      auto list = field.Open(term.entry());
      if (!list.ok()) continue;  // damaged: a query that needs it will say so
      for (; list->doc() != index::kEndDoc; list->NextBlock()) {
        const auto docs = list->block_rest();
        const auto block_counts = list->block_rest_counts();
        for (size_t i = 0; i < docs.size(); i++) counts[docs[i]] = std::max(counts[docs[i]], block_counts[i]);
      }
    }
    maxima = std::make_unique<const std::vector<uint32_t>>(std::move(counts));
  }
  return maxima->data();
}

}  // namespace crivello::search
