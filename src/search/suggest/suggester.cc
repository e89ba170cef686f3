// SPDX-License-Identifier: Apache-2.0
#include "search/suggest/suggester.h"

#include <utility>

namespace crivello::search {

Suggester::~Suggester() {
  std::jthread maker;
  {
    const MutexLock lock(mutex_);
    maker = std::move(maker_);
  }
}

Result<std::shared_ptr<const Suggestions>> Suggester::For(
    const std::shared_ptr<const index::Snapshot>& snapshot,
    const std::set<std::string, std::less<>>& stop_words) {
  const MutexLock lock(mutex_);
  StartIfWanted(snapshot, stop_words);
  while (suggestions_ == nullptr && making_) made_.wait(mutex_);
  if (suggestions_ == nullptr) return status_;
  return suggestions_;
}

void Suggester::Prepare(const std::shared_ptr<const index::Snapshot>& snapshot,
                        const std::set<std::string, std::less<>>& stop_words) {
  const MutexLock lock(mutex_);
  StartIfWanted(snapshot, stop_words);
}

void Suggester::StartIfWanted(const std::shared_ptr<const index::Snapshot>& snapshot,
                              const std::set<std::string, std::less<>>& stop_words) {
  const bool old = snapshot_.lock() != snapshot;
  const bool wanted = suggestions_ == nullptr || (old && clock_.Now() - started_ >= kRenewal);
  if (wanted && !making_) Start(snapshot, stop_words);
}

void Suggester::Start(std::shared_ptr<const index::Snapshot> snapshot,
                      std::set<std::string, std::less<>> stop_words) {
  making_ = true;
  started_ = clock_.Now();
  snapshot_ = snapshot;
  // The thread before has done all it had to do.
  maker_ = std::jthread([this, snapshot = std::move(snapshot),
                         stop_words = std::move(stop_words)](const std::stop_token& stop) mutable {
    auto made = Suggestions::Make(*snapshot, stop_words, {}, stop);
    snapshot.reset();
    const MutexLock lock(mutex_);
    status_ = made.status();
    if (made.ok()) suggestions_ = std::make_shared<const Suggestions>(*std::move(made));
    making_ = false;
    made_.notify_all();
  });
}

}  // namespace crivello::search
