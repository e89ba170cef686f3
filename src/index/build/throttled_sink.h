// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <stop_token>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "index/segments/segment_sink.h"

namespace crivello::index {

// When a writer may write its next bytes, so that it writes so many a second and no more.  A value.
class ByteRate {
 public:
  // 0: as many as it can.
  explicit ByteRate(uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}
  // Takes the time that some bytes are worth, from `now` on or from the end of what was taken before, and
  // returns when they may be written.  What was not used is lost, so no burst follows a pause.
  MonotonicTime Take(uint64_t bytes, MonotonicTime now);

 private:
  uint64_t bytes_per_second_;
  MonotonicTime next_ = {};
};

// Writes parts to another sink at a limited rate, for merges in the background, and stops when it is told to:
// then every write is Unavailable.  As thread-safe as SegmentSink wants it.
class ThrottledSink final : public SegmentSink {
 public:
  // The other sink outlives this one.
  ThrottledSink(SegmentSink& base, uint64_t bytes_per_second, std::stop_token stop)
      : base_(base), stop_(std::move(stop)), rate_(bytes_per_second) {}
  Result<std::unique_ptr<PartWriter>> Create(std::string_view name, FileKind kind) override;
  std::string scratch() const override { return base_.scratch(); }

 private:
  class Part;
  Status Wait(uint64_t bytes) CRV_EXCLUDES(mu_);

  SegmentSink& base_;
  const std::stop_token stop_;
  Mutex mu_;
  std::condition_variable_any never_;  // only its timeout or the stop ends a wait
  ByteRate rate_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::index
