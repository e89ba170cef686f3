// SPDX-License-Identifier: Apache-2.0
// Ranks of a few URLs, and the values expected for documents.  Included by _test.cc and _fuzz.cc files only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "index/ranks/rank_pages.h"
#include "index/segments/snapshot.h"
#include "index/segments/text_store.h"

namespace crivello::index {

// A value for each page; the reference for columns.
using PlainRank = std::map<std::string, float>;

inline RankScale ScaleOf(const std::string& name, uint64_t digest, const PlainRank& rank) {
  std::vector<float> values;
  for (const auto& [url, value] : rank) values.push_back(value);
  return MakeRankScale(name, digest, values);
}

inline std::shared_ptr<const RankPages> PagesOf(const std::string& name, uint64_t digest,
                                                const PlainRank& rank) {
  RankPagesBuilder builder(ScaleOf(name, digest, rank));
  for (const auto& [url, value] : rank) builder.Add(url, value);
  return std::move(builder).Finish();
}

inline float PlainMedian(const PlainRank& rank) {
  std::vector<float> values;
  for (const auto& [url, value] : rank) values.push_back(value);
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[(values.size() - 1) / 2];
}

// Every document has its value, up to rounding, and documents without one have the median.
inline void ExpectRank(const Snapshot& snapshot, const std::string& name, const PlainRank& rank) {
  const float median = PlainMedian(rank);
  for (const SegmentView& view : snapshot.segments()) {
    const RankColumn* column = view.rank(name);
    ASSERT_NE(column, nullptr) << name;
    ASSERT_EQ(column->documents(), view.segment->documents());
    TextReader texts(view.segment->texts());
    for (DocId doc = 0; doc < column->documents(); doc++) {
      const auto stored = texts.Get(doc);
      ASSERT_TRUE(stored.ok()) << stored.status().ToString();
      const auto found = rank.find(std::string(stored->url));
      const float expected = found == rank.end() ? median : found->second;
      ASSERT_NEAR((*column)[doc], expected, 0.057f * std::abs(expected)) << stored->url;
    }
  }
}

}  // namespace crivello::index
