// SPDX-License-Identifier: Apache-2.0
#include "index/tables/rank_source.h"

#include <algorithm>
#include <utility>

#include "base/folder.h"

namespace crivello::index {

RankChanges CompareRanks(const Manifest& manifest, const std::vector<RankVersion>& ranks) {
  RankChanges changes;
  for (const RankVersion& rank : ranks) {
    const bool has = std::any_of(
        manifest.ranks.begin(), manifest.ranks.end(),
        [&rank](const Manifest::Rank& old) { return old.name == rank.name && old.digest == rank.digest; });
    if (!has) changes.added.push_back(rank.name);
  }
  for (const Manifest::Rank& old : manifest.ranks) {
    const bool stays = std::any_of(ranks.begin(), ranks.end(),
                                   [&old](const RankVersion& rank) { return rank.name == old.name; });
    if (!stays) changes.removed.push_back(old.name);
  }
  return changes;
}

namespace {

// Null if it cannot be read at the moment.
Result<std::shared_ptr<const RankPages>> ReadIfKnown(RankSource& source, const std::string& name,
                                                     size_t tablet) {
  auto pages = source.Read(name, tablet);
  if (pages.status().code() == StatusCode::kNotFound) return std::shared_ptr<const RankPages>();
  return pages;
}

}  // namespace

Result<std::vector<BuiltRank>> RanksOfBuild(RankSource* source, size_t tablet, const std::string& index,
                                            const Manifest& before) {
  RankChanges changes;
  if (source != nullptr) {
    CRV_ASSIGN(const std::vector<RankVersion> ranks, source->List());
    changes = CompareRanks(before, ranks);
  }
  std::vector<BuiltRank> built;
  for (const std::string& name : changes.added) {
    CRV_ASSIGN(std::shared_ptr<const RankPages> pages, ReadIfKnown(*source, name, tablet));
    if (pages == nullptr) continue;
    built.push_back({{.name = name, .generation = 0, .digest = pages->scale().digest}, std::move(pages)});
  }
  for (const Manifest::Rank& old : before.ranks) {
    const bool replaced = std::any_of(built.begin(), built.end(),
                                      [&old](const BuiltRank& rank) { return rank.file.name == old.name; });
    const bool removed =
        std::find(changes.removed.begin(), changes.removed.end(), old.name) != changes.removed.end();
    if (replaced || removed) continue;
    CRV_ASSIGN(auto pages, RankPages::Open(RankPagesPath(index, old), Verify::kEnvelope));
    built.push_back({old, std::move(pages)});
  }
  std::sort(built.begin(), built.end(),
            [](const BuiltRank& a, const BuiltRank& b) { return a.file.name < b.file.name; });
  return built;
}

Status WriteRanks(const std::vector<BuiltRank>& ranks, const std::string& index, Manifest* manifest) {
  FileSystem& fs = PosixFileSystem();
  for (const BuiltRank& rank : ranks) {
    Manifest::Rank file = rank.file;
    if (file.generation == 0) {
      file.generation = manifest->generation;
      CRV_TRY(MakeFolders(RanksPath(index)));
      CRV_TRY(fs.SyncDirectory(index));
      CRV_TRY(WriteImage(RankPagesPath(index, file), RankPages::kFileKind, rank.pages->image(), fs));
    }
    for (const Manifest::Entry& entry : manifest->segments) {
      CRV_ASSIGN(const auto segment, Segment::Open(SegmentPath(index, entry.id)));
      CRV_TRY(WriteImage(RankColumnPath(index, entry.id, file), RankColumn::kFileKind,
                         rank.pages->ColumnOf(*segment)->image(), fs));
    }
    manifest->ranks.push_back(std::move(file));
  }
  return Status::Ok();
}

Result<bool> UpdateRanks(RankSource& source, size_t tablet, IndexWriter& writer) {
  CRV_ASSIGN(const std::vector<RankVersion> ranks, source.List());
  const RankChanges changes = CompareRanks(writer.manifest(), ranks);
  if (changes.none()) return false;
  std::vector<std::shared_ptr<const RankPages>> added;
  for (const std::string& name : changes.added) {
    CRV_ASSIGN(std::shared_ptr<const RankPages> pages, ReadIfKnown(source, name, tablet));
    if (pages != nullptr) added.push_back(std::move(pages));
  }
  if (added.empty() && changes.removed.empty()) return false;
  CRV_TRY(writer.ReplaceRanks(std::move(added), changes.removed));
  return true;
}

}  // namespace crivello::index
