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

// The fingerprints of a collection's pages by one method, in runs (duplicates_folder.h).  Documents are
// numbered consecutively through all runs; those of a run are ordered by row key.  Immutable; any number of
// threads may read.
class FingerprintedPages {
 public:
  // Opens the complete runs of a folder; there are none if it does not exist.  Corruption if they are
  // damaged, not consecutive, or have another shape.
  static Result<FingerprintedPages> Open(const std::string& folder, const dedup::RunShape& shape);

  uint32_t documents() const { return documents_; }
  size_t runs() const { return runs_.size(); }
  std::vector<const dedup::FingerprintRun*> views() const;
  // In the form of page_texts.h.  REQUIRES: document < documents().
  std::string NameOf(uint32_t document) const;
  uint64_t SignatureOf(uint32_t document) const;

  // Looks up pages in all runs while the caller walks the rows in key order.  One thread at a time.
  class Walk {
   public:
    explicit Walk(const FingerprintedPages& pages);
    // The document of a page, or nullopt.  REQUIRES: keys increase from call to call.
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
  uint64_t memory_bytes = uint64_t{256} << 20;                  // for the run being made
  std::function<bool(std::string_view row_key)> excluded = {};  // may be empty
  std::stop_token stop = {};
};

struct FingerprintPagesSummary {
  uint64_t pages = 0;  // that can be compared
  uint64_t added = 0;  // of those, pages whose texts were read, because they are new or changed
};

// Fingerprints the pages whose texts have no fingerprints yet, as additional runs of the folder.  `alive`
// tells for each document, old and new, whether a page has that text now.  Texts are read once, in key order.
// A run is written when its memory is full, so after a crash the next call resumes, and its files are the
// same as without the crash, whatever the number of threads.  If most documents no longer belong to a page,
// all runs are made again from scratch.  REQUIRES: the caller has the lock of the folder.
Result<FingerprintPagesSummary> FingerprintPages(collection::Collection& store, const std::string& folder,
                                                 const FingerprintPagesOptions& options,
                                                 std::vector<bool>* alive, Progress& progress);

}  // namespace crivello::jobs
