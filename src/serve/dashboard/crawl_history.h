// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crivello::serve {

// The state of a crawl at one moment: totals since the program started, and current values of the rest.
struct CrawlSample {
  int64_t time = 0;    // seconds since 1970
  uint64_t pages = 0;  // fetched
  uint64_t rows = 0;   // of the collection
  uint64_t bytes = 0;
  uint64_t failures = 0;
  uint64_t queued = 0;
  uint64_t documents = 0;  // that search can find
  uint64_t resident = 0;   // bytes of memory
};

// The last samples, so that the dashboard can show the past: every second of the last ten minutes, and every
// ten seconds of the last six hours.  About 150 KB, however long it runs.  One thread at a time.
class CrawlHistory {
 public:
  static constexpr int64_t kNearSpan = 600;
  static constexpr int64_t kFarSpan = 6 * 3600;
  static constexpr int64_t kFarStep = 10;

  // REQUIRES: times do not decrease.  (The last sample of a second replaces the others.  If the clock was set
  // back, samples are ignored until it has caught up.)
  void Add(const CrawlSample& sample);
  // The samples of the last `span` seconds before the newest, by time: at most kNearSpan, or kFarSpan.
  std::vector<CrawlSample> Last(int64_t span) const;

 private:
  // The last `size` samples, `step` seconds apart.
  struct Ring {
    void Add(const CrawlSample& sample);
    void AppendTo(int64_t since, std::vector<CrawlSample>* samples) const;

    int64_t step;
    size_t size;
    std::vector<CrawlSample> samples = {};
    size_t next = 0;  // in a full ring, the oldest
  };
  Ring near_ = {1, kNearSpan + 1};
  Ring far_ = {kFarStep, kFarSpan / kFarStep + 1};
};

}  // namespace crivello::serve
