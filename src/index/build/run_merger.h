// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "index/build/posting_run.h"
#include "index/postings/posting_encoder.h"

namespace crivello::index {

// A sequence of encoded lists and their terms.
struct MergedLists {
  std::string terms;
  std::vector<uint32_t> term_bytes;  // of each
  EncodedLists lists;
};

// Merges the runs of one field.  Repeatedly takes the least term of all (a heap), concatenates its postings
// in the runs, and lets threads encode them.  One pass over the runs, which must cover consecutive documents,
// in order.  The lists do not depend on the number of threads and runs.
//
// Memory: 4 bytes per document; 64 KiB per run that is in a file; and per thread some MiB of postings, or
// those of one term if there are more.  One thread at a time.
class RunMerger {
 public:
  struct Options {
    const PostingFormat* format = &PackedFormat();
    PostingContents contents = PostingContents::kPositions;
    unsigned threads = 1;
    DocId documents = 0;  // an upper bound, if known: avoids reallocation
  };
  // The runs must outlive the merger.
  static Result<RunMerger> Open(const Options& options, std::span<const RunPlace> runs);

  DocId documents() const { return documents_; }
  // Of all documents; empty if only documents are kept.
  std::span<const uint32_t> lengths() const { return lengths_; }
  // Passes all lists to `sink`, in the order of their terms.  Call once.
  Status Merge(const std::function<Status(const MergedLists& lists)>& sink);

 private:
  struct Run {
    RunReader reader;
    DocId first = 0;
    DocId documents = 0;
  };
  struct Job;
  class Worker;
  explicit RunMerger(const Options& options) : options_(options) {}

  Options options_;
  std::vector<Run> runs_;
  DocId documents_ = 0;
  std::vector<uint32_t> lengths_;
};

}  // namespace crivello::index
