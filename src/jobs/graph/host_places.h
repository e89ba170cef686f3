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

// The default rank of hosts for `crawl` and `up`; `up` computes it.
inline constexpr std::string_view kHostRank = "host-pagerank";
// The default rank of pages (search::kDefaultRank).
inline constexpr std::string_view kPageRank = "pagerank";

// The place of each host in a rank of hosts.  4 bytes per host, besides the mapped files. Immutable; any
// number of threads may read.  Finding a host costs about a microsecond.
class HostPlaces final : public frontier::HostRanks {
 public:
  // NotFound if there is no such rank; InvalidArgument if it is not a rank of hosts.
  static Result<HostPlaces> Open(const std::string& collection, const std::string& name);

  struct Place {
    uint64_t place = 0;  // 1 is best; equal values share a place
    float value = 0;
  };
  std::optional<Place> Find(std::string_view host) const;
  uint64_t hosts() const { return places_.size(); }
  // The best hosts, up to `limit`, best first.
  struct Named {
    std::string host;
    Place place;
  };
  std::vector<Named> Best(size_t limit) const;

  // 1 for the best, 0 for the worst, kUnknown for an unranked host.
  double Of(std::string_view host) const override;

 private:
  explicit HostPlaces(StoredRank rank);

  StoredRank rank_;
  std::vector<uint32_t> places_;  // by node, from 0
  uint32_t last_ = 0;             // the largest of these
};

}  // namespace crivello::jobs
