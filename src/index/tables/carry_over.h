// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "index/build/segment_merger.h"
#include "index/segments/live_documents.h"
#include "index/segments/snapshot.h"

namespace crivello::index {

// How a merge treats documents that were deleted or have ended.

// The maps of a merge that keeps the live documents of segments, in their order.
std::vector<MergeSource> LiveSources(std::span<const SegmentView> views);
// The number of documents of the merged segment.
DocId CountDocuments(std::span<const MergeSource> sources);
// The states of the documents of each source, in `fates` (null: all live and current), under their numbers in
// the merged segment.
std::shared_ptr<const LiveDocuments> CarryOver(std::span<const MergeSource> sources,
                                               std::span<const std::shared_ptr<const LiveDocuments>> fates);

}  // namespace crivello::index
