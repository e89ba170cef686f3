// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/file_system.h"
#include "base/status.h"
#include "index/postings/posting_format.h"
#include "index/segments/segment_sink.h"
#include "index/segments/snapshot.h"

namespace crivello::index {

// The Common Index File Format, in which search engines exchange indexes (Lin et al., Supporting
// interoperability between open-source search engines with the common index file format, 2020; Lucene, PISA,
// Terrier and JASS read and write it): a header, the posting lists of one field with counts, and the name and
// length of each document.  See docs/formats/ciff.md.

struct CiffSummary {
  uint64_t documents = 0;
  uint64_t lists = 0;
  uint64_t postings = 0;
  uint64_t occurrences = 0;
};

struct CiffExport {
  std::string field = "body";
  std::string description = {};  // for people
};

// Writes a field of an index as a CIFF file, message by message, to `append`.  Exports the current documents,
// in the order of the segments, named by their id or else by their URL.  Memory: 4 bytes per document, plus
// the longest list.  InvalidArgument if the field has no counts.
Result<CiffSummary> ExportCiff(const Snapshot& snapshot, const CiffExport& options,
                               const std::function<Status(Bytes)>& append);

struct CiffImport {
  std::string field = "body";
  std::string analyser = "plain";  // how queries must be analysed to produce such terms
  const PostingFormat* format = &PackedFormat();
};

// Converts a CIFF file to a segment with one field, with counts.  Reads the file twice, because the lengths
// of the documents are at its end; lists may be in any order.  Ids are kept, and serve as URLs as well.
// Memory: 24 bytes per term, and the lengths of the documents.  Corruption if the file is truncated, or lists
// and documents contradict each other.
Result<CiffSummary> ImportCiff(Bytes file, const CiffImport& options, SegmentSink& sink);

}  // namespace crivello::index
