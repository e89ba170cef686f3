// SPDX-License-Identifier: Apache-2.0
// index merge, index delete: what is done to an index that is there.
#include "cli/index_care.h"

#include <fmt/format.h>

#include "cli/app.h"
#include "cli/collection.h"
#include "cli/output.h"
#include "index/index_writer.h"
#include "index/table_indexer.h"
#include "web/canonical.h"
#include "web/signature.h"

namespace crivello::cli {
namespace {

Result<std::unique_ptr<crawl::CrawlStore>> OpenStore(const Session& session) {
  crawl::CrawlStoreOptions options = StoreOptions(session);
  options.create = false;
  options.with_archive = false;
  return crawl::CrawlStore::Open(options);
}

Result<std::unique_ptr<index::IndexWriter>> OpenWriter(const index::IndexedTablet& tablet) {
  // Opening for writing would make an index.
  CRV_TRY(index::Manifest::Read(tablet.index).status());
  return index::IndexWriter::Open({.directory = tablet.index, .live = false, .merge_in_background = false});
}

Result<int> Merge(const Session& session) {
  CRV_ASSIGN(const auto store, OpenStore(session));
  for (const index::IndexedTablet& tablet : IndexedTablets(*store)) {
    CRV_ASSIGN(const auto writer, OpenWriter(tablet));
    CRV_TRY(writer->MergeAll());
  }
  return kDone;
}

Result<int> Delete(const Session& session, const std::vector<std::string>& urls) {
  CRV_ASSIGN(const auto store, OpenStore(session));
  uint64_t deleted = 0;
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    const uint32_t tablet = store->TabletOfHost(url.hostname()).tablet->number();
    CRV_ASSIGN(const auto writer, OpenWriter(IndexedTablets(*store)[tablet]));
    const uint64_t before = writer->snapshot()->live_documents();
    CRV_TRY(writer->Delete(url.href()));
    CRV_TRY(writer->Commit(writer->sequence()));
    deleted += before - writer->snapshot()->live_documents();
  }
  fmt::print(session.out, "{} documents deleted\n", Grouped(deleted));
  return deleted > 0 ? kDone : kNothingFound;
}

}  // namespace

void AddIndexCare(CLI::App& index, Session& session) {
  CLI::App* merge = index.add_subcommand("merge", "Make one segment of all, without what was deleted");
  Runs(*merge, session, [&session] { return Merge(session); });
  CLI::App* remove =
      index.add_subcommand("delete", "Take pages out of the index, until they change or it is built anew");
  auto urls = std::make_shared<std::vector<std::string>>();
  remove->add_option("URL", *urls, "Of the pages")->required();
  Runs(*remove, session, [&session, urls] { return Delete(session, *urls); });
}

}  // namespace crivello::cli
