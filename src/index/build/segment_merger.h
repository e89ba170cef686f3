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

// A segment that is merged, and where its documents go: the new number of each, or kEndDoc if it is dropped.
struct MergeSource {
  const Segment* segment = nullptr;
  std::vector<DocId> map;
};

// The maps that put the documents of segments one behind the other, but for those that `keep` refuses.
std::vector<MergeSource> ConcatenateSegments(
    std::span<const Segment* const> segments,
    const std::function<bool(size_t segment, DocId doc)>& keep = [](size_t, DocId) { return true; });

struct SegmentMergerOptions {
  const PostingFormat* format = nullptr;  // that of the first segment if it is not said
  std::string order = "arrival";          // what SegmentInfo will say
  unsigned threads = 1;
};

// Makes one segment of many: merges, drops what was deleted and gives documents another order, all of which
// is a matter of the maps.  The maps together are a permutation of as many numbers as there are documents
// that stay.  The result is the segment that would be built of those documents, byte for byte but for static
// scores of more than 256 values, which are rounded again.
//
// Lists are decoded and encoded by threads, a term at a time; if no document changes its place relative to
// others, they are never in memory whole.  Cost: some 50 ns a posting and thread.  Texts are read 1,024 at a
// time: where the order jumps about, nearly each of them costs the decompression of a block.
//
// InvalidArgument if the maps are no permutation, or segments have different analysers.
Result<SegmentInfo> MergeSegments(const SegmentMergerOptions& options, std::span<const MergeSource> sources,
                                  SegmentSink& sink);

}  // namespace crivello::index
