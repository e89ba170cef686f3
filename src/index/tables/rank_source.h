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

// A rank that a collection has, as it is now.
struct RankVersion {
  std::string name;
  uint64_t digest = 0;  // another one: another rank
};

// Whoever has the ranks of a collection.  The index declares it because its columns are made of them;
// `engine` implements it.  One thread at a time.
class RankSource {
 public:
  virtual ~RankSource() = default;
  // By name; cheap enough to ask every second.
  virtual Result<std::vector<RankVersion>> List() = 0;
  // What the pages of the tablet of that place, among those that are indexed, have of a rank: its digest may
  // be newer than that of List().  NotFound if nobody knows any more which pages its values belong to, as
  // when a newer graph has taken the place of its own: then an index keeps what it has.
  virtual Result<std::shared_ptr<const RankPages>> Read(const std::string& name, size_t tablet) = 0;
};

// What an index lacks of the ranks of its collection, and has beyond them.
struct RankChanges {
  std::vector<std::string> added;  // new, or of another digest
  std::vector<std::string> removed;
  bool none() const { return added.empty() && removed.empty(); }
};
RankChanges CompareRanks(const Manifest& manifest, const std::vector<RankVersion>& ranks);

// The ranks of an index that is built: `before` is the manifest of the one that it replaces.
struct BuiltRank {
  Manifest::Rank file;  // of generation 0 if there is none yet
  std::shared_ptr<const RankPages> pages;
};
// `source` may be null: then those that there are.
Result<std::vector<BuiltRank>> RanksOfBuild(RankSource* source, size_t tablet, const std::string& index,
                                            const Manifest& before);
// Writes what is not there yet, as files of the manifest, and the columns of its segments.
Status WriteRanks(const std::vector<BuiltRank>& ranks, const std::string& index, Manifest* manifest);

// Gives the index of a tablet the ranks that its collection has now, if it has others.  A commit of its own.
// Returns whether there were any.
Result<bool> UpdateRanks(RankSource& source, size_t tablet, IndexWriter& writer);

}  // namespace crivello::index
