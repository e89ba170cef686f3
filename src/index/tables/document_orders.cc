// SPDX-License-Identifier: Apache-2.0
#include "index/tables/document_orders.h"

#include <algorithm>

#include "index/segments/manifest.h"
#include "index/segments/segment.h"

namespace crivello::index {
namespace {

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

Result<std::vector<std::string>> NamesOfOrders(RankSource* ranks) {
  std::vector<std::string> names = {std::string(kUrlOrder), "bisection", "inlinks", "depth"};
  if (ranks == nullptr) return names;
  CRV_ASSIGN(const std::vector<RankVersion> versions, ranks->List());
  for (const RankVersion& rank : versions) names.push_back(rank.name);
  return names;
}

Result<KeptOrder> FindKeptOrder(std::span<const IndexedTablet> tablets, RankSource* ranks) {
  KeptOrder kept;
  std::string largest;
  uint64_t most = 0;
  std::vector<Manifest> manifests;
  for (const IndexedTablet& tablet : tablets) {
    const auto manifest = Manifest::Read(tablet.index);
    if (manifest.status().code() == StatusCode::kNotFound) return kept;
    CRV_TRY(manifest.status());
    for (const Manifest::Entry& entry : manifest->segments) {
      if (entry.documents <= most) continue;
      most = entry.documents;
      largest = SegmentPath(tablet.index, entry.id);
    }
    manifests.push_back(*manifest);
  }
  if (largest.empty()) return kept;
  CRV_ASSIGN(const std::shared_ptr<const Segment> segment, Segment::Open(largest));
  const std::string order = segment->info().order;
  CRV_ASSIGN(const std::vector<std::string> names, NamesOfOrders(ranks));
  CRV_ASSIGN(const std::vector<std::string> without_ranks, NamesOfOrders(nullptr));
  if (!Contains(names, order)) return kept;
  const bool is_rank = !Contains(without_ranks, order);
  for (size_t i = 0; is_rank && i < tablets.size(); i++) {
    CRV_ASSIGN(const std::vector<BuiltRank> built, RanksOfBuild(ranks, i, tablets[i].index, manifests[i]));
    const auto rank = std::find_if(built.begin(), built.end(),
                                   [&](const BuiltRank& one) { return one.file.name == order; });
    if (rank == built.end()) return KeptOrder();
    kept.ranks.push_back(rank->pages);
  }
  kept.name = order;
  return kept;
}

}  // namespace crivello::index
