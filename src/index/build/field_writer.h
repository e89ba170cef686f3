// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "index/build/run_merger.h"
#include "index/postings/posting_writer.h"
#include "index/segments/segment_info.h"
#include "index/segments/segment_sink.h"
#include "index/terms/term_dictionary.h"

namespace crivello::index {

// Writes the parts of one field of a segment, from encoded lists in the order of their terms.  Streams go to
// the sink as they grow; the dictionary stays in memory.  One thread at a time.
class FieldWriter {
 public:
  // `postings` has the lengths of all documents, unless only documents are kept.  The lengths and the sink
  // must outlive the writer.
  struct Options {
    std::string name;
    PostingOptions postings = {};
    succinct::StaticFunctionOptions terms = {};
  };
  FieldWriter(const Options& options, SegmentSink& sink);

  // Begins the parts.  Call this first.
  Status Open();
  Status Add(const MergedLists& lists);
  // Ends the parts; returns the description of the field for the segment.
  Result<FieldInfo> Finish();

 private:
  Status Drain(size_t least);

  SegmentSink* sink_;
  std::span<const uint32_t> lengths_;
  FieldInfo info_;
  PostingListWriter lists_;
  TermDictionaryBuilder terms_;
  std::vector<uint64_t> starts_;
  // The streams; null if the field does not have one.
  std::unique_ptr<PartWriter> documents_;
  std::unique_ptr<PartWriter> counts_;
  std::unique_ptr<PartWriter> positions_;
};

}  // namespace crivello::index
