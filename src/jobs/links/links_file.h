// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/description.h"
#include "base/file_format.h"
#include "base/image.h"
#include "base/record.h"
#include "base/status.h"
#include "jobs/links/link_record.h"
#include "jobs/links/links_format.h"

namespace crivello::jobs {

// The links to the pages of a tablet, ordered by target and then by source (row keys).  They are in blocks,
// each with its own checksum and independently readable.  A table has the start of each block, so a target is
// found by binary search.  Format: docs/formats/links.md.
//
// A view of its image (Mapped<LinksFile> opens a file), which must outlive it; immutable.  Whatever the bytes
// are, nothing outside the image is read and every call ends.
class LinksFile {
 public:
  static constexpr FileKind kFileKind = {.name = "links", .version = 1};

  // Verifies what follows the blocks; a cursor verifies each block that it reads.
  static Result<LinksFile> FromImage(Bytes image);

  const LinksOrigin& origin() const { return origin_; }
  uint64_t links() const { return links_; }
  uint64_t targets() const { return targets_; }
  uint64_t blocks() const { return offsets_.size() / sizeof(uint64_t); }
  // Reads all links: Corruption if any is damaged or out of order, or if their number is wrong.
  Status Check() const;
  Description Describe() const;

 private:
  friend class LinksCursor;
  struct Block {
    std::string_view records = {};
    uint64_t count = 0;
  };
  // REQUIRES: number < blocks().
  Result<Block> ReadBlock(uint64_t number) const;
  // The first target of a block.
  Result<std::string_view> FirstTarget(uint64_t number) const;

  Bytes blocks_;   // of the image
  Bytes offsets_;  // words
  LinksOrigin origin_;
  uint64_t links_ = 0;
  uint64_t targets_ = 0;
};

// Iterates over the links of a file.  Memory: two row keys.  One thread at a time; the file must outlive it.
class LinksCursor {
 public:
  explicit LinksCursor(const LinksFile& file) : file_(&file) {}

  // Moves to the next link (at first to the first); false at the end, or on an error, which status() then
  // returns.
  bool Next();
  // Moves to the first link whose target is not less than this one, from any position.
  bool SeekTo(std::string_view target);
  // REQUIRES: the last move returned true.  The views are valid until the next one.
  LinkRecord link() const {
    return {.target = target_, .source = source_, .kind = kind_, .flags = flags_, .text = text_};
  }
  const Status& status() const { return status_; }

 private:
  bool StartBlock();
  bool Damaged();

  const LinksFile* file_;
  uint64_t next_block_ = 0;
  uint64_t left_ = 0;         // unread links of this block
  bool block_begins_ = true;  // the next link is the first of its block
  bool any_ = false;          // a link was read, and the next one follows it in the file
  RecordReader records_{std::string_view()};
  std::string target_;
  std::string source_;
  // The last link of the previous block.
  std::string last_target_;
  std::string last_source_;
  LinkKind kind_ = LinkKind::kAnchor;
  uint8_t flags_ = 0;
  std::string_view text_;
  Status status_;
};

}  // namespace crivello::jobs
