// SPDX-License-Identifier: Apache-2.0
// How an IndexWriter replaces ranks.
#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "index/build/index_writer.h"
#include "index/ranks/rank_pages.h"

namespace crivello::index {

Status IndexWriter::ReplaceRanks(std::vector<std::shared_ptr<const RankPages>> added,
                                 const std::vector<std::string>& removed) {
  MutexLock lock(mu_);
  const auto goes = [&](const auto& rank) {
    return std::find(removed.begin(), removed.end(), rank->name()) != removed.end() ||
           std::any_of(added.begin(), added.end(), [&](const auto& new_one) {
             return new_one != nullptr && new_one->name() == rank->name();
           });
  };
  Ranks ranks;
  std::copy_if(ranks_.begin(), ranks_.end(), std::back_inserter(ranks),
               [&](const auto& rank) { return !goes(rank); });
  if (added.empty() && ranks.size() == ranks_.size()) return Status::Ok();
  std::move(added.begin(), added.end(), std::back_inserter(ranks));
  std::sort(ranks.begin(), ranks.end(), [](const auto& a, const auto& b) { return a->name() < b->name(); });
  std::vector<Held> segments = held_;
  for (Held& held : segments) {
    std::vector<std::shared_ptr<const RankColumn>> columns;
    for (const auto& pages : ranks) {
      const auto old = std::find(ranks_.begin(), ranks_.end(), pages);
      columns.push_back(old == ranks_.end() ? pages->ColumnOf(*held.view.segment)
                                            : held.view.ranks[static_cast<size_t>(old - ranks_.begin())]);
    }
    held.view.ranks = std::move(columns);
  }
  return CommitSegments(std::move(segments), Scope::kCommitted, manifest_.sequence, std::move(ranks));
}

Status IndexWriter::SaveRanks(const Ranks& ranks, Manifest* next) {
  for (const auto& pages : ranks) {
    const auto old = std::find(ranks_.begin(), ranks_.end(), pages);
    if (old != ranks_.end()) {
      next->ranks.push_back(manifest_.ranks[static_cast<size_t>(old - ranks_.begin())]);
      continue;
    }
    next->ranks.push_back(
        {.name = pages->name(), .generation = next->generation, .digest = pages->scale().digest});
    CRV_TRY(MakeFolders(RanksPath(options_.directory)));
    CRV_TRY(options_.fs->SyncDirectory(options_.directory));
    CRV_TRY(WriteImage(RankPagesPath(options_.directory, next->ranks.back()), RankPages::kFileKind,
                       pages->image(), *options_.fs));
  }
  return Status::Ok();
}

Status IndexWriter::SaveColumns(const Manifest& next, Held* held) {
  for (size_t i = 0; i < next.ranks.size(); i++) {
    const auto& column = held->view.ranks[i];
    const auto& saved = held->saved_ranks;
    if (std::find(saved.begin(), saved.end(), column) != saved.end()) continue;
    CRV_TRY(WriteImage(RankColumnPath(options_.directory, held->id, next.ranks[i]), RankColumn::kFileKind,
                       column->image(), *options_.fs));
  }
  held->saved_ranks = held->view.ranks;
  return Status::Ok();
}

// Files that cannot be removed now are removed when the index is next opened.
void IndexWriter::RemoveRanks(const Manifest& before) {
  for (const Manifest::Rank& rank : before.ranks) {
    if (std::find(manifest_.ranks.begin(), manifest_.ranks.end(), rank) != manifest_.ranks.end()) continue;
    options_.fs->Remove(RankPagesPath(options_.directory, rank)).IgnoreError();
    for (const Manifest::Entry& entry : manifest_.segments) {
      options_.fs->Remove(RankColumnPath(options_.directory, entry.id, rank)).IgnoreError();
    }
  }
}

}  // namespace crivello::index
