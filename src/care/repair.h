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
  // Builds the index of the new collection, if the old one had any; null: there is none to build.  Outlives
  // the call.
  IndexKeeper* index = nullptr;
  const Clock* clock = &SystemClock();
};

struct RepairSummary {
  static constexpr size_t kMaxSentences = 20;

  uint64_t records = 0;                // read
  uint64_t versions = 0;               // of pages, made
  uint64_t damaged = 0;                // places of the archive that could not be read
  uint64_t bodiless = 0;               // versions whose body, archived with another page, is not there
  uint64_t copied = 0;                 // versions that were never archived, from the old table
  std::string old = {};                // where the collection as it was is now
  std::vector<std::string> sentences;  // what could not be made again, and what was wrong
};

// Makes a collection anew from its archive, its settings, seeds and what it is to forget: rows, texts, links
// and index.  Documents that were never archived are copied from the old table, as far as it can be read. The
// pages count as seen, and the next crawl offers their links again (crawl/offer_again.h), so that what was
// queued is queued again.  The ledger, robots.txt of hosts and the depth of pages are lost, and said to be.
//
// The new collection is made beside the old one, sharing the files of the archive by hard links, and takes
// its place in one step when it is whole; the old one stays, under another name, and is the caller's to
// remove.  After a crash the old one is there as it was, or the new one is and the old one beside it; what is
// half made is removed by the next repair.  Unavailable if a process has it open.
Result<RepairSummary> Repair(const std::string& directory, const RepairOptions& options, Progress& progress);

}  // namespace crivello::care
