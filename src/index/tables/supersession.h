// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "index/segments/live_documents.h"
#include "index/segments/snapshot.h"

namespace crivello::index {

// The deletion of a page while a batch was gathered.  It deletes what was added before; later additions
// stay.
struct PageDeletion {
  int64_t key = 0;   // UrlKey()
  DocId before = 0;  // the documents of the batch from here on were added after it
};

// What a batch of new documents and deletions does to documents of the same pages, in older segments and in
// the batch itself.  A newer version deletes an older one or, if versions are kept, ends it at the time when
// the newer one began (column::kFrom; else kTime; else 0).
//
// Two pages are the same if their 64-bit keys are equal: among 10^8 pages, two are confused with probability
// 0.0003. A segment costs a pass over its keys, a nanosecond or two each; the batch costs a sort.  Immutable.
class Supersession {
 public:
  struct Options {
    bool versions = false;
  };
  // The batch may be null if there are only deletions; it must outlive this.
  Supersession(const Segment* batch, std::vector<PageDeletion> deletions, Options options);

  // The new state of an older segment's documents: the same pointer if nothing changes.
  std::shared_ptr<const LiveDocuments> ApplyTo(const SegmentView& older) const;
  // The same for the documents of the batch; null if nothing changes.
  std::shared_ptr<const LiveDocuments> ApplyToBatch() const;

 private:
  bool MayHave(int64_t key) const {
    const uint64_t bit = static_cast<uint64_t>(key) >> filter_shift_;
    return filter_[bit / 64] >> (bit % 64) & 1;
  }
  void AddToFilter(int64_t key);
  int64_t FromOf(DocId doc) const;

  const Segment* batch_;
  Options options_;
  std::vector<std::pair<int64_t, DocId>> documents_;  // keys and documents of the batch, sorted
  std::vector<PageDeletion> deletions_;               // by key; only the last one of each
  // The highest bits of the keys in the batch: most keys of older segments need no search.
  unsigned filter_shift_ = 0;
  std::vector<uint64_t> filter_;
};

}  // namespace crivello::index
