// SPDX-License-Identifier: Apache-2.0
#include "search/query/page_dates.h"

namespace crivello::search {

PageDates::PageDates(const index::DocumentValues& values)
    : published_(values.numbers(index::column::kPublished)),
      modified_(values.numbers(index::column::kModified)),
      fetched_(values.numbers(index::column::kTime)) {}

PageDate PageDates::Of(index::DocId doc) const {
  for (const index::NumberColumn* own : {published_, modified_}) {
    if (own != nullptr && (*own)[doc] != 0) return {(*own)[doc], true};
  }
  return {fetched_ == nullptr ? 0 : (*fetched_)[doc], false};
}

}  // namespace crivello::search
