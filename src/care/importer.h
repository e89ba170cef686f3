// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "collection/collection.h"
#include "page/imported_document.h"
#include "page/page_deriver.h"
#include "store/warc_record.h"
#include "web/url/url.h"

namespace crivello::care {

struct ImportSummary {
  static constexpr size_t kMaxSentences = 20;

  uint64_t documents = 0;                   // rows written
  uint64_t bytes = 0;                       // of their text or body
  uint64_t skipped = 0;                     // records that are not responses: requests, metadata, revisits
  uint64_t refused = 0;                     // records that are not valid documents
  std::vector<std::string> sentences = {};  // what was wrong with the first of them
};

// Adds documents to a collection that it did not crawl: each becomes a version of a row, like a page that is
// fetched.  Responses from other archives are archived too.  Documents of JSONL files are not, because there
// is no HTTP response to archive: their rows are all there is, and `rederive` leaves them unchanged.
//
// The frontier is not told: imported pages may be crawled as well.  Durable after Finish().  After a crash a
// part may be there, and importing it again writes the same rows once more.  One thread at a time.
class Importer {
 public:
  // The store must have its archives open.  Forgotten pages (forgotten.h) are refused.
  Importer(collection::Collection& store, page::PageReaderOptions reader, const Clock& clock = SystemClock());

  Status Add(const page::ImportedDocument& document);
  // Adds the same document again, with links that arrived after it; it is not counted again.
  Status AddLinksOf(const page::ImportedDocument& document);
  // Removes a document: deletes its rows if no archive has it; otherwise adds a version with status 410, as
  // if its server had reported it gone, because other captures may need its record.  Returns whether there
  // was a document to remove.
  Result<bool> Remove(const web::Url& url);
  // Takes a response, whatever its status; other records are counted as skipped.
  Status Add(const store::WarcRecord& record);
  // Counts an invalid document, with a sentence that says what is wrong with it.
  void Refuse(std::string sentence);
  Status Finish();

  const ImportSummary& summary() const { return summary_; }
  // The version time for a document without a date.
  int64_t Now() const;

 private:
  Status DeriveText(const page::ImportedDocument& document, store::FetchCell* fetch);
  Status DeriveHtml(const page::ImportedDocument& document, const web::Url& url, store::VersionTime time,
                    store::FetchCell* fetch);
  // Whether the URL may be imported; if not, it is refused.
  bool Allowed(const web::Url& url);
  Status Put(collection::Tablet& tablet, const web::Url& url, store::VersionTime time,
             const store::FetchCell& fetch);
  Status Write(bool sync);

  collection::Collection& store_;
  const Clock& clock_;
  page::PageDeriver deriver_;
  dedup::PageDigester digester_;
  store::CaptureEncoder encoder_;
  store::EncodedCapture encoded_;     // scratch
  store::TextCell text_cell_;         // scratch
  store::LinkCellBuilder link_cell_;  // scratch
  std::string text_, links_;          // cells, scratch
  std::vector<kv::Batch> batches_;    // of each tablet
  // For the rows in these batches.
  std::unordered_map<std::string, std::optional<store::VersionTime>> newest_;
  uint64_t batch_bytes_ = 0;
  std::shared_ptr<const collection::ForgottenSet>
      allowed_by_;  // the list that allowed the pages in these batches; held until they are written
  ImportSummary summary_;
};

}  // namespace crivello::care
