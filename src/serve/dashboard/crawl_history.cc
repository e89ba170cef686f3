// SPDX-License-Identifier: Apache-2.0
#include "serve/dashboard/crawl_history.h"

namespace crivello::serve {

void CrawlHistory::Ring::Add(const CrawlSample& sample) {
  if (!samples.empty()) {
    CrawlSample& last = samples[(next + samples.size() - 1) % samples.size()];
    if (sample.time < last.time) return;
    // Samples of one step are merged: the last one replaces the others, so totals stay right.
    if (sample.time / step == last.time / step) {
      last = sample;
      return;
    }
  }
  if (samples.size() < size) {
    samples.push_back(sample);
    return;
  }
  samples[next] = sample;
  next = (next + 1) % size;
}

void CrawlHistory::Ring::AppendTo(int64_t since, std::vector<CrawlSample>* to) const {
  for (size_t i = 0; i < samples.size(); ++i) {
    const CrawlSample& sample = samples[(next + i) % samples.size()];
    if (sample.time >= since) to->push_back(sample);
  }
}

void CrawlHistory::Add(const CrawlSample& sample) {
  near_.Add(sample);
  far_.Add(sample);
}

std::vector<CrawlSample> CrawlHistory::Last(int64_t span) const {
  std::vector<CrawlSample> samples;
  const Ring& ring = span <= kNearSpan ? near_ : far_;
  if (ring.samples.empty()) return samples;
  const int64_t newest = ring.samples[(ring.next + ring.samples.size() - 1) % ring.samples.size()].time;
  ring.AppendTo(newest - span, &samples);
  return samples;
}

}  // namespace crivello::serve
