// SPDX-License-Identifier: Apache-2.0
#include "care/rederive.h"

#include <fmt/format.h>

#include <utility>

#include "collection/archived_page.h"
#include "page/page_deriver.h"
#include "store/archive_reader.h"
#include "web/url/row_key.h"

namespace crivello::care {
namespace {

constexpr uint64_t kRederiveBatchBytes = 4 << 20;

// Remakes the rows of one tablet.
class Remaker {
 public:
  Remaker(collection::Tablet& tablet, const RederiveOptions& options)
      : tablet_(tablet), options_(options), archive_(tablet.archive_directory()), deriver_(options.reader) {}

  // Learns the repeated parts of all sites from scratch.
  Status Learn(Progress& progress) {
    CRV_TRY(tablet_.templates().Clear());
    store::RowCursor row = tablet_.table().Scan();
    for (; row.valid(); row.NextVersion()) {
      CRV_ASSIGN(const store::FetchCell fetch, row.fetch());
      progress.Advance(1);
      if (!IsPage(fetch)) continue;
      const auto archived = collection::ReadArchivedPage(tablet_, archive_, fetch);
      if (!archived.ok()) continue;  // Run() reports it
      CRV_TRY(Derive(row.key(), row.time(), *archived, page::PageDeriver::Learning::kOn).status());
    }
    CRV_TRY(row.status());
    return tablet_.templates().Save();
  }

  Status Run(RederiveSummary* summary, Progress& progress) {
    store::RowCursor row = tablet_.table().Scan();
    for (; row.valid(); row.NextVersion()) {
      CRV_ASSIGN(store::FetchCell fetch, row.fetch());
      summary->versions++;
      progress.Advance(1);
      if (!IsPage(fetch)) continue;
      if (fetch.derived_by == page::kDerivedBy && !options_.all) continue;
      const Status status = Remake(row.key(), row.time(), fetch);
      if (status.code() == StatusCode::kNotFound || status.code() == StatusCode::kCorruption) {
        summary->failed++;
        if (summary->sentences.size() < RederiveSummary::kMaxSentences) {
          summary->sentences.push_back(fmt::format("{}: {}", row.key(), status.message()));
        }
        continue;
      }
      CRV_TRY(status);
      summary->remade++;
      if (batch_.size_bytes() >= kRederiveBatchBytes) CRV_TRY(Write(false));
    }
    CRV_TRY(row.status());
    return Write(true);
  }

 private:
  static bool IsPage(const store::FetchCell& fetch) {
    return fetch.status >= 200 && fetch.status <= 299 && fetch.record.length != 0;
  }
  Status Write(bool sync) {
    CRV_TRY(tablet_.db().Write(batch_, {.sync = sync}));
    batch_.Clear();
    return Status::Ok();
  }

  Status Remake(std::string_view key, store::VersionTime time, store::FetchCell& fetch) {
    CRV_ASSIGN(const collection::ArchivedPage archived,
               collection::ReadArchivedPage(tablet_, archive_, fetch));
    CRV_ASSIGN(const page::DerivedPage page, Derive(key, time, archived, page::PageDeriver::Learning::kOff));
    deriver_.Fill(page, &fetch, &text_, &links_);
    tablet_.table().Replace(key, {.time = time, .fetch = &fetch, .text = text_, .links = links_}, &batch_);
    return Status::Ok();
  }

  Result<page::DerivedPage> Derive(std::string_view key, store::VersionTime time,
                                   const collection::ArchivedPage& archived,
                                   page::PageDeriver::Learning learning) {
    CRV_ASSIGN(const web::Url url, web::UrlOfRowKey(key));
    return deriver_.Derive(
        {.url = url, .fields = archived.http.fields, .body = archived.body, .now = time / 1'000'000},
        tablet_.templates(), learning);
  }

  collection::Tablet& tablet_;
  const RederiveOptions& options_;
  const store::ArchiveReader archive_;
  page::PageDeriver deriver_;
  kv::Batch batch_;
  std::string text_, links_;  // scratch
};

}  // namespace

Result<RederiveSummary> Rederive(collection::Collection& store, const RederiveOptions& options,
                                 Progress& progress) {
  RederiveSummary summary;
  progress.Start("reading versions of pages", 0);
  for (collection::Tablet* const tablet : store.tablets()) {
    Remaker remaker(*tablet, options);
    if (options.all) CRV_TRY(remaker.Learn(progress));
    CRV_TRY(remaker.Run(&summary, progress));
  }
  progress.Finish();
  return summary;
}

}  // namespace crivello::care
