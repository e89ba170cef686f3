// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/digest.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "collection/forgotten.h"
#include "store/record_locator.h"

namespace crivello::care {

// What to delete from one tablet.  The rows still exist when a forgetter gets this.
struct ForgetTargets {
  collection::Collection& store;
  collection::Tablet& tablet;
  const Clock& clock;
  collection::ForgottenSet going;  // the targets that may concern this tablet
  // Collected from the rows to delete:
  std::set<std::string> keys = {};                  // row keys
  std::vector<store::RecordLocator> captures = {};  // the first archive record of each version
  std::set<Sha1> orphans = {};                      // payloads that were archived with a page to delete
};

// Deletes what one store keeps about forgotten pages.  Every store of data derived from pages has one, and
// forget.h runs them all; a new store registers its own in forgetters.h or in ForgetOptions::more.
//
// After a crash between any two calls, all calls are repeated.  So each call must be repeatable, and durable
// when it returns.  One thread at a time.
class Forgetter {
 public:
  virtual ~Forgetter() = default;
  // A word for errors: "archive", "ledger".
  virtual std::string_view name() const = 0;
  // Called once for each tablet that may have data to delete.
  virtual Status Forget(const ForgetTargets& targets, Progress& progress) = 0;
  // Called once, after Forget() of all forgetters for all tablets: the rows are deleted.
  virtual Status Finish(collection::Collection& /*store*/, Progress& /*progress*/) { return Status::Ok(); }
};

}  // namespace crivello::care
