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

// Encoded lists and their terms, one after the other.
struct MergedLists {
  std::string terms;
  std::vector<uint32_t> term_bytes;  // of each
  EncodedLists lists;
};

// Merges runs of one field: takes the least term of all (a heap), puts its postings in the runs one behind
// the other, and has threads encode them.  One pass over the runs, which cover consecutive documents, in
// order.  The lists are the same whatever the number of threads and of runs.
//
// Memory: 4 bytes a document; 64 KiB a run that is in a file; and for each thread some MiB of postings, or
// those of one term if they are more.  One thread at a time.
class RunMerger {
 public:
  struct Options {
    const PostingFormat* format = &PackedFormat();
    PostingContents contents = PostingContents::kPositions;
    unsigned threads = 1;
    DocId documents = 0;  // so many or fewer, if that is known: saves growing
  };
  // The runs outlive the merger.
  static Result<RunMerger> Open(const Options& options, std::span<const RunPlace> runs);

  DocId documents() const { return documents_; }
  // Of all documents; none if documents only are kept.
  std::span<const uint32_t> lengths() const { return lengths_; }
  // Gives all lists to `sink`, in the order of their terms.  Once.
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
