// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/byte_source.h"
#include "store/warc_record.h"

namespace crivello::store {

// Something wrong in an archive, and where.
struct WarcDamage {
  uint64_t offset;  // in the file
  std::string what;
};

// Reads WARC 1.0 and 1.1 and ARC files: plain, gzip by record or as a whole, zstd with and without
// dictionary.  The file is given as bytes (a mapped file) that must outlive the reader.
//
// Archives come damaged, and one bad record must not cost the rest: what is no record is skipped to the next
// that is (a "WARC/1." at the start of a line, the magic number of a member), a length that does not lead to
// a record is mended if the next one is found inside the block, a cut record is given as far as it goes, not
// `whole`; each is noted in damage().  Any bytes give some records and an end, in time linear in the file and
// what it decompresses to.
//
// Memory: one record, up to twice max_block_bytes while one without a length is sought.  A block beyond
// max_block_bytes is cut there.  One thread at a time.
//
// After a damaged member the search goes on behind its first byte, for the true next one may lie inside of
// what was taken for it.  Members nested in each other, each damaged, would make that quadratic: once four
// times the file has been read in vain, it goes on behind the damage.
class WarcReader {
 public:
  struct Options {
    uint64_t max_block_bytes = uint64_t{256} << 20;
    uint64_t max_damages = 1000;  // noted; more are only counted
  };
  explicit WarcReader(std::string_view file) : WarcReader(file, Options()) {}
  WarcReader(std::string_view file, Options options) : file_(file), options_(options) {}

  // The next record, or nothing at the end.
  std::optional<WarcRecord> Next();
  // Passes over the next record, without decompressing it where the file tells its length; false at the end.
  // A member whose length is told is taken to hold one record, as the standard wants it, unless one was seen
  // to hold more, or it is the whole file.  What is passed over is not judged.
  bool Skip();
  // Goes on at a record's offset.  The dictionary of a zstd file and the header of an ARC file are read
  // first, wherever one goes.
  void SeekTo(uint64_t offset);

  // Whether the member that the record given out last lies in is damaged, as far as it was read.  damage()
  // tells only once it is passed.
  bool in_damaged_member() const { return source_ != nullptr && source_->damaged(); }

  const std::vector<WarcDamage>& damage() const { return damage_; }
  uint64_t damages() const { return damages_; }

 private:
  struct Head {
    size_t bytes;                    // of the record up to its block
    std::optional<uint64_t> length;  // of the block, as declared
  };

  bool OpenSource();
  void ReadDictionary(std::string_view rest);
  bool SkipToMember(uint64_t from);
  uint64_t FindMember(uint64_t at);
  void CloseSource();
  std::optional<WarcRecord> ReadRecord();
  bool SkipBlankLines();
  std::optional<Head> ParseHead(std::string_view text, WarcRecord* record);
  std::optional<Head> ParseWarcHead(std::string_view text, WarcRecord* record);
  std::optional<Head> ParseArcHead(std::string_view text, WarcRecord* record);
  bool Resynchronise();
  void Note(uint64_t offset, std::string what);
  uint64_t Here() const { return source_offset_ + (plain_ ? source_->stored_bytes().value_or(0) : 0); }

  const std::string_view file_;
  const Options options_;
  SourceMemoryPtr memory_ = MakeSourceMemory();
  uint64_t next_ = 0;  // where the next source starts
  std::unique_ptr<ByteSource> source_;
  uint64_t source_offset_ = 0;
  bool plain_ = false;       // source_ is the rest of a plain file
  bool compressed_ = false;  // a member has been seen
  bool arc_ = false;         // an ARC header has been seen
  unsigned arc_version_ = 1;
  uint64_t records_in_source_ = 0;
  bool many_in_source_ = false;  // some source had more than one
  uint64_t pending_ = 0;         // bytes of source_ that the record given out last takes
  std::shared_ptr<const ZstdDictionary> dictionary_;
  // Where the magic numbers occur next, at or after the last place that was asked for.
  uint64_t gzip_at_ = 0;
  uint64_t zstd_at_ = 0;
  uint64_t wasted_ = 0;  // bytes of damaged members, which are searched again
  std::vector<WarcDamage> damage_;
  uint64_t damages_ = 0;
};

}  // namespace crivello::store
