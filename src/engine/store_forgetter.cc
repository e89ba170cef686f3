// SPDX-License-Identifier: Apache-2.0
#include "engine/store_forgetter.h"

#include <chrono>
#include <utility>

#include "engine/forget_everywhere.h"

namespace crivello::engine {
namespace {

// How long Begin() waits for the start: pages in progress are committed first.
constexpr Duration kBeginPatience = std::chrono::seconds(5);

}  // namespace

// The first phase begins once the list is on disk.
class StoreForgetter::Watch final : public Progress {
 public:
  explicit Watch(StoreForgetter& forgetter) : forgetter_(forgetter) {}
  void Start(std::string_view, uint64_t) override {
    MutexLock lock(forgetter_.mu_);
    forgetter_.begun_ = true;
    forgetter_.changed_.notify_all();
  }
  void Advance(uint64_t) override {}
  void Finish() override {}

 private:
  StoreForgetter& forgetter_;
};

StoreForgetter::~StoreForgetter() {
  std::thread last;
  {
    MutexLock lock(mu_);
    last = std::move(thread_);
  }
  if (last.joinable()) last.join();
}

serve::ForgetControl::State StoreForgetter::state() const {
  MutexLock lock(mu_);
  return {.running = running_, .entries = store_.forgotten().current()->entries(), .ended = ended_};
}

Result<serve::ForgetPreview> StoreForgetter::Preview(const collection::ForgetTarget& target) {
  CRV_ASSIGN(care::ForgetPreview preview, care::PreviewForget(store_, {&target, 1}));
  return serve::ForgetPreview{.rows = preview.rows,
                              .versions = preview.versions,
                              .bytes = preview.bytes,
                              .examples = std::move(preview.examples)};
}

Status StoreForgetter::Begin(const collection::ForgetTarget& target, const std::string& reason) {
  MutexLock lock(mu_);
  if (running_) return Status::Unavailable("pages are already being forgotten; try again when that is done");
  if (thread_.joinable()) thread_.join();  // the thread is about to end
  running_ = true;
  begun_ = false;
  ended_ = Status::Ok();
  thread_ = std::thread([this, target, reason] { Run(target, reason); });
  changed_.wait_for(mu_, kBeginPatience, [&]() CRV_REQUIRES(mu_) { return begun_ || !running_; });
  if (begun_ || running_) return Status::Ok();
  return std::exchange(ended_, Status::Ok());  // reported here only
}

void StoreForgetter::Run(const collection::ForgetTarget& target, const std::string& reason) {
  Watch watch(*this);
  Status ended = ForgetEverywhere(store_, {&target, 1}, reason, index_, watch).status();
  MutexLock lock(mu_);
  running_ = false;
  ended_ = std::move(ended);
  changed_.notify_all();
}

bool StoreForgetter::WaitUntilIdle(Duration limit) {
  MutexLock lock(mu_);
  return changed_.wait_for(mu_, limit, [&]() CRV_REQUIRES(mu_) { return !running_; });
}

}  // namespace crivello::engine
