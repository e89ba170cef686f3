// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/status.h"
#include "index/postings/posting_format.h"
#include "index/segments/index_document.h"
#include "index/segments/segment_sink.h"
#include "text/terms/analyser_description.h"

namespace crivello::index {

struct SegmentBuilderOptions {
  std::string analyser = std::string(text::kStandardAnalyser);
  const PostingFormat* format = &PackedFormat();
  PostingContents contents = PostingContents::kPositions;  // for analysed fields
  bool store_text = true;                                  // keep title, description and text, for results
  // For unmerged runs, and for the terms while their function is built.  In addition it uses 4 bytes per
  // document for the lengths of each field, the document values, and some 20 bytes per term of a field.
  uint64_t memory_bytes = uint64_t{512} << 20;
  // A folder for what does not fit, created if missing; the builder deletes its files there.  If empty,
  // everything stays in memory.
  std::string scratch = {};
  // 1: everything runs in the caller's thread.
  unsigned threads = 1;
};

// What was built.
struct SegmentSummary {
  uint32_t documents = 0;
  uint64_t text_bytes = 0;   // analysed
  uint64_t tokens = 0;       // positions, all fields
  uint64_t terms = 0;        // all fields
  uint64_t postings = 0;     // all fields
  uint64_t occurrences = 0;  // in the fields with counts
};

// Builds a segment from documents.
//
// Documents are gathered in chunks, cut by their size alone.  One thread analyses and inverts a chunk, while
// others work on others, and makes it a run of each field (posting_run.h).  Finish() merges the runs of a
// field, encodes its lists with all threads, and writes its parts.  The bytes of the segment depend only on
// the documents and their order.  One thread at a time.
class SegmentBuilder {
 public:
  // The sink must outlive the builder.
  static Result<std::unique_ptr<SegmentBuilder>> Create(const SegmentBuilderOptions& options,
                                                        SegmentSink& sink);
  ~SegmentBuilder();

  // Adds the next document; its number is the number of documents before it.  May wait for the threads.
  // InvalidArgument if a name is invalid; the document is then not part of the segment.
  Status Add(IndexDocument document);
  uint32_t documents() const;
  // Ends the segment.  Nothing may be added afterwards.
  Result<SegmentSummary> Finish();

 private:
  class Impl;
  explicit SegmentBuilder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::index
