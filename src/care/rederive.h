// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "page/page_reader.h"

namespace crivello::care {

struct RederiveOptions {
  bool all = false;  // also what this version of the program has derived
  page::PageReaderOptions reader = {};
};

struct RederiveSummary {
  static constexpr size_t kMaxSentences = 20;

  uint64_t versions = 0;               // looked at
  uint64_t remade = 0;                 // of them
  uint64_t failed = 0;                 // whose record could not be read: they stay as they are
  std::vector<std::string> sentences;  // what was wrong with the first of those
};

// Remakes what the rows hold beyond the wire (text, links, digests, what the page asks of crawlers) from the
// archive, by the code of this program (kDerivedBy).  Every version of a page is remade as it was archived;
// what repeats over its site is known from the whole crawl by now, and is not learnt again.  Durable when it
// returns; stopped halfway, what is left is remade the next time.
//
// With `all` it is learnt again, from all versions in the order of their keys, before any is remade.  While a
// site is crawled a page is read by what the pages before it have shown, and a crash loses some of that;
// afterwards the texts depend on the archive alone, whatever the order of the fetches and however often the
// crawl was killed. Twice the time.
Result<RederiveSummary> Rederive(collection::Collection& store, const RederiveOptions& options,
                                 Progress& progress);

}  // namespace crivello::care
