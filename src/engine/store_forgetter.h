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

// Forgets in a separate thread, one target at a time.
class StoreForgetter final : public serve::ForgetControl {
 public:
  // The store must outlive this, and so must `index`, which may be null if there is no index.
  StoreForgetter(collection::Collection& store, care::IndexKeeper* index) : store_(store), index_(index) {}
  // Waits for a deletion in progress.
  ~StoreForgetter() override;

  State state() const override CRV_EXCLUDES(mu_);
  Result<serve::ForgetPreview> Preview(const collection::ForgetTarget& target) override;
  // Returns when the deletion is recorded on disk, so no crash undoes it; after some seconds in any case.
  Status Begin(const collection::ForgetTarget& target, const std::string& reason) override CRV_EXCLUDES(mu_);

  // Waits until nothing is being forgotten, or until `limit`.  Returns whether that is so.
  bool WaitUntilIdle(Duration limit) CRV_EXCLUDES(mu_);

 private:
  class Watch;
  void Run(const collection::ForgetTarget& target, const std::string& reason) CRV_EXCLUDES(mu_);

  collection::Collection& store_;
  care::IndexKeeper* const index_;

  mutable Mutex mu_;
  std::condition_variable_any changed_;
  bool running_ CRV_GUARDED_BY(mu_) = false;
  bool begun_ CRV_GUARDED_BY(mu_) = false;  // a restart would complete the running deletion
  Status ended_ CRV_GUARDED_BY(mu_);
  std::thread thread_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::engine
