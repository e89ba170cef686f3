// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/host_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "jobs/graph/graph_names.h"

namespace crivello::jobs {

HostPlaces::HostPlaces(StoredRank rank) : rank_(std::move(rank)), places_(rank_.values().size()) {
  const std::span<const float> values = rank_.values();
  std::vector<uint32_t> nodes(values.size());
  std::iota(nodes.begin(), nodes.end(), 0u);
  std::sort(nodes.begin(), nodes.end(), [values](uint32_t a, uint32_t b) { return values[a] > values[b]; });
  for (uint32_t i = 0; i < nodes.size(); i++) {
    const bool same = i > 0 && values[nodes[i]] == values[nodes[i - 1]];
    places_[nodes[i]] = same ? places_[nodes[i - 1]] : i;
    last_ = places_[nodes[i]];
  }
}

Result<HostPlaces> HostPlaces::Open(const std::string& collection, const std::string& name) {
  CRV_ASSIGN(StoredRank rank, StoredRank::Open(collection, name));
  if (rank.vector().origin().names != GraphFileName(GraphLevel::kHost)) {
    return Status::InvalidArgument(
        fmt::format("'{}' is a rank of {}, expected one of hosts", name, rank.vector().origin().names));
  }
  return HostPlaces(std::move(rank));
}

std::optional<HostPlaces::Place> HostPlaces::Find(std::string_view host) const {
  const std::optional<graph::Node> node = rank_.names().Find(ReverseHost(host));
  if (!node || *node >= places_.size()) return std::nullopt;
  return Place{.place = places_[*node] + uint64_t{1}, .value = rank_.values()[*node]};
}

std::vector<HostPlaces::Named> HostPlaces::Best(size_t limit) const {
  std::vector<uint32_t> nodes(places_.size());
  std::iota(nodes.begin(), nodes.end(), 0u);
  const auto middle = nodes.begin() + static_cast<std::ptrdiff_t>(std::min(limit, nodes.size()));
  std::partial_sort(nodes.begin(), middle, nodes.end(), [this](uint32_t a, uint32_t b) {
    return std::pair(places_[a], a) < std::pair(places_[b], b);
  });
  nodes.erase(middle, nodes.end());
  std::vector<Named> best;
  for (const uint32_t node : nodes) {
    const std::string name = rank_.names().Name(node);
    if (name.empty()) continue;  // it was forgotten
    best.push_back({.host = ReverseHost(name),
                    .place = {.place = places_[node] + uint64_t{1}, .value = rank_.values()[node]}});
  }
  return best;
}

double HostPlaces::Of(std::string_view host) const {
  const std::optional<Place> found = Find(host);
  if (!found || last_ == 0) return kUnknown;
  return 1 - static_cast<double>(found->place - 1) / static_cast<double>(last_);
}

}  // namespace crivello::jobs
