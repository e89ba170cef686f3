// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "base/mutex.h"
#include "policy/filter.h"
#include "policy/scope.h"

namespace crivello::crawl {

// Which URLs a crawl wants, at one moment.  Never changes once it is in use.
struct CrawlPolicy {
  policy::Scope scope;
  policy::Filters filters;  // with the exclusions of the collection
};

// The current policy.  Code that decides about a URL or a page takes it once and uses it for the whole
// decision.  A new policy replaces it between two decisions.  Thread-safe.
class LivePolicy {
 public:
  explicit LivePolicy(CrawlPolicy policy)
      : current_(std::make_shared<const CrawlPolicy>(std::move(policy))) {}

  std::shared_ptr<const CrawlPolicy> current() const CRV_EXCLUDES(mu_) {
    MutexLock lock(mu_);
    return current_;
  }
  void Replace(CrawlPolicy policy) CRV_EXCLUDES(mu_) {
    auto next = std::make_shared<const CrawlPolicy>(std::move(policy));
    MutexLock lock(mu_);
    current_.swap(next);
  }

 private:
  mutable Mutex mu_;
  std::shared_ptr<const CrawlPolicy> current_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::crawl
