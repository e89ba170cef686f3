// SPDX-License-Identifier: Apache-2.0
#include "engine/collection_ranks.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <span>
#include <string_view>
#include <utility>

#include "index/ranks/rank_pages.h"
#include "jobs/graph/graph_names.h"
#include "jobs/graph/stored_rank.h"
#include "web/url/row_key.h"

namespace crivello::engine {
namespace {

void AddStamp(const std::string& path, std::vector<int64_t>* stamp) {
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0) return stamp->push_back(-1);
  for (const int64_t part :
       {static_cast<int64_t>(about.st_ino), static_cast<int64_t>(about.st_size),
        static_cast<int64_t>(about.st_mtim.tv_sec), static_cast<int64_t>(about.st_mtim.tv_nsec)}) {
    stamp->push_back(part);
  }
}

}  // namespace

CollectionRanks::Known CollectionRanks::Look(const std::string& name) const {
  Known known;
  AddStamp(store_.directory() + "/ranks/" + name, &known.stamp);
  // Changed by a new graph, or by a page that was forgotten.
  for (const char* level : {"pages", "hosts", "domains"})
    AddStamp(fmt::format("{}/graph/{}.urls", store_.directory(), level), &known.stamp);
  const auto before = known_.find(name);
  if (before != known_.end() && before->second.stamp == known.stamp) return before->second;
  const auto rank = jobs::StoredRank::Open(store_.directory(), name);
  // An unreadable rank has no digest that an index could have, so it will be read, and then reports why.
  if (rank.ok()) known.digest = rank->Digest();
  return known;
}

Result<std::vector<index::RankVersion>> CollectionRanks::List() {
  std::vector<index::RankVersion> list;
  CRV_ASSIGN(const std::vector<std::string> names, jobs::ListRanks(store_.directory()));
  for (const std::string& name : names) {
    if (!index::IsRankName(name)) continue;
    Known known = Look(name);
    list.push_back({name, known.digest});
    known_[name] = std::move(known);
  }
  return list;
}

Result<std::shared_ptr<const index::RankPages>> CollectionRanks::Read(const std::string& name,
                                                                      size_t tablet) {
  CRV_ASSIGN(const jobs::StoredRank rank, jobs::StoredRank::Open(store_.directory(), name));
  const std::span<const float> values = rank.values();
  index::RankPagesBuilder pages(index::MakeRankScale(name, rank.Digest(), values));
  const web::TabletId& wanted = store_.tablets()[tablet]->id();
  const std::string& level = rank.vector().origin().names;
  if (level == jobs::GraphFileName(jobs::GraphLevel::kDomain)) {
    // The hosts of a domain may be in any tablet.
    for (auto at = rank.names().Begin(); at.valid(); at.Next()) {
      pages.AddDomain(jobs::ReverseHost(at.name()), values[at.node()]);
    }
    return std::move(pages).Finish();
  }
  if (level == jobs::GraphFileName(jobs::GraphLevel::kHost)) {
    for (auto at = rank.names().Begin(); at.valid(); at.Next()) {
      const std::string name_of_host = jobs::ReverseHost(at.name());
      if (store_.map().id(store_.SlotOf(name_of_host)) == wanted)
        pages.AddHost(name_of_host, values[at.node()]);
    }
    return std::move(pages).Finish();
  }
  std::string host;  // the beginning of the keys of one host, up to and with ")"
  bool is_here = false;
  for (auto at = rank.names().Begin(); at.valid(); at.Next()) {
    const std::string_view key = at.name();
    if (host.empty() || !key.starts_with(host)) {
      CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
      host = key.substr(0, key.find(')') + 1);
      is_here = store_.map().id(store_.SlotOf(url.hostname())) == wanted;
    }
    if (!is_here) continue;
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
    pages.Add(url.href(), values[at.node()]);
  }
  return std::move(pages).Finish();
}

}  // namespace crivello::engine
