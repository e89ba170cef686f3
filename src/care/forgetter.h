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

// What is to be deleted from one tablet.  The rows are still there while it is handed out.
struct ForgetTargets {
  collection::Collection& store;
  collection::Tablet& tablet;
  const Clock& clock;
  collection::ForgottenSet going;  // the targets that may have something in this tablet
  // Read from the rows that go:
  std::set<std::string> keys = {};                  // row keys
  std::vector<store::RecordLocator> captures = {};  // the first archive record of each version
  std::set<Sha1> orphans = {};                      // payloads that were archived with a page that goes
};

// Deletes what one store keeps of forgotten pages.  Whatever stores something derived from a page has one,
// and forget.h runs them all; a new store registers its own in forgetters.h or in ForgetOptions::more.
//
// A crash may come between any two calls, and then all of them are made again.  So each call can be repeated
// and is durable when it returns.  One thread at a time.
class Forgetter {
 public:
  virtual ~Forgetter() = default;
  // A word for errors: "archive", "ledger".
  virtual std::string_view name() const = 0;
  // Called once for each tablet that may have something that goes.
  virtual Status Forget(const ForgetTargets& targets, Progress& progress) = 0;
  // Called once, after Forget() of all forgetters for all tablets: the rows are gone.
  virtual Status Finish(collection::Collection& /*store*/, Progress& /*progress*/) { return Status::Ok(); }
};

}  // namespace crivello::care
