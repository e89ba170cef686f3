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
  uint64_t skipped = 0;                     // records that are no answers: requests, metadata, revisits
  uint64_t refused = 0;                     // that are no documents
  std::vector<std::string> sentences = {};  // what was wrong with the first of those
};

// Brings documents into a collection that were not crawled by it: each becomes a version of a row, as a page
// does when it is fetched.  Answers of other archives are archived too; documents of JSONL files are not, for
// they were never on a wire: their rows are all there is of them, and `rederive` leaves them as they are.
//
// The frontier is not told: what was imported may be crawled as well.  Durable after Finish(); what came
// before a crash may be there, and importing it again writes the same rows once more.  One thread at a time.
class Importer {
 public:
  // The store has its archives open.  What is forgotten (forgotten.h) is refused.
  Importer(collection::Collection& store, page::PageReaderOptions reader, const Clock& clock = SystemClock());

  Status Add(const page::ImportedDocument& document);
  // The same document once more, with links that came after it: it is not counted again.
  Status AddLinksOf(const page::ImportedDocument& document);
  // Removes a document: its rows, if no archive has it; else it gets a version that says 410, as if its
  // server had said that it is gone, for other captures may need its record.  Whether there was one to
  // remove.
  Result<bool> Remove(const web::Url& url);
  // A response is taken, whatever its status; other records are counted as skipped.
  Status Add(const store::WarcRecord& record);
  // Counts what is no document, with a sentence of what is wrong with it.
  void Refuse(std::string sentence);
  Status Finish();

  const ImportSummary& summary() const { return summary_; }
  // The version time of a document that has no date.
  int64_t Now() const;

 private:
  Status DeriveText(const page::ImportedDocument& document, store::FetchCell* fetch);
  Status DeriveHtml(const page::ImportedDocument& document, const web::Url& url, store::VersionTime time,
                    store::FetchCell* fetch);
  // Whether the URL may come in; if not, it is refused.
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
  // Of the rows in these.
  std::unordered_map<std::string, std::optional<store::VersionTime>> newest_;
  uint64_t batch_bytes_ = 0;
  std::shared_ptr<const collection::ForgottenSet>
      allowed_by_;  // what is in these; held until they are written
  ImportSummary summary_;
};

}  // namespace crivello::care
