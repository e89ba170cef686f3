// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/ranks/rank_pages.h"
#include "index/tables/rank_source.h"
#include "index/tables/table_indexer.h"

namespace crivello::index {

constexpr std::string_view kUrlOrder = "url";

// The names of all orders that a build can make: "url", "bisection", static scores and the ranks of the
// collection, if `ranks` is not null.
Result<std::vector<std::string>> NamesOfOrders(RankSource* ranks);

// The order for a build that should keep the present one.
struct KeptOrder {
  std::string name{kUrlOrder};
  std::vector<std::shared_ptr<const RankPages>> ranks = {};  // of each tablet, if `name` is a rank
};
// The order of the largest segment: smaller ones are newer pages, which are in the order of their arrival
// until the next build.  "url" if there is no index, or if the order cannot be made again because its rank
// was removed.
Result<KeptOrder> FindKeptOrder(std::span<const IndexedTablet> tablets, RankSource* ranks);

}  // namespace crivello::index
