// SPDX-License-Identifier: Apache-2.0
#include "index/tables/carry_over.h"

#include <cstdint>
#include <utility>

namespace crivello::index {

std::vector<MergeSource> LiveSources(std::span<const SegmentView> views) {
  std::vector<const Segment*> segments;
  for (const SegmentView& view : views) segments.push_back(view.segment.get());
  return ConcatenateSegments(segments, [views](size_t i, DocId doc) { return views[i].IsLive(doc); });
}

DocId CountDocuments(std::span<const MergeSource> sources) {
  DocId documents = 0;
  for (const MergeSource& source : sources) {
    for (const DocId doc : source.map) documents += doc != kEndDoc ? 1 : 0;
  }
  return documents;
}

std::shared_ptr<const LiveDocuments> CarryOver(std::span<const MergeSource> sources,
                                               std::span<const std::shared_ptr<const LiveDocuments>> fates) {
  LiveDocuments live(CountDocuments(sources));
  std::vector<std::pair<DocId, int64_t>> ends;
  for (size_t i = 0; i < sources.size(); i++) {
    if (fates[i] == nullptr) continue;
    for (const auto& [doc, until] : fates[i]->ends()) {
      if (sources[i].map[doc] != kEndDoc) ends.emplace_back(sources[i].map[doc], until);
    }
  }
  live.EndAll(std::move(ends));
  for (size_t i = 0; i < sources.size(); i++) {
    if (fates[i] == nullptr) continue;
    for (DocId doc = 0; doc < sources[i].map.size(); doc++) {
      const DocId moved = sources[i].map[doc];
      if (moved != kEndDoc && !fates[i]->IsLive(doc)) live.Delete(moved);
    }
  }
  return live.untouched() ? nullptr : std::make_shared<const LiveDocuments>(std::move(live));
}

}  // namespace crivello::index
