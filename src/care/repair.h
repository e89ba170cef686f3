// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "base/status.h"
#include "care/index_keeper.h"
#include "collection/collection.h"

namespace crivello::care {

struct RepairOptions {
  // Builds the index of the new collection, if the old one had one; null: do not build one.  Must outlive the
  // call.
  IndexKeeper* index = nullptr;
  const Clock* clock = &SystemClock();
};

struct RepairSummary {
  static constexpr size_t kMaxSentences = 20;

  uint64_t records = 0;                // read
  uint64_t versions = 0;               // versions of pages that were made
  uint64_t damaged = 0;                // unreadable places of the archive
  uint64_t bodiless = 0;               // versions whose body, archived with another page, is missing
  uint64_t copied = 0;                 // versions that were never archived, copied from the old table
  std::string old = {};                // where the old collection is now
  std::vector<std::string> sentences;  // what could not be restored, and what was wrong
};

// Rebuilds a collection from its archive, settings, seeds and list of forgotten pages: rows, texts, links and
// index.  Copies documents that were never archived from the old table, as far as it is readable.  Pages
// count as seen, and the next crawl offers their links again (crawl/offer_again.h), so that URLs that were
// queued are queued again.  The ledger, robots.txt of hosts and depths of pages are lost, and reported so.
//
// The new collection is made beside the old one, shares the files of the archive by hard links, and replaces
// it in one step when complete.  The old one is kept under another name; the caller may remove it.  After a
// crash there is either the unchanged old one, or the new one with the old one beside it; the next repair
// removes partial work.  Unavailable if a process has it open.
Result<RepairSummary> Repair(const std::string& directory, const RepairOptions& options, Progress& progress);

}  // namespace crivello::care
