// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "dedup/page_digest.h"
#include "page/page_reader.h"
#include "page/site_templates.h"
#include "store/cells.h"

namespace crivello::page {

// The version of the code that extracts text, links and digests from a page: incremented whenever its results
// change. `crivello rederive` recomputes the results of older versions.
inline constexpr uint32_t kDerivedBy = 6;

// The derived content of a row: everything that was not on the wire. Owns its bytes; movable.
struct DerivedPage {
  PageReading reading;
  std::string language;   // BCP 47; empty if unknown
  std::string canonical;  // the URL that the page declares as its own, if different
  store::PageKind kind = store::PageKind::kUnknown;
  uint64_t main_bytes = 0;       // size of its main content's text
  dedup::PageDigest main = {};   // of the main content as determined by the page alone, independent of the
                                 // site's other pages, so that copies agree whenever they are fetched
  uint64_t signals = 0;          // number of signals in its SimHash
  dedup::PageDigest whole = {};  // of its whole text, without SimHash
};

// Derives pages, during the crawl and again from the archive. One thread at a time.
class PageDeriver {
 public:
  // `stage`, if not null, is set to the current stage.
  explicit PageDeriver(PageReaderOptions options, StageClock* stage = nullptr)
      : stage_(stage), reader_(std::move(options), stage) {}

  using Learning = SiteTemplates::Learning;
  // `templates` must be those of the page's tablet.
  Result<DerivedPage> Derive(const PageReader::Source& source, SiteTemplates& templates,
                             Learning learning = Learning::kOn);

  // Fills in the derived fields of the fetch cell, and encodes the other cells; empty: no such cell.
  void Fill(const DerivedPage& page, store::FetchCell* fetch, std::string* text, std::string* links);

 private:
  void Enter(Stage stage) {
    if (stage_ != nullptr) stage_->Enter(stage);
  }

  StageClock* const stage_;
  PageReader reader_;
  dedup::PageDigester digester_;
  store::LinkCellBuilder link_cell_;
  store::TextCell text_cell_;  // scratch
  std::string own_text_;       // scratch
};

}  // namespace crivello::page
