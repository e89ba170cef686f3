// SPDX-License-Identifier: Apache-2.0
#include "engine/stored_index.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "engine/collection_ranks.h"
#include "engine/index_policy.h"
#include "index/tables/collection_index.h"
#include "index/tables/document_orders.h"
#include "jobs/links/link_anchors.h"
#include "text/terms/analyser.h"

namespace crivello::engine {
namespace {

Result<StoredIndexStats> CountsOf(std::span<const index::IndexedTablet> tablets) {
  StoredIndexStats counts;
  for (const index::IndexedTablet& tablet : tablets) {
    const auto manifest = index::Manifest::Read(tablet.index);
    if (manifest.status().code() == StatusCode::kNotFound) return StoredIndexStats{};
    CRV_TRY(manifest.status());
    // A refresh would miss rows: the log no longer has their changes, or belongs to another index.
    CRV_ASSIGN(const bool follows, tablet.changes->CanBeFollowedFrom(manifest->sequence));
    if (!follows) return StoredIndexStats{};
    for (const auto& entry : manifest->segments) counts.documents += entry.documents - entry.deleted;
    counts.changes += tablet.changes->last() - manifest->sequence;
  }
  counts.exists = true;
  return counts;
}

// Keeps the existing settings.
Status TakeSettings(const index::Manifest& manifest, index::TableIndexOptions* options) {
  options->settings = manifest.settings;
  CRV_ASSIGN(options->fields, index::PageFields::Parse(manifest.settings.fields));
  return Status::Ok();
}

// Keeps the existing order of the documents.
Status TakeOrder(collection::Collection& store, index::TableIndexOptions* options) {
  CollectionRanks ranks(store);
  CRV_ASSIGN(const index::KeptOrder order, index::FindKeptOrder(IndexedTablets(store), &ranks));
  options->order = order.name;
  return Status::Ok();
}

// Builds the indexes of all tablets, with the texts of links.
Result<index::TableIndexSummary> BuildFromRows(collection::Collection& store,
                                               index::TableIndexOptions options, Progress& progress) {
  const std::unique_ptr<jobs::LinkAnchors> anchors = jobs::LinkAnchors::Of(store);
  options.anchors = anchors.get();
  CollectionRanks ranks(store);
  options.ranks = &ranks;
  return index::BuildTableIndexes(IndexedTablets(store), options, progress);
}

}  // namespace

std::vector<index::IndexedTablet> IndexedTablets(collection::Collection& store) {
  std::vector<index::IndexedTablet> tablets;
  for (collection::Tablet* const tablet : store.tablets()) {
    tablets.push_back({.table = &tablet->table(),
                       .changes = &tablet->changes(),
                       .index = tablet->index_directory(),
                       .duplicates = &tablet->duplicates()});
  }
  return tablets;
}

Result<index::IndexSettings> DefaultIndexSettings() {
  CRV_ASSIGN(const auto description, text::AnalyserDescription::Parse(text::kStandardAnalyser));
  return index::IndexSettings{.analyser = description.ToString()};
}

Status StoredIndex::Rebuild(collection::Collection& store, Progress& progress) {
  const std::vector<index::IndexedTablet> tablets = IndexedTablets(store);
  std::string folder = tablets[0].index;
  if (!like_.empty()) {
    CRV_ASSIGN(const std::vector<std::string> folders, index::IndexFolders(like_));
    folder = folders[0];
  }
  index::TableIndexOptions options;
  const auto before = index::Manifest::Read(folder);
  if (before.status().code() == StatusCode::kNotFound) return Status::Ok();
  if (before.ok()) {
    CRV_TRY(TakeSettings(*before, &options));
    CRV_TRY(TakeOrder(store, &options));
  } else if (!like_.empty()) {
    CRV_ASSIGN(options.settings, DefaultIndexSettings());
  } else {
    return before.status();
  }
  return BuildFromRows(store, options, progress).status();
}

Result<IndexUpdate> UpdateIndex(collection::Collection& store, IndexUpdateOptions options,
                                Progress& progress) {
  const std::vector<index::IndexedTablet> tablets = IndexedTablets(store);
  IndexUpdate update;
  if (!options.rebuild && !options.new_settings) {
    CRV_ASSIGN(const StoredIndexStats counts, CountsOf(tablets));
    if (WorkOfCommand(counts) == IndexWork::kRefresh) {
      CollectionRanks ranks(store);
      CRV_ASSIGN(update.refresh, index::RefreshTableIndexes(tablets, &ranks, progress));
      update.refreshed = true;
      return update;
    }
  }
  if (const auto before = index::Manifest::Read(tablets[0].index); before.ok() && !options.new_settings) {
    CRV_TRY(TakeSettings(*before, &options.build));
    CRV_TRY(TakeOrder(store, &options.build));
  }
  CRV_ASSIGN(update.built, BuildFromRows(store, options.build, progress));
  return update;
}

}  // namespace crivello::engine
