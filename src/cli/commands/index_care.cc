// SPDX-License-Identifier: Apache-2.0
// index merge, index delete: maintenance of an existing index.
#include "cli/commands/index_care.h"

#include <map>

#include "cli/app.h"
#include "cli/commands/collection.h"
#include "cli/output.h"
#include "engine/stored_index.h"
#include "index/build/index_writer.h"
#include "web/url/canonical.h"
#include "web/url/signature.h"

namespace crivello::cli {
namespace {

Result<std::unique_ptr<index::IndexWriter>> OpenWriter(const index::IndexedTablet& tablet) {
  // Opening for writing would create an index.
  CRV_TRY(index::Manifest::Read(tablet.index).status());
  return index::IndexWriter::Open({.directory = tablet.index, .live = false, .merge_in_background = false});
}

Result<int> MergeSegments(const Session& session) {
  CRV_ASSIGN(const auto store, OpenExisting(session));
  for (const index::IndexedTablet& tablet : engine::IndexedTablets(*store)) {
    CRV_ASSIGN(const auto writer, OpenWriter(tablet));
    CRV_TRY(writer->MergeAll());
  }
  return kDone;
}

Result<int> Delete(const Session& session, const std::vector<std::string>& urls) {
  CRV_ASSIGN(const auto store, OpenExisting(session));
  std::map<uint32_t, std::vector<std::string>> by_tablet;
  for (const std::string& text : urls) {
    CRV_ASSIGN(const web::Url url, web::CanonicalUrl(text));
    by_tablet[store->SlotOf(url.hostname())].push_back(url.href());
  }
  const std::vector<index::IndexedTablet> tablets = engine::IndexedTablets(*store);
  uint64_t deleted = 0;
  for (const auto& [tablet, pages] : by_tablet) {
    CRV_ASSIGN(const auto writer, OpenWriter(tablets[tablet]));
    const uint64_t before = writer->snapshot()->live_documents();
    for (const std::string& page : pages) CRV_TRY(writer->Delete(page));
    CRV_TRY(writer->Commit(writer->sequence()));
    deleted += before - writer->snapshot()->live_documents();
  }
  session.out->Print("{} deleted\n", Counted(deleted, "document", "documents"));
  return deleted > 0 ? kDone : kNothingFound;
}

}  // namespace

void AddIndexCare(CLI::App& index, Session& session) {
  CLI::App* merge = index.add_subcommand("merge", "Merge all segments into one, without deleted documents");
  merge->footer(
      "Searches use the old segments until the new one is complete.\n\nExamples:\n  crivello index merge");
  Runs(*merge, session, [&session] { return MergeSegments(session); });
  CLI::App* remove =
      index.add_subcommand("delete", "Delete pages from the index until they change or the index is rebuilt");
  auto urls = std::make_shared<std::vector<std::string>>();
  remove->add_option("URL", *urls, "URLs of the pages")->required();
  remove->footer(
      "The rows and the archive keep the pages: 'crivello forget' deletes them permanently.\n\nExamples:\n"
      "  crivello index delete https://example.org/secret");
  Runs(*remove, session, [&session, urls] { return Delete(session, *urls); });
}

}  // namespace crivello::cli
