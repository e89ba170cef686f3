// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/random.h"
#include "care/forgetter.h"
#include "care/index_keeper.h"
#include "store/archive.h"
#include "store/capture.h"

namespace crivello::care {

// The forgetters of a collection's own stores, in the order in which forget.cc runs them.

// Blanks the archive's records of deleted pages.  If a remaining page's body was archived with a deleted
// page, it first gets a record of its own.  Reads all rows of a tablet if there are such bodies.
class ArchiveForgetter final : public Forgetter {
 public:
  ArchiveForgetter();
  std::string_view name() const override { return "archive"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;

  uint64_t records() const { return records_; }  // blanked so far
  uint64_t copies() const { return copies_; }    // bodies that got a record of their own

 private:
  Status HouseCopies(const ForgetTargets& targets, store::Archive& archive, Progress& progress);

  SeededRandom random_;
  store::CaptureEncoder encoder_;
  uint64_t records_ = 0;
  uint64_t copies_ = 0;
};

// Deletes the decisions about the URLs to delete, fetched or not.
class LedgerForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "ledger"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;
};

// Deletes near-duplicate data about deleted pages, and about any page whose cluster is represented by one of
// them: `dups` finds the clusters again.
class DuplicatesForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "duplicates"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;
};

// Removes deleted pages from the schedule of revisits.
class ScheduleForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "schedule"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;
};

// Deletes the robots.txt of hosts that are deleted as a whole.
class RobotsForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "robots"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;
};

// Deletes feeds with matching URLs, and the subscriptions to them.
class FeedForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "feeds"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;
};

// Deletes the rows, their texts, links and payloads.  It runs last, because the rows determine what to
// delete: an interrupted deletion then finds the same rows again.
class RowForgetter final : public Forgetter {
 public:
  std::string_view name() const override { return "rows"; }
  Status Forget(const ForgetTargets& targets, Progress& progress) override;
  uint64_t rows() const { return rows_; }  // deleted so far

 private:
  uint64_t rows_ = 0;
};

// Rebuilds the index after the rows are deleted.
class IndexForgetter final : public Forgetter {
 public:
  // The keeper must outlive it.
  explicit IndexForgetter(IndexKeeper& keeper) : keeper_(keeper) {}
  std::string_view name() const override { return "index"; }
  Status Forget(const ForgetTargets&, Progress&) override { return Status::Ok(); }
  Status Finish(collection::Collection& store, Progress& progress) override {
    return keeper_.Rebuild(store, progress);
  }

 private:
  IndexKeeper& keeper_;
};

// What to delete from `tablet`.  Reads the rows of the targets.
Result<ForgetTargets> FindTargets(collection::Collection& store, collection::Tablet& tablet,
                                  collection::ForgottenSet going, const Clock& clock, Progress& progress);

}  // namespace crivello::care
