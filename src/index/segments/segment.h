// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/status.h"
#include "index/segments/document_values.h"
#include "index/segments/field.h"
#include "index/segments/segment_info.h"
#include "index/segments/segment_sink.h"
#include "index/segments/text_store.h"

namespace crivello::index {

// An index of some documents that never changes: an inverted index for each field, and values and texts for
// each document.  It is in a folder of mapped files, or in memory; readers see no difference.
//
// Open() reads envelopes and lengths: milliseconds, whatever the size; with Verify::kPayload it reads
// everything.  Immutable; any number of threads may read.  Views of it are valid as long as it lives. Format:
// docs/formats/segment.md.
class Segment {
 public:
  static Result<std::shared_ptr<const Segment>> Open(const std::string& directory,
                                                     Verify verify = Verify::kEnvelope);
  static Result<std::shared_ptr<const Segment>> FromParts(SegmentParts parts);

  const SegmentInfo& info() const { return info_; }
  DocId documents() const { return info_.documents; }
  // nullptr if it has no field of this name.
  const FieldView* field(std::string_view name) const;
  const std::vector<FieldView>& fields() const { return fields_; }
  const DocumentValues& values() const { return values_; }
  const TextStore& texts() const { return texts_; }
  // The size of all parts, without their envelopes.
  uint64_t bytes() const { return bytes_; }

  Description Describe() const;

 private:
  Segment() = default;
  static Result<std::shared_ptr<const Segment>> Read(std::shared_ptr<Segment> segment);
  Status ReadField(const FieldInfo& info, const PostingFormat& format);
  Result<Bytes> Part(std::string_view name, FileKind kind);

  // One of these keeps the bytes.
  std::string directory_;  // empty if in memory
  Verify verify_ = Verify::kEnvelope;
  std::vector<FormatFile> files_;
  SegmentParts parts_;

  SegmentInfo info_;
  std::vector<FieldView> fields_;
  DocumentValues values_;
  TextStore texts_;
  uint64_t bytes_ = 0;
};

}  // namespace crivello::index
