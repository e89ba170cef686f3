// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/build/index_writer.h"
#include "index/ranks/rank_pages.h"
#include "index/segments/manifest.h"

namespace crivello::index {

// The current version of a rank of a collection.
struct RankVersion {
  std::string name;
  uint64_t digest = 0;  // changes when the rank changes
};

// Provides the ranks of a collection.  The index declares this interface because its columns are made from
// them; `engine` implements it.  One thread at a time.
class RankSource {
 public:
  virtual ~RankSource() = default;
  // Sorted by name; cheap enough to call every second.
  virtual Result<std::vector<RankVersion>> List() = 0;
  // The values of a rank for the pages of the tablet at this index among the indexed tablets.  Its digest may
  // be newer than that of List().  NotFound if it is not known any more which pages its values belong to,
  // because a newer graph has replaced its own; an index then keeps the values that it has.
  virtual Result<std::shared_ptr<const RankPages>> Read(const std::string& name, size_t tablet) = 0;
};

// The differences between the ranks of an index and those of its collection.
struct RankChanges {
  std::vector<std::string> added;  // new, or with another digest
  std::vector<std::string> removed;
  bool none() const { return added.empty() && removed.empty(); }
};
RankChanges CompareRanks(const Manifest& manifest, const std::vector<RankVersion>& ranks);

// The ranks for an index that is built: `before` is the manifest of the index that it replaces.
struct BuiltRank {
  Manifest::Rank file;  // with generation 0 if not written yet
  std::shared_ptr<const RankPages> pages;
};
// If `source` is null, the existing ranks are kept.
Result<std::vector<BuiltRank>> RanksOfBuild(RankSource* source, size_t tablet, const std::string& index,
                                            const Manifest& before);
// Writes the ranks that are not written yet, as files of the manifest, and the columns of its segments.
Status WriteRanks(const std::vector<BuiltRank>& ranks, const std::string& index, Manifest* manifest);

// Gives the index of a tablet the current ranks of its collection, in a commit of its own.  Returns whether
// anything changed.
Result<bool> UpdateRanks(RankSource& source, size_t tablet, IndexWriter& writer);

}  // namespace crivello::index
