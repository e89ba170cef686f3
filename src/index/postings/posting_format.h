// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "index/postings/positions_code.h"

namespace crivello::index {

// The number of a document in its segment, starting at 0.
using DocId = uint32_t;
// Greater than every document.  As "the document before the first" it is -1: documents are computed mod 2^32.
constexpr DocId kEndDoc = ~DocId{0};

// Postings are in blocks of at most this many.  All but the last of a list have exactly this many, unless the
// format cuts blocks freely.
constexpr uint32_t kBlockPostings = 128;
// In some formats, the positions of every so many postings of a block have a place of their own.
constexpr uint32_t kPositionStep = 16;
constexpr uint32_t kBlockSteps = kBlockPostings / kPositionStep - 1;

// How much of each posting an index keeps.  The numbers are stored on disk, in segments and manifests
// (docs/formats/segment.md, index-manifest.md): never renumber or reuse one.
enum class PostingContents : uint8_t { kDocuments = 0, kCounts = 1, kPositions = 2 };

// What is known about a list before reading any block.
struct ListShape {
  uint64_t frequency = 0;    // postings
  uint64_t occurrences = 0;  // the sum of their counts
  DocId last = 0;            // the last document
};

// What is known about a block.  Places are relative to the list's part of a stream; the format defines their
// meaning.
struct BlockShape {
  uint64_t first = 0;  // how many postings precede it
  uint32_t size = 0;
  DocId before = kEndDoc;  // the document before its first
  DocId last = 0;
  uint64_t documents_place = 0;
  uint64_t counts_place = 0;
  uint64_t positions_place = 0;  // a bit, in all formats
  // In a list of a single block, the sum of its counts is known, and places are zero.
  bool alone = false;
};

// An encoding of posting lists: how documents and counts become bytes, where lists are cut, and the code of
// positions.  Everything else (block_table.h, posting_writer.h, posting_cursor.h) is common to all formats.
// So a format is a pair of writers, which see a whole list, and a pair of readers, which see a block: one
// virtual call per 128 postings.  Immutable; thread-safe.  docs/formats/postings.md.
class PostingFormat {
 public:
  virtual ~PostingFormat() = default;
  std::string_view name() const { return name_; }
  // A one-line description.
  std::string_view summary() const { return summary_; }
  const PositionsCode& positions() const { return *positions_; }
  // Block sizes vary, so they are written.
  bool cuts() const { return cuts_; }
  // Positions are found by steps of kPositionStep postings, instead of skipping all before them in the block.
  bool steps() const { return steps_; }

  // The sizes of the blocks of a list of more than kBlockPostings documents.
  virtual std::vector<uint32_t> Cut(std::span<const DocId> docs) const;

  // Append the list's documents or its counts, and set the places of the blocks.
  virtual void WriteDocuments(const ListShape& list, std::span<const DocId> docs,
                              std::span<BlockShape> blocks, std::vector<uint8_t>* out) const = 0;
  virtual void WriteCounts(const ListShape& list, std::span<const uint32_t> counts,
                           std::span<BlockShape> blocks, std::vector<uint8_t>* out) const = 0;

  // Reads the documents of a block from the list's part of the stream, which may be followed by more bytes.
  // Returns the end of what was read if the block is alone, otherwise anything but nullptr; nullptr if the
  // bytes are damaged.  Whatever the bytes: reads nothing outside `part`, and unless it returns nullptr, the
  // documents strictly increase from `before` to `last`.
  // REQUIRES: room for kBlockPostings; 1 <= size <= kBlockPostings; size <= last - before, mod 2^32.
  virtual const std::byte* ReadDocuments(const ListShape& list, const BlockShape& block, Bytes part,
                                         DocId* docs) const = 0;
  // The same for counts, which are at least 1.
  virtual const std::byte* ReadCounts(const ListShape& list, const BlockShape& block, Bytes part,
                                      uint32_t* counts) const = 0;

 protected:
  struct Traits {
    std::string_view name;
    std::string_view summary;
    const PositionsCode* positions;
    bool cuts = false;
    bool steps = false;  // not with cuts
  };
  explicit PostingFormat(const Traits& traits)
      : name_(traits.name),
        summary_(traits.summary),
        positions_(traits.positions),
        cuts_(traits.cuts),
        steps_(traits.steps) {}

 private:
  std::string_view name_;
  std::string_view summary_;
  const PositionsCode* positions_;
  bool cuts_;
  bool steps_;
};

const PostingFormat& PackedFormat();
const PostingFormat& QuasiSuccinctFormat();
const PostingFormat& PartitionedFormat();
const PostingFormat& InterpolativeFormat();
const PostingFormat& ClassicFormat();

// The fastest first.
std::span<const PostingFormat* const> AllPostingFormats();
// NotFound if there is no such format; the message lists those that exist.
Result<const PostingFormat*> FindPostingFormat(std::string_view name);

}  // namespace crivello::index
