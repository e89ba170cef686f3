// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/test_support.h"
#include "index/segments/snapshot.h"
#include "index/tables/table_indexer.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"

namespace crivello::index {

// Tables of tablets, and their indexes.
class Rows {
 public:
  explicit Rows(int tablet_bits) : bits_(tablet_bits) {
    for (uint32_t i = 0; i < 1u << bits_; i++) {
      const std::string directory = folder_ / std::to_string(i);
      kv::DatabaseOptions options = {.families = {{.name = "hosts"}}, .memory_bytes = 16 << 20};
      const auto families = store::TableFamilies::AddTo(&options.families);
      const kv::Family changes = store::ChangeLog::AddTo(&options.families);
      std::filesystem::create_directories(directory);
      databases_.push_back(kv::Database::Open(directory + "/db", options).value());
      logs_.push_back(store::ChangeLog::Open(*databases_.back(), changes).value());
      tables_.push_back(std::make_unique<store::Table>(*databases_.back(), families, logs_.back().get()));
      tablets_.push_back({tables_.back().get(), logs_.back().get(), directory + "/index"});
    }
  }

  struct Page {
    std::string url;
    std::string title;
    std::string text;
    std::vector<store::OutLink> links = {};
    store::VersionTime time = 1'000'000;
    bool noindex = false;
  };
  void Put(const Page& page) {
    const web::Url url = web::CanonicalUrl(page.url).value();
    const uint32_t tablet = web::TabletOf(web::HostHash(url.hostname()), bits_);
    store::FetchCell fetch;
    fetch.status = 200;
    fetch.noindex = page.noindex;
    std::string text;
    store::EncodeTextCell({.language = "en", .title = page.title, .blocks = {{.text = page.text}}}, &text);
    store::LinkCellBuilder links;
    for (const auto& link : page.links) links.Add(link.url, link.text, 0, link.nofollow);
    kv::Batch batch;
    ASSERT_TRUE(tables_[tablet]
                    ->Put(web::RowKey(url).value(),
                          {.time = page.time,
                           .fetch = &fetch,
                           .text = text,
                           .links = page.links.empty() ? std::string_view() : links.bytes()},
                          &batch)
                    .ok());
    ASSERT_TRUE(databases_[tablet]->Write(batch, {}).ok());
  }

  TableIndexSummary Build(TableIndexOptions options = {}) {
    if (options.settings.analyser.empty()) options.settings.analyser = "words fold";
    SilentProgress progress;
    auto summary = BuildTableIndexes(tablets_, options, progress);
    EXPECT_TRUE(summary.ok()) << summary.status().ToString();
    return summary.ok() ? *summary : TableIndexSummary();
  }
  TableRefreshSummary Refresh() {
    SilentProgress progress;
    auto summary = RefreshTableIndexes(tablets_, progress);
    EXPECT_TRUE(summary.ok()) << summary.status().ToString();
    return summary.ok() ? *summary : TableRefreshSummary();
  }
  std::shared_ptr<const Snapshot> Open() {
    std::vector<std::shared_ptr<const Snapshot>> all;
    for (const auto& tablet : tablets_) all.push_back(Snapshot::Open(tablet.index).value());
    return Snapshot::Join(all).value();
  }
  const std::vector<IndexedTablet>& tablets() const { return tablets_; }
  const IndexedTablet& tablet(size_t i) const { return tablets_[i]; }

 private:
  const TemporaryFolder folder_;
  const int bits_;
  std::vector<std::unique_ptr<kv::Database>> databases_;
  std::vector<std::unique_ptr<store::ChangeLog>> logs_;
  std::vector<std::unique_ptr<store::Table>> tables_;
  std::vector<IndexedTablet> tablets_;
};

// The URLs of the documents that have a term in a field, and that `keep` takes.
template <typename Keep>
std::set<std::string> FindWhere(const Snapshot& snapshot, std::string_view field, std::string_view term,
                                Keep keep) {
  std::set<std::string> urls;
  for (const SegmentView& view : snapshot.segments()) {
    const FieldView* const lists = view.segment->field(field);
    const auto entry = lists == nullptr ? std::nullopt : lists->terms.Find(term);
    if (!entry) continue;
    TextReader texts(view.segment->texts());
    auto cursor = lists->Open(*entry).value();
    for (; cursor.doc() != kEndDoc; cursor.Next()) {
      if (keep(view, cursor.doc())) urls.emplace(texts.Get(cursor.doc())->url);
    }
  }
  return urls;
}
inline std::set<std::string> Find(const Snapshot& snapshot, std::string_view field, std::string_view term) {
  return FindWhere(snapshot, field, term, [](const SegmentView&, DocId) { return true; });
}

}  // namespace crivello::index
