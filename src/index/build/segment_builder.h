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
  PostingContents contents = PostingContents::kPositions;  // of analysed fields
  bool store_text = true;                                  // title, description and text, for results
  // Of what was added and is not merged, and of the terms while their function is built.  Beside it there are
  // 4 bytes a document for the lengths of a field, its document values, and some 20 bytes a term of a field.
  uint64_t memory_bytes = uint64_t{512} << 20;
  // A folder for what does not fit, made if missing; files there go with the builder.  Without one all stays
  // in memory.
  std::string scratch = {};
  // 1: all in the caller's thread.
  unsigned threads = 1;
};

// What was built.
struct SegmentSummary {
  uint32_t documents = 0;
  uint64_t text_bytes = 0;   // analysed
  uint64_t tokens = 0;       // positions, all fields
  uint64_t terms = 0;        // all fields
  uint64_t postings = 0;     // likewise
  uint64_t occurrences = 0;  // of the fields with counts
};

// Documents in, a segment out.
//
// Documents are gathered in chunks, cut by their size alone; a chunk is analysed and inverted by one thread
// while others work on others, and becomes a run of each field (posting_run.h).  Finish() merges the runs of
// a field, encodes its lists with all threads and writes its parts.  The bytes of the segment depend on the
// documents and their order, and on nothing else.  One thread at a time.
class SegmentBuilder {
 public:
  // The sink outlives the builder.
  static Result<std::unique_ptr<SegmentBuilder>> Create(const SegmentBuilderOptions& options,
                                                        SegmentSink& sink);
  ~SegmentBuilder();

  // The next document; its number is how many came before.  May wait for the threads.  InvalidArgument if a
  // name is not as it must be; the document is then not in the segment.
  Status Add(IndexDocument document);
  uint32_t documents() const;
  // Ends the segment.  Nothing may follow.
  Result<SegmentSummary> Finish();

 private:
  class Impl;
  explicit SegmentBuilder(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace crivello::index
