// SPDX-License-Identifier: Apache-2.0
#include "engine/collection_ranks.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "base/folder.h"
#include "base/hash.h"
#include "graph/names/name_list.h"
#include "graph/rank_file.h"
#include "index/ranks/rank_pages.h"
#include "web/url/row_key.h"

namespace crivello::engine {
namespace {

constexpr std::string_view kRowKeys = "row-key";  // the form of the names of pages

std::string RanksFolder(const collection::Collection& store) { return store.directory() + "/ranks"; }
std::string RankFile(const collection::Collection& store, const std::string& name) {
  return RanksFolder(store) + "/" + name;
}
std::string NamesFile(const collection::Collection& store, const graph::RankVector& rank) {
  return store.directory() + "/graph/" + rank.origin().names + ".urls";
}

void AddStamp(const std::string& path, std::vector<int64_t>* stamp) {
  struct stat about = {};
  if (::stat(path.c_str(), &about) != 0) return stamp->push_back(-1);
  for (const int64_t part :
       {static_cast<int64_t>(about.st_ino), static_cast<int64_t>(about.st_size),
        static_cast<int64_t>(about.st_mtim.tv_sec), static_cast<int64_t>(about.st_mtim.tv_nsec)}) {
    stamp->push_back(part);
  }
}

// A rank, with the names of its nodes.
struct OpenRank {
  Mapped<graph::RankVector> values;
  Mapped<graph::NameList> names;

  bool is_of_pages() const { return names->form() == kRowKeys; }
  // Changes when a page is removed from the names, too.
  uint64_t digest() const {
    Hasher64 hasher;
    hasher.Update(values.file().payload());
    const uint64_t names_now[] = {names->identity(), names->removed()};
    hasher.Update(std::as_bytes(std::span(names_now)));
    return hasher.Digest();
  }
};

// NotFound if its names are those of another graph.
Result<OpenRank> Open(const collection::Collection& store, const std::string& name) {
  CRV_ASSIGN(Mapped<graph::RankVector> values, Mapped<graph::RankVector>::Open(RankFile(store, name)));
  CRV_ASSIGN(Mapped<graph::NameList> names,
             Mapped<graph::NameList>::Open(NamesFile(store, *values), {.verify = Verify::kEnvelope}));
  if (names->identity() != values->origin().names_identity || names->size() != values->nodes()) {
    return Status::NotFound(
        fmt::format("{} was computed on an earlier graph; compute it again with "
                    "'crivello rank ... --as {}'",
                    RankFile(store, name), name));
  }
  return OpenRank{std::move(values), std::move(names)};
}

}  // namespace

CollectionRanks::Known CollectionRanks::Look(const std::string& name) const {
  Known known;
  AddStamp(RankFile(store_, name), &known.stamp);
  // A new graph, or a page that was forgotten.
  for (const char* level : {"pages", "hosts", "domains"})
    AddStamp(fmt::format("{}/graph/{}.urls", store_.directory(), level), &known.stamp);
  const auto before = known_.find(name);
  if (before != known_.end() && before->second.stamp == known.stamp) return before->second;
  const Result<OpenRank> rank = Open(store_, name);
  // One that cannot be read has no digest that an index could have, so it will be asked for, and say why.
  if (!rank.ok()) known.digest = 0;
  if (rank.ok() && rank->is_of_pages()) known.digest = rank->digest();
  return known;
}

Result<std::vector<index::RankVersion>> CollectionRanks::List() {
  std::vector<index::RankVersion> list;
  if (std::error_code error; !std::filesystem::is_directory(RanksFolder(store_), error)) return list;
  CRV_ASSIGN(const std::vector<std::string> names, ListFolder(RanksFolder(store_)));
  for (const std::string& name : names) {
    if (!index::IsRankName(name)) continue;
    Known known = Look(name);
    if (known.digest) list.push_back({name, *known.digest});
    known_[name] = std::move(known);
  }
  return list;
}

Result<std::shared_ptr<const index::RankPages>> CollectionRanks::Read(const std::string& name,
                                                                      size_t tablet) {
  CRV_ASSIGN(const OpenRank rank, Open(store_, name));
  if (!rank.is_of_pages()) return Status::NotFound(name + " is not a rank of pages");
  const std::span<const float> values = rank.values->values();
  index::RankPagesBuilder pages(index::MakeRankScale(name, rank.digest(), values));
  const web::TabletId& wanted = store_.tablets()[tablet]->id();
  std::string host;  // the beginning of the keys of one, up to and with ")"
  bool is_here = false;
  for (auto at = rank.names->Begin(); at.valid(); at.Next()) {
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
