// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/status.h"
#include "index/postings/posting_format.h"
#include "index/segments/segment_sink.h"

namespace crivello::index {

// A segment's description of a field.
struct FieldInfo {
  std::string name;  // lower-case letters
  PostingContents contents = PostingContents::kPositions;
  uint64_t terms = 0;
  uint64_t postings = 0;     // of all lists
  uint64_t occurrences = 0;  // the sum of the counts
  uint64_t tokens = 0;       // the sum of the lengths
  uint64_t documents = 0;    // those with a non-zero length; keywords have no lengths: 0
  uint32_t max_length = 0;   // of a document
  // How many bytes of the documents part are positions: those of short lists.
  uint64_t inline_positions = 0;

  friend bool operator==(const FieldInfo&, const FieldInfo&) = default;
};

// A segment's description of itself: its part "segment", written last.  Format: docs/formats/segment.md.
struct SegmentInfo {
  static constexpr FileKind kFileKind = {.name = "segment", .version = 2, .least_version = 2};

  DocId documents = 0;
  std::string analyser;  // text/terms/analyser_description.h; empty if its terms came from elsewhere
  std::string format;    // of the posting lists, by name
  std::string order;     // of the documents: "arrival", "url", "score", "bisection"
  std::vector<FieldInfo> fields;

  // nullptr if it has no field of this name.
  const FieldInfo* field(std::string_view name) const;

  // Reads the payload of the part.
  static Result<SegmentInfo> FromImage(Bytes payload);
  Description Describe() const;
  friend bool operator==(const SegmentInfo&, const SegmentInfo&) = default;
};

// The parts of a segment, their names and kinds.  Those of a field are named "FIELD.terms" and so on.
namespace part {
inline constexpr std::string_view kSegment = "segment";
inline constexpr std::string_view kValues = "values";
inline constexpr std::string_view kTexts = "texts";
inline constexpr std::string_view kTerms = "terms";
inline constexpr std::string_view kDocuments = "documents";
inline constexpr std::string_view kCounts = "counts";
inline constexpr std::string_view kPositions = "positions";
inline constexpr std::string_view kLengths = "lengths";

inline constexpr FileKind kDocumentsKind = {.name = "postings", .version = 2, .least_version = 2};
inline constexpr FileKind kCountsKind = {.name = "counts", .version = 1};
inline constexpr FileKind kPositionsKind = {.name = "positions", .version = 1};
// One u32 per document, little-endian.
inline constexpr FileKind kLengthsKind = {.name = "lengths", .version = 1};

inline std::string Of(std::string_view field, std::string_view name) {
  return std::string(field) + "." + std::string(name);
}
}  // namespace part

bool IsFieldName(std::string_view name);

Status WriteSegmentInfo(const SegmentInfo& info, SegmentSink& sink);

}  // namespace crivello::index
