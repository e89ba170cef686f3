// SPDX-License-Identifier: Apache-2.0
// A small collection with its index, as a crawl would leave it; included by _test.cc files only.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/test_support.h"
#include "care/importer.h"
#include "collection/collection.h"
#include "engine/service_pages.h"
#include "engine/stored_index.h"
#include "html/html_tree.h"
#include "index/tables/table_indexer.h"
#include "jobs/links/link_anchors.h"
#include "search/index_searcher.h"
#include "serve/pages/search_site.h"

namespace crivello::engine {
using namespace serve;  // the tests are about its pages

class TestSite {
 public:
  TestSite() {
    collection::CollectionOptions options;
    options.directory = folder_ / "c";
    auto store = collection::Collection::Open(options);
    EXPECT_TRUE(store.ok()) << store.status().ToString();
    store_ = std::move(store).value();
    importer_ = std::make_unique<care::Importer>(*store_, page::PageReaderOptions{});
  }

  struct Page {
    std::string url;
    std::string body;
    std::string head = "Content-Type: text/html; charset=utf-8\r\n";
    std::string date = "2026-10-02T03:04:05Z";
  };
  // A server's response, archived and read.
  void Add(const Page& page) {
    const std::string block = "HTTP/1.1 200 OK\r\n" + page.head + "\r\n" + page.body;
    store::WarcRecord record;
    record.type = store::WarcType::kResponse;
    record.target_uri = page.url;
    record.date = page.date;
    record.block = block;
    const Status status = importer_->Add(record);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(importer_->summary().refused, 0u) << page.url;
  }
  void AddText(const std::string& url, const std::string& title, const std::string& text,
               const std::string& more = "") {
    Add({url, fmt::format("<!DOCTYPE html><title>{}</title><main><p>{}</p>{}</main>", title, text, more)});
  }

  // A document that was never fetched.
  void AddDocument(const page::ImportedDocument& document) {
    const Status status = importer_->Add(document);
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_EQ(importer_->summary().refused, 0u);
  }

  // Indexes what was added, and creates the site.
  void Open(SearchSiteOptions options = {}) {
    ASSERT_TRUE(importer_->Finish().ok());
    ASSERT_TRUE(store_->Close().ok());
    std::vector<index::IndexedTablet> tablets;
    for (collection::Tablet* const tablet : store_->tablets()) {
      tablets.push_back({&tablet->table(), &tablet->changes(), tablet->index_directory()});
    }
    index::TableIndexOptions index_options;
    index_options.settings.analyser = std::string(text::kStandardAnalyser);
    const auto anchors = jobs::LinkAnchors::Of(*store_);
    index_options.anchors = anchors.get();
    SilentProgress progress;
    const auto built = index::BuildTableIndexes(tablets, index_options, progress);
    ASSERT_TRUE(built.ok()) << built.status().ToString();
    std::vector<std::shared_ptr<const index::Snapshot>> snapshots;
    for (const auto& tablet : tablets) snapshots.push_back(index::Snapshot::Open(tablet.index).value());
    auto searcher = search::IndexSearcher::Create(index::Snapshot::Join(snapshots).value());
    ASSERT_TRUE(searcher.ok()) << searcher.status().ToString();
    searcher_ = std::move(searcher).value();
    service_ = std::make_unique<OwnService>(*store_, index_);
    pages_ = std::make_unique<ServicePages>(*service_);
    site_ = std::make_unique<SearchSite>(*searcher_, *pages_, options);
  }

  HttpResponse Get(std::string_view target) {
    HttpRequest request;
    ParseTarget(target, &request);
    return site_->Handle(request);
  }
  std::string Body(std::string_view target) { return Get(target).body; }

  ServicePages& pages() { return *pages_; }
  SearchSite& site() { return *site_; }

 private:
  TemporaryFolder folder_;
  std::unique_ptr<collection::Collection> store_;
  std::unique_ptr<care::Importer> importer_;
  std::unique_ptr<search::IndexSearcher> searcher_;
  StoredIndex index_;
  std::unique_ptr<OwnService> service_;
  std::unique_ptr<ServicePages> pages_;
  std::unique_ptr<SearchSite> site_;
};

// The text of the elements of a page that have a class or, if it begins with '#', an id; as readers see it.
inline std::vector<std::string> TextsOf(const std::string& html, std::string_view selector) {
  const html::HtmlTree tree = html::ParseHtml(html);
  const bool by_id = selector.starts_with('#');
  if (by_id) selector.remove_prefix(1);
  std::vector<std::string> texts;
  for (html::NodeId id = 0; id != html::kNoNode; id = tree.Next(id)) {
    if (tree[id].type != html::NodeType::kElement) continue;
    const std::string_view* value = tree[id].Find(by_id ? "id" : "class");
    if (value == nullptr || *value != selector) continue;
    std::string text;
    for (html::NodeId inner = id; inner != html::kNoNode; inner = tree.Next(inner, id)) {
      if (tree[inner].type == html::NodeType::kText) text += tree[inner].text;
    }
    texts.push_back(text);
  }
  return texts;
}

}  // namespace crivello::engine
