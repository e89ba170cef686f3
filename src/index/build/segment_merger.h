// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/postings/posting_format.h"
#include "index/segments/segment.h"
#include "index/segments/segment_sink.h"

namespace crivello::index {

// A segment to merge, and the new number of each of its documents, or kEndDoc if it is dropped.
struct MergeSource {
  const Segment* segment = nullptr;
  std::vector<DocId> map;
};

// The maps that concatenate the documents of segments, except those that `keep` rejects.
std::vector<MergeSource> ConcatenateSegments(
    std::span<const Segment* const> segments,
    const std::function<bool(size_t segment, DocId doc)>& keep = [](size_t, DocId) { return true; });

struct SegmentMergerOptions {
  const PostingFormat* format = nullptr;  // null: that of the first segment
  std::string order = "arrival";          // recorded in SegmentInfo
  unsigned threads = 1;
};

// Merges many segments into one, drops deleted documents and reorders the rest, all as the maps say.
// Together the maps must be a permutation of the numbers of the remaining documents.  The result is byte for
// byte the segment that would be built from those documents, except for static scores of more than 256
// values, which are rounded again.
//
// Threads decode and encode lists, one term at a time.  If documents keep their relative order, lists are
// never in memory as a whole.  Cost: some 50 ns per posting and thread.  Texts are read 1,024 at a time; if
// the order jumps a lot, nearly each of them costs the decompression of a block.
//
// InvalidArgument if the maps are not a permutation, or the segments have different analysers.
Result<SegmentInfo> MergeSegments(const SegmentMergerOptions& options, std::span<const MergeSource> sources,
                                  SegmentSink& sink);

}  // namespace crivello::index
