// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/ranks/rank_column.h"
#include "index/segments/live_documents.h"
#include "index/segments/manifest.h"
#include "index/segments/segment.h"

namespace crivello::index {

// A segment in the state in which it is searched.
struct SegmentView {
  std::shared_ptr<const Segment> segment;
  std::shared_ptr<const LiveDocuments> live;                  // null: all are live and current
  std::vector<std::shared_ptr<const RankColumn>> ranks = {};  // by name

  bool IsLive(DocId doc) const { return live == nullptr || live->IsLive(doc); }
  bool IsCurrent(DocId doc) const { return live == nullptr || live->IsCurrent(doc); }
  // Whether it was the version of its page at this time, in seconds since 1970: from column::kFrom on.
  bool WasCurrent(DocId doc, int64_t at) const;
  // nullptr if it has no rank of this name.
  const RankColumn* rank(std::string_view name) const;
};

// The statistics of a field over the whole collection, for scores.
struct FieldStatistics {
  uint64_t tokens = 0;     // the sum of the lengths
  uint64_t documents = 0;  // those with a non-zero length

  friend bool operator==(const FieldStatistics&, const FieldStatistics&) = default;
};

// An index at one moment, of one tablet or several: its segments, and the statistics of all of them, so that
// scores do not depend on how a collection is divided.  Deleted documents count in the statistics until a
// merge drops them, just as in the lists.
//
// Immutable; any number of threads may read.  It keeps its segments alive, whatever the writer does.
class Snapshot {
 public:
  Snapshot(std::vector<SegmentView> segments, uint64_t generation, std::string analyser);
  // The last commit in the folder of an index.  NotFound if there was none.
  static Result<std::shared_ptr<const Snapshot>> Open(const std::string& index,
                                                      Verify verify = Verify::kEnvelope);
  // Joins those of several tablets.  InvalidArgument if they have different analysers.
  static Result<std::shared_ptr<const Snapshot>> Join(
      std::span<const std::shared_ptr<const Snapshot>> snapshots);

  const std::vector<SegmentView>& segments() const { return segments_; }
  uint64_t generation() const { return generation_; }
  const std::string& analyser() const { return analyser_; }

  uint64_t documents() const { return documents_; }
  uint64_t live_documents() const { return documents_ - deleted_; }
  // For fields that have lengths; zeros for others.
  FieldStatistics field(std::string_view name) const;
  const std::map<std::string, FieldStatistics, std::less<>>& fields() const { return fields_; }

 private:
  std::vector<SegmentView> segments_;
  uint64_t generation_;
  std::string analyser_;
  uint64_t documents_ = 0;
  uint64_t deleted_ = 0;
  std::map<std::string, FieldStatistics, std::less<>> fields_;
};

}  // namespace crivello::index
