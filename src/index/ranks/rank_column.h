// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/description.h"
#include "base/file_format.h"
#include "base/status.h"
#include "index/postings/posting_format.h"
#include "index/ranks/rank_scale.h"

namespace crivello::index {

// The values of a rank for the documents of a segment: one byte each, in a file beside the segment.  A new
// rank is a new column; the segment does not change.
//
// The greatest code of each block of documents lets a search skip blocks that cannot be good enough, and stop
// early if documents are in the order of the rank, or nearly.
//
// Immutable; any number of threads may read.  Damaged bytes give wrong values, but nothing outside is read.
// Format: docs/formats/rank-column.md.
class RankColumn {
 public:
  static constexpr FileKind kFileKind = {.name = "rank-column", .version = 1};
  static constexpr DocId kBlock = 1024;

  // A view of an image, which must outlive it.
  static Result<RankColumn> FromImage(Bytes image);
  // Keeps the file open.
  static Result<std::shared_ptr<const RankColumn>> Open(const std::string& path, Verify verify);
  static std::shared_ptr<const RankColumn> Make(const RankScale& scale, std::span<const uint8_t> codes);

  const RankScale& scale() const { return scale_; }
  const std::string& name() const { return scale_.name; }
  DocId documents() const { return static_cast<DocId>(codes_.size()); }
  // REQUIRES: doc < documents().
  uint8_t CodeOf(DocId doc) const { return codes_[doc]; }
  float operator[](DocId doc) const { return scale_.table[codes_[doc]]; }
  std::span<const uint8_t> codes() const { return codes_; }
  // The greatest code of the documents from i · kBlock on: in one block, and in all the rest.
  std::span<const uint8_t> block_maxima() const { return block_maxima_; }
  std::span<const uint8_t> tail_maxima() const { return tail_maxima_; }

  Bytes image() const { return image_; }
  // Corruption if a maximum is wrong.
  Status Check() const;
  Description Describe() const;

 private:
  Bytes image_;
  RankScale scale_;
  std::span<const uint8_t> codes_;
  std::span<const uint8_t> block_maxima_;
  std::vector<uint8_t> tail_maxima_;
  // One of these keeps the image.
  std::optional<FormatFile> file_;
  std::vector<uint64_t> words_;
};

}  // namespace crivello::index
