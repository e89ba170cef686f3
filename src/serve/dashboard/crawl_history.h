// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace crivello::serve {

// How a crawl stood at a moment: sums since the program was started, and what there is of the rest.
struct CrawlSample {
  int64_t time = 0;    // seconds since 1970
  uint64_t pages = 0;  // fetched
  uint64_t rows = 0;   // of the collection
  uint64_t bytes = 0;
  uint64_t failures = 0;
  uint64_t queued = 0;
  uint64_t documents = 0;  // that can be found
  uint64_t resident = 0;   // bytes of memory
};

// The last samples, for people who come later: each second of the last ten minutes, and every ten seconds of
// the last six hours.  Some 150 KB, however long it runs.  One thread at a time.
class CrawlHistory {
 public:
  static constexpr int64_t kNearSpan = 600;
  static constexpr int64_t kFarSpan = 6 * 3600;
  static constexpr int64_t kFarStep = 10;

  // REQUIRES: none is older than one before it.  (Of one second the last counts; one that goes back, for the
  // clock was set, is left out.)
  void Add(const CrawlSample& sample);
  // In order of time, of the last `span` seconds before the newest: at most kNearSpan, or kFarSpan.
  std::vector<CrawlSample> Last(int64_t span) const;

 private:
  // The last `size` samples that are `step` seconds apart.
  struct Ring {
    void Add(const CrawlSample& sample);
    void AppendTo(int64_t since, std::vector<CrawlSample>* samples) const;

    int64_t step;
    size_t size;
    std::vector<CrawlSample> samples = {};
    size_t next = 0;  // of a full ring, its oldest
  };
  Ring near_ = {1, kNearSpan + 1};
  Ring far_ = {kFarStep, kFarSpan / kFarStep + 1};
};

}  // namespace crivello::serve
