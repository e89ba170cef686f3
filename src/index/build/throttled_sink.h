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

// Computes when the next bytes may be written, to limit the rate.  A value type.
class ByteRate {
 public:
  // 0: unlimited.
  explicit ByteRate(uint64_t bytes_per_second) : bytes_per_second_(bytes_per_second) {}
  // Reserves the time for some bytes, from `now` or from the end of the last reservation, and returns when
  // they may be written.  Unused time is lost, so no burst follows a pause.
  MonotonicTime Take(uint64_t bytes, MonotonicTime now);

 private:
  uint64_t bytes_per_second_;
  MonotonicTime next_ = {};
};

// Writes parts to another sink at a limited rate, for merges in the background, and can be stopped: then
// every write is Unavailable.  As thread-safe as SegmentSink requires.
class ThrottledSink final : public SegmentSink {
 public:
  // The other sink must outlive this one.
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
  std::condition_variable_any never_;  // a wait ends only by its timeout or the stop
  ByteRate rate_ CRV_GUARDED_BY(mu_);
};

}  // namespace crivello::index
