// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "frontier/host_ranks.h"
#include "jobs/graph/stored_rank.h"

namespace crivello::jobs {

// The rank of hosts that `crawl` and `up` go by unless told otherwise; `up` computes it.
inline constexpr std::string_view kHostRank = "host-pagerank";
// That of pages (search::kDefaultRank).
inline constexpr std::string_view kPageRank = "pagerank";

// Which place each host has in a rank of hosts.  4 bytes a host, besides the files, which are mapped.
// Immutable; any number of threads may read.  Finding a host costs about a microsecond.
class HostPlaces final : public frontier::HostRanks {
 public:
  // NotFound if there is none; InvalidArgument if it is not a rank of hosts.
  static Result<HostPlaces> Open(const std::string& collection, const std::string& name);

  struct Place {
    uint64_t place = 0;  // 1 is best; equal values share a place
    float value = 0;
  };
  std::optional<Place> Find(std::string_view host) const;
  uint64_t hosts() const { return places_.size(); }
  // The best hosts, at most `limit`, best first.
  struct Named {
    std::string host;
    Place place;
  };
  std::vector<Named> Best(size_t limit) const;

  // 1 for the best, 0 for the worst, kUnknown for one that is not ranked.
  double Of(std::string_view host) const override;

 private:
  explicit HostPlaces(StoredRank rank);

  StoredRank rank_;
  std::vector<uint32_t> places_;  // by node, from 0
  uint32_t last_ = 0;             // the largest of these
};

}  // namespace crivello::jobs
