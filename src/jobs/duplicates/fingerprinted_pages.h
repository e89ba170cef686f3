// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/image.h"
#include "base/progress.h"
#include "base/status.h"
#include "collection/collection.h"
#include "dedup/discovery/fingerprint_run.h"
#include "dedup/discovery/fingerprinter.h"
#include "graph/names/name_list.h"

namespace crivello::jobs {

// The fingerprints of the pages of a collection, by one method, in runs (duplicates_folder.h).  Pages are
// numbered as documents through all runs; those of a run are in the order of their keys.  Immutable; any
// number of threads may read.
class FingerprintedPages {
 public:
  // The runs of a folder, as many as are complete; none if there is no such folder.  Corruption if they are
  // damaged, do not follow one another or have another shape.
  static Result<FingerprintedPages> Open(const std::string& folder, const dedup::RunShape& shape);

  uint32_t documents() const { return documents_; }
  size_t runs() const { return runs_.size(); }
  std::vector<const dedup::FingerprintRun*> views() const;
  // page_texts.h has its form.  REQUIRES: document < documents().
  std::string NameOf(uint32_t document) const;
  uint64_t SignatureOf(uint32_t document) const;

  // Walks the pages of all runs beside the rows, in the order of their keys.  One thread at a time.
  class Walk {
   public:
    explicit Walk(const FingerprintedPages& pages);
    // The document of a page, or nothing.  REQUIRES: keys come in increasing order.
    Result<std::optional<uint32_t>> Find(std::string_view row_key, uint64_t text_digest);

   private:
    struct RunWalk {
      graph::NameList::Cursor cursor;
      uint32_t first;
    };
    std::vector<RunWalk> runs_;
  };

 private:
  struct Run {
    Mapped<dedup::FingerprintRun> prints;
    Mapped<graph::NameList> pages;
  };
  const Run& RunOf(uint32_t document) const;

  std::vector<Run> runs_;
  uint32_t documents_ = 0;
};

struct FingerprintPagesOptions {
  dedup::FingerprintOptions fingerprints = {};
  unsigned threads = 2;
  uint64_t memory_bytes = uint64_t{256} << 20;                  // of a run that is being made
  std::function<bool(std::string_view row_key)> excluded = {};  // may be empty
  std::stop_token stop = {};
};

struct FingerprintPagesSummary {
  uint64_t pages = 0;  // that can be compared
  uint64_t added = 0;  // of those, whose texts were read: they are new, or have another text
};

// Fingerprints the pages whose texts have no fingerprints yet, as further runs of the folder; `alive` says of
// each document, old and new, whether a page has that text now.  Texts are read once, in the order of the
// keys; a run is written when its memory is full, so after a crash the next call goes on, and its files are
// those of an undisturbed one, whatever the threads.  If most documents are of no page any more, all runs are
// made anew.  REQUIRES: the caller has the lock of the folder.
Result<FingerprintPagesSummary> FingerprintPages(collection::Collection& store, const std::string& folder,
                                                 const FingerprintPagesOptions& options,
                                                 std::vector<bool>* alive, Progress& progress);

}  // namespace crivello::jobs
