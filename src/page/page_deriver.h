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

// The version of the code that finds text, links and digests in a page: raised whenever it finds others.
// What an older one found is found anew by `crivello rederive`.
inline constexpr uint32_t kDerivedBy = 6;

// What a row holds that was not on the wire.  Owns its bytes; movable.
struct DerivedPage {
  PageReading reading;
  std::string language;   // BCP 47; empty if unknown
  std::string canonical;  // the URL that the page says is its own, if it is another one
  store::PageKind kind = store::PageKind::kUnknown;
  uint64_t main_bytes = 0;       // of the text of its main content
  dedup::PageDigest main = {};   // of the main content as the page alone shows it: other pages of the site
                                 // have no say, so that copies agree whenever they are fetched
  uint64_t signals = 0;          // that its SimHash was made of
  dedup::PageDigest whole = {};  // of all its text, without SimHash
};

// Derives pages, in the crawl and anew from the archive.  One thread at a time.
class PageDeriver {
 public:
  // `stage`, which may be null, is told what is being done.
  explicit PageDeriver(PageReaderOptions options, StageClock* stage = nullptr)
      : stage_(stage), reader_(std::move(options), stage) {}

  using Learning = SiteTemplates::Learning;
  // `templates` are those of the page's tablet.
  Result<DerivedPage> Derive(const PageReader::Source& source, SiteTemplates& templates,
                             Learning learning = Learning::kOn);

  // Sets what is derived in a cell, and encodes the others; empty: there is none.
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
