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
// say which pages, hosts or domains their values belong to.
//
// A rank that has another name than index::IsRankName() takes is left out.  One that is damaged stays in the
// index as it was.  List() looks at the times of the files and reads those that have changed; Read() reads
// all names, some 0.2 µs each, and those of the tablet some µs.  One thread at a time.
class CollectionRanks final : public index::RankSource {
 public:
  // The collection outlives it.
  explicit CollectionRanks(const collection::Collection& store) : store_(store) {}

  Result<std::vector<index::RankVersion>> List() override;
  Result<std::shared_ptr<const index::RankPages>> Read(const std::string& name, size_t tablet) override;

 private:
  // What tells whether the files of a rank are others: times and lengths.
  using Stamp = std::vector<int64_t>;
  struct Known {
    Stamp stamp;
    uint64_t digest = 0;  // 0: it cannot be read
  };
  Known Look(const std::string& name) const;

  const collection::Collection& store_;
  std::map<std::string, Known> known_;
};

}  // namespace crivello::engine
