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
  bool all = false;  // also rows derived by this version of the program
  page::PageReaderOptions reader = {};
};

struct RederiveSummary {
  static constexpr size_t kMaxSentences = 20;

  uint64_t versions = 0;               // examined
  uint64_t remade = 0;                 // of them
  uint64_t failed = 0;                 // could not be read: these stay as they are
  std::vector<std::string> sentences;  // what was wrong with the first of them
};

// Remakes the derived data of the rows (text, links, digests, the page's directives to crawlers) from the
// archive, using the code of this program (kDerivedBy).  Remakes every version of a page as it was archived.
// The repeated parts of a site are known from the whole crawl by now, and not learnt again.  Durable when it
// returns; if it is stopped halfway, the next run remakes the rest.
//
// With `all` they are learnt again, from all versions in the order of their keys, before any is remade.
// During a crawl, a page is read with what earlier pages of the site have shown, and a crash loses some of
// that. Afterwards the texts depend only on the archive, whatever the order of the fetches and however often
// the crawl was killed.  Takes twice the time.
Result<RederiveSummary> Rederive(collection::Collection& store, const RederiveOptions& options,
                                 Progress& progress);

}  // namespace crivello::care
