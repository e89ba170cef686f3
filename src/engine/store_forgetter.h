// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "care/index_keeper.h"
#include "collection/collection.h"
#include "serve/dashboard/forget_control.h"

namespace crivello::engine {

// Forgets in a thread of its own, one target at a time.
class StoreForgetter final : public serve::ForgetControl {
 public:
  // The store outlives it, and so does `index`, which is null if there is none.
  StoreForgetter(collection::Collection& store, care::IndexKeeper* index) : store_(store), index_(index) {}
  // Waits for what is under way.
  ~StoreForgetter() override;

  State state() const override CRV_EXCLUDES(mu_);
  Result<serve::ForgetPreview> Preview(const collection::ForgetTarget& target) override;
  // Returns when the disk knows that it is to go, so that no crash undoes it; after some seconds in any case.
  Status Begin(const collection::ForgetTarget& target, const std::string& reason) override CRV_EXCLUDES(mu_);

  // Returns when nothing is being forgotten, or after `limit`.  Whether it is so.
  bool WaitUntilIdle(Duration limit) CRV_EXCLUDES(mu_);

 private:
  class Watch;
  void Run(const collection::ForgetTarget& target, const std::string& reason) CRV_EXCLUDES(mu_);

  collection::Collection& store_;
  care::IndexKeeper* const index_;

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  bool running_ CRV_GUARDED_BY(mu_) = false;
  bool begun_ CRV_GUARDED_BY(mu_) = false;  // what runs has got so far that a restart would end it
  Status ended_ CRV_GUARDED_BY(mu_);
  std::thread thread_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::engine
