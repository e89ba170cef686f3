// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "index/segments/document_values.h"

namespace crivello::search {

// When a page is from, as far as it is known: as it says itself, as its server says, or when it was fetched.
struct PageDate {
  int64_t seconds = 0;
  bool own = false;  // not that of the fetch
};
class PageDates {
 public:
  explicit PageDates(const index::DocumentValues& values);
  PageDate Of(index::DocId doc) const;

 private:
  const index::NumberColumn* published_;
  const index::NumberColumn* modified_;
  const index::NumberColumn* fetched_;
};

}  // namespace crivello::search
