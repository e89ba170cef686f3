// SPDX-License-Identifier: Apache-2.0
#include "index/build/throttled_sink.h"

#include <algorithm>
#include <mutex>

namespace crivello::index {

MonotonicTime ByteRate::Take(uint64_t bytes, MonotonicTime now) {
  if (bytes_per_second_ == 0) return now;
  const MonotonicTime start = std::max(now, next_);
  const double seconds = static_cast<double>(bytes) / static_cast<double>(bytes_per_second_);
  next_ = start + std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
  return start;
}

class ThrottledSink::Part final : public PartWriter {
 public:
  Part(ThrottledSink& sink, std::unique_ptr<PartWriter> base) : sink_(sink), base_(std::move(base)) {}
  Status Append(Bytes bytes) override {
    CRV_TRY(sink_.Wait(bytes.size()));
    return base_->Append(bytes);
  }
  Status Finish() override {
    CRV_TRY(sink_.Wait(0));
    return base_->Finish();
  }

 private:
  ThrottledSink& sink_;
  std::unique_ptr<PartWriter> base_;
};

Result<std::unique_ptr<PartWriter>> ThrottledSink::Create(std::string_view name, FileKind kind) {
  CRV_TRY(Wait(0));
  CRV_ASSIGN(std::unique_ptr<PartWriter> part, base_.Create(name, kind));
  return std::unique_ptr<PartWriter>(std::make_unique<Part>(*this, std::move(part)));
}

Status ThrottledSink::Wait(uint64_t bytes) {
  MonotonicTime start;
  {
    MutexLock lock(mu_);
    start = rate_.Take(bytes, SystemClock().Now());
  }
  if (start > SystemClock().Now()) {
    std::mutex own;
    std::unique_lock lock(own);
    never_.wait_until(lock, stop_, start, [] { return false; });
  }
  return stop_.stop_requested() ? Status::Unavailable("the merge was cancelled") : Status::Ok();
}

}  // namespace crivello::index
