// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/test_support.h"
#include "index/ranks/rank_test_support.h"
#include "index/segments/snapshot.h"
#include "index/tables/table_indexer.h"
#include "web/url/canonical.h"
#include "web/url/row_key.h"
#include "web/url/signature.h"
#include "web/url/tablet_id.h"

namespace crivello::index {

// The inlinks, by simply inverting all rows in memory: the reference for implementations that use the disk.
class MemoryAnchors final : public AnchorProvider {
 public:
  explicit MemoryAnchors(std::vector<const store::Table*> tables) : tables_(std::move(tables)) {}

  Status Gather(const Options& /*options*/, Progress& /*progress*/) override {
    said_.clear();
    pages_.clear();
    for (const store::Table* const table : tables_) {
      for (store::RowCursor row = table->Scan(); row.valid(); row.NextRow()) {
        CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
        CRV_ASSIGN(const auto links, table->Links(row.key(), row.time()));
        if (!links || !IsSearchable(fetch) || fetch.nofollow) continue;
        CRV_ASSIGN(const web::Url source, web::UrlOfRowKey(row.key()));
        for (const store::OutLink& link : *links) {
          const auto url = web::ParseUrl(link.url);
          if (!url.ok() || link.nofollow || !web::RowKey(*url).ok()) continue;
          const std::string target = web::RowKey(*url).value();
          pages_[target]++;
          const uint64_t hash = Hash64(source.hostname());
          const std::string host(reinterpret_cast<const char*>(&hash), sizeof hash);
          if (!link.text.empty()) said_[target].emplace(host, link.text.substr(0, 256));
        }
      }
    }
    return Status::Ok();
  }
  Inlinks Of(const std::string& row_key) {
    Inlinks inlinks = {.pages = pages_[row_key]};
    for (const auto& [host, text] : said_[row_key]) {
      if (inlinks.texts.size() < 256) inlinks.texts.push_back(text);
    }
    return inlinks;
  }
  Result<std::unique_ptr<AnchorSource>> Open(size_t /*tablet*/) override {
    class Source final : public AnchorSource {
     public:
      explicit Source(MemoryAnchors& all) : all_(all) {}
      Result<Inlinks> Of(std::string_view row_key) override { return all_.Of(std::string(row_key)); }

     private:
      MemoryAnchors& all_;
    };
    return std::unique_ptr<AnchorSource>(std::make_unique<Source>(*this));
  }

 private:
  const std::vector<const store::Table*> tables_;
  std::map<std::string, uint64_t> pages_;
  std::map<std::string, std::set<std::pair<std::string, std::string>>> said_;  // host and text
};

// Ranks by name, in memory.
class MemoryRanks final : public RankSource {
 public:
  // Uses a new digest each time.
  void Set(const std::string& name, PlainRank rank) { ranks_[name] = {++digest_, std::move(rank)}; }
  void Remove(const std::string& name) { ranks_.erase(name); }
  // Makes its pages unknown.
  void Lose(const std::string& name) { lost_.insert(name); }

  Result<std::vector<RankVersion>> List() override {
    std::vector<RankVersion> list;
    for (const auto& [name, rank] : ranks_) list.push_back({name, rank.first});
    return list;
  }
  Result<std::shared_ptr<const RankPages>> Read(const std::string& name, size_t /*tablet*/) override {
    if (lost_.contains(name)) return Status::NotFound(name);
    const auto& [digest, rank] = ranks_.at(name);
    return PagesOf(name, digest, rank);
  }

 private:
  uint64_t digest_ = 0;
  std::map<std::string, std::pair<uint64_t, PlainRank>> ranks_;
  std::set<std::string> lost_;
};

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
    bool nofollow = false;
    uint16_t status = 200;
    std::string location = {};
    std::string canonical = {};
  };
  void Put(const Page& page) {
    const web::Url url = web::CanonicalUrl(page.url).value();
    const uint32_t tablet = web::TabletOf(web::HostHash(url.hostname()), bits_);
    store::FetchCell fetch;
    fetch.status = page.status;
    fetch.noindex = page.noindex;
    fetch.nofollow = page.nofollow;
    fetch.location = page.location;
    fetch.canonical = page.canonical;
    std::string text;
    store::EncodeTextCell({.language = "en", .title = page.title, .blocks = {{.text = page.text}}}, &text);
    store::LinkCellBuilder links;
    for (const auto& link : page.links) links.Add(link.url, link.text, link.kind, link.nofollow);
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
    MemoryAnchors anchors = Anchors();
    if (options.anchors == nullptr) options.anchors = &anchors;
    if (options.ranks == nullptr) options.ranks = ranks_;
    auto summary = BuildTableIndexes(tablets_, options, progress);
    EXPECT_TRUE(summary.ok()) << summary.status().ToString();
    return summary.ok() ? *summary : TableIndexSummary();
  }
  TableRefreshSummary Refresh() {
    SilentProgress progress;
    auto summary = RefreshTableIndexes(tablets_, ranks_, progress);
    EXPECT_TRUE(summary.ok()) << summary.status().ToString();
    return summary.ok() ? *summary : TableRefreshSummary();
  }
  std::shared_ptr<const Snapshot> Open() {
    std::vector<std::shared_ptr<const Snapshot>> all;
    for (const auto& tablet : tablets_) all.push_back(Snapshot::Open(tablet.index).value());
    return Snapshot::Join(all).value();
  }
  // Applies from now on; `ranks` must outlive this.
  void UseRanks(RankSource* ranks) { ranks_ = ranks; }
  const std::vector<IndexedTablet>& tablets() const { return tablets_; }
  const IndexedTablet& tablet(size_t i) const { return tablets_[i]; }
  web::TabletId id(size_t i) const { return {bits_, static_cast<uint32_t>(i)}; }
  // The folder with all data of a tablet.
  std::string Directory(size_t i) const { return folder_ / std::to_string(i); }
  MemoryAnchors Anchors() const {
    std::vector<const store::Table*> tables;
    for (const auto& table : tables_) tables.push_back(table.get());
    return MemoryAnchors(std::move(tables));
  }

 private:
  const TemporaryFolder folder_;
  const int bits_;
  std::vector<std::unique_ptr<kv::Database>> databases_;
  std::vector<std::unique_ptr<store::ChangeLog>> logs_;
  std::vector<std::unique_ptr<store::Table>> tables_;
  std::vector<IndexedTablet> tablets_;
  RankSource* ranks_ = nullptr;
};

// The URLs of the documents that have a term in a field, and that `keep` accepts.
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
