// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "collection/collection.h"
#include "index/tables/rank_source.h"

namespace crivello::engine {

// The ranks of a collection, for its index: the files `ranks/NAME`, with the lists of names in `graph` that
// map their values to pages, hosts or domains.
//
// Skips a rank whose name index::IsRankName() rejects.  A damaged rank stays in the index as it was.  List()
// checks the times of the files and reads those that have changed.  Read() reads all names, about 0.2 µs
// each, and a few µs for each name of the tablet.  One thread at a time.
class CollectionRanks final : public index::RankSource {
 public:
  // The collection must outlive this.
  explicit CollectionRanks(const collection::Collection& store) : store_(store) {}

  Result<std::vector<index::RankVersion>> List() override;
  Result<std::shared_ptr<const index::RankPages>> Read(const std::string& name, size_t tablet) override;

 private:
  // Changes when the files of a rank change: times and lengths.
  using Stamp = std::vector<int64_t>;
  struct Known {
    Stamp stamp;
    uint64_t digest = 0;  // 0: unreadable
  };
  Known Look(const std::string& name) const;

  const collection::Collection& store_;
  std::map<std::string, Known> known_;
};

}  // namespace crivello::engine
