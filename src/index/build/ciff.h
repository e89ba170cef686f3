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
// Terrier and JASS speak it): a header, the posting lists of one field with counts, and for each document its
// name and length.  docs/formats/ciff.md.

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

// Writes a field of an index as a CIFF file, message after message, to `append`.  Documents are those that
// are current, numbered in the order of the segments, named by their id or, without one, their URL.  Memory:
// 4 bytes a document and the longest list.  InvalidArgument if the field has no counts.
Result<CiffSummary> ExportCiff(const Snapshot& snapshot, const CiffExport& options,
                               const std::function<Status(Bytes)>& append);

struct CiffImport {
  std::string field = "body";
  std::string analyser = "plain";  // what queries are to be analysed by, to give such terms
  const PostingFormat* format = &PackedFormat();
};

// Makes of a CIFF file a segment of one field, with counts.  The file is walked twice, for the lengths of the
// documents stand at its end; lists may be in any order.  Ids are kept, and stand for the URLs as well.
// Memory: 24 bytes a term, and per document its length.  Corruption if the file is cut, or lists and
// documents do not agree.
Result<CiffSummary> ImportCiff(Bytes file, const CiffImport& options, SegmentSink& sink);

}  // namespace crivello::index
