// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/progress.h"
#include "base/status.h"
#include "care/forgetter.h"
#include "care/index_keeper.h"
#include "collection/collection.h"
#include "collection/forgotten.h"

namespace crivello::care {

// Deletes pages permanently: no file of the collection has their text afterwards, and no crawl or import
// brings them back.  docs/care.md lists what is deleted, what is kept, and why.
//
// The list (forgotten.h) is written first, with the targets marked as begun.  Then every store that keeps
// data of a page deletes it (forgetter.h): archive, ledger, robots, those of ForgetOptions::more, rows,
// index.  Each step can be done twice, and the mark is removed when all are done.  So after a crash either
// nothing has begun, or FinishForgetting() completes it.
//
// It can run beside a crawl of the same store: it waits for pages that were in progress when the list was
// written.
// Unavailable while another backup, check or deletion is running (care_turn.h).

struct ForgetPreview {
  static constexpr size_t kMaxExamples = 20;
  uint64_t rows = 0;                       // pages
  uint64_t versions = 0;                   // of them
  uint64_t bytes = 0;                      // of their bodies
  std::vector<std::string> examples = {};  // URLs of the first few
};
// What would be deleted.  Reads the rows of the targets.
Result<ForgetPreview> PreviewForget(collection::Collection& store,
                                    std::span<const collection::ForgetTarget> targets);

struct ForgetOptions {
  // Rebuilds the index after the rows are deleted, so that no file of it has their text.  Null: the
  // collection has no index.  Must outlive the call.
  IndexKeeper* index = nullptr;
  // Forgetters of stores that the collection itself does not know; they run before the rows are deleted.
  std::vector<Forgetter*> more = {};
  const Clock* clock = &SystemClock();
};

struct ForgetSummary {
  std::vector<collection::ForgetTarget> targets = {};
  uint64_t rows = 0;     // deleted
  uint64_t records = 0;  // of the archive, now blank
  uint64_t copies = 0;   // other pages with the same body, which now have a record of their own
};
// Complete and durable when it returns.  Reads all rows of the affected tablets and rewrites their databases
// and the index: several targets at once cost as much as one.
Result<ForgetSummary> Forget(collection::Collection& store, std::span<const collection::ForgetTarget> targets,
                             const std::string& reason, const ForgetOptions& options, Progress& progress);

// Completes a deletion that a crash interrupted; does nothing if there is none.
Result<std::optional<ForgetSummary>> FinishForgetting(collection::Collection& store,
                                                      const ForgetOptions& options, Progress& progress);

}  // namespace crivello::care
