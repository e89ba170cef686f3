// SPDX-License-Identifier: Apache-2.0
#include "jobs/graph/stored_rank.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/folder.h"
#include "base/hash.h"
#include "jobs/graph/graph_folder.h"
#include "web/url/row_key.h"
#include "web/url/url.h"

namespace crivello::jobs {
namespace {

std::string RanksFolder(const std::string& collection) { return collection + "/ranks"; }

// The values of nodes, looked up by name among the old nodes.
std::vector<double> CarriedValues(std::span<const float> values, const graph::NameList& before,
                                  const graph::NameList& now) {
  std::vector<float> sorted(values.begin(), values.end());
  float median = 0;
  if (!sorted.empty()) {
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    median = *middle;
  }
  std::vector<double> carried(now.size(), static_cast<double>(median));
  auto old = before.Begin();
  for (auto at = now.Begin(); at.valid(); at.Next()) {
    while (old.valid() && old.name() < at.name()) old.Next();
    const bool known = old.valid() && old.name() == at.name() && old.node() < values.size();
    if (known && at.node() < carried.size()) carried[at.node()] = static_cast<double>(values[old.node()]);
  }
  return carried;
}

}  // namespace

Result<StoredRank> StoredRank::Open(const std::string& collection, const std::string& name) {
  CRV_ASSIGN(const std::string path, RankPath(collection, name));
  CRV_ASSIGN(Mapped<graph::RankVector> values, Mapped<graph::RankVector>::Open(path));
  const std::string names_path = fmt::format("{}/{}.urls", GraphFolder(collection), values->origin().names);
  CRV_ASSIGN(Mapped<graph::NameList> names,
             Mapped<graph::NameList>::Open(names_path, {.verify = Verify::kEnvelope}));
  if (names->identity() != values->origin().names_identity || names->size() != values->nodes()) {
    return Status::NotFound(
        fmt::format("{} was computed on an earlier graph; compute it again with 'crivello rank ... --as {}'",
                    path, name));
  }
  return StoredRank(std::move(values), std::move(names));
}

std::optional<float> StoredRank::Find(std::string_view name) const {
  const std::optional<graph::Node> node = names_->Find(name);
  if (!node || *node >= values().size()) return std::nullopt;
  return values()[*node];
}

uint64_t StoredRank::PlaceOf(float value) const {
  const auto better = [value](float other) { return other > value; };
  return 1 + static_cast<uint64_t>(std::count_if(values().begin(), values().end(), better));
}

uint64_t StoredRank::Digest() const {
  Hasher64 hasher;
  hasher.Update(values_.file().payload());
  const uint64_t names_now[] = {names_->identity(), names_->removed()};
  hasher.Update(std::as_bytes(std::span(names_now)));
  return hasher.Digest();
}

Result<std::vector<std::string>> ListRanks(const std::string& collection) {
  std::error_code error;
  if (!std::filesystem::is_directory(RanksFolder(collection), error)) return std::vector<std::string>();
  return ListFolder(RanksFolder(collection));
}

Result<std::vector<PageStanding>> StandingsOf(const std::string& collection, std::string_view url) {
  CRV_ASSIGN(const web::Url parsed, web::ParseUrl(url));
  CRV_ASSIGN(const std::string key, web::RowKey(parsed));
  CRV_ASSIGN(const std::vector<std::string> ranks, ListRanks(collection));
  std::vector<PageStanding> standings;
  for (const std::string& name : ranks) {
    const auto rank = StoredRank::Open(collection, name);
    if (!rank.ok()) continue;
    for (const GraphLevel level : kGraphLevels) {
      if (rank->vector().origin().names != GraphFileName(level)) continue;
      std::string node = key;
      if (level != GraphLevel::kPage) {
        CRV_ASSIGN(node, HostNameOfRow(level, key));
      }
      const std::optional<float> value = rank->Find(node);
      if (!value) continue;
      standings.push_back({.rank = name,
                           .level = level,
                           .how = rank->vector().origin().how,
                           .value = *value,
                           .place = rank->PlaceOf(*value),
                           .nodes = rank->values().size()});
    }
  }
  return standings;
}

Status CarryRanks(const std::string& collection, GraphLevel level, const graph::NameList& before) {
  CRV_ASSIGN(const std::vector<std::string> ranks, ListRanks(collection));
  if (ranks.empty()) return Status::Ok();
  CRV_ASSIGN(const Mapped<graph::NameList> now,
             Mapped<graph::NameList>::Open(NamesPath(GraphBasename(collection, level)),
                                           {.verify = Verify::kEnvelope}));
  if (now->identity() == before.identity()) return Status::Ok();
  for (const std::string& name : ranks) {
    const auto path = RankPath(collection, name);
    if (!path.ok()) continue;  // not a rank
    const auto values = Mapped<graph::RankVector>::Open(*path);
    // A damaged rank, or one of an even earlier graph, is left as it is; `check` reports it.
    if (!values.ok() || (*values)->origin().names != GraphFileName(level) ||
        (*values)->origin().names_identity != before.identity() || (*values)->nodes() != before.size()) {
      continue;
    }
    graph::RankOrigin origin = (*values)->origin();
    origin.names_identity = now->identity();
    CRV_TRY(graph::WriteRankVector(*path, origin, CarriedValues((*values)->values(), before, *now)));
  }
  return Status::Ok();
}

}  // namespace crivello::jobs
