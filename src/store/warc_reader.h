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

// A problem in an archive, and where it is.
struct WarcDamage {
  uint64_t offset;  // in the file
  std::string what;
};

// Reads WARC 1.0 and 1.1 and ARC files: plain, compressed by gzip (each record or the whole file), or by zstd
// with or without a dictionary. The file is given as bytes (a mapped file) that must outlive the reader.
//
// Archives can be damaged, and one bad record must not cost the rest. Bytes that are not a record are skipped
// up to the next record (a "WARC/1." at the start of a line, the magic number of a member). A length that
// does not lead to a record is corrected if the next record is found inside the block. A truncated record is
// returned as far as it goes, with `whole` false. Each is noted in damage(). Any bytes give records and an
// end, in time linear in the file and its decompressed size.
//
// Memory: one record, or up to twice max_block_bytes while looking for the end of one without a length. A
// block longer than max_block_bytes is cut. One thread at a time.
//
// After a damaged member the search resumes one byte after its start, because the true next member may begin
// inside it. Nested damaged members would make that quadratic, so once four times the file's size has been
// read in vain, the search resumes after the damage.
class WarcReader {
 public:
  struct Options {
    uint64_t max_block_bytes = uint64_t{256} << 20;
    uint64_t max_damages = 1000;  // how many are kept; the rest are only counted
  };
  explicit WarcReader(std::string_view file) : WarcReader(file, Options()) {}
  WarcReader(std::string_view file, Options options) : file_(file), options_(options) {}

  // The next record, or nullopt at the end.
  std::optional<WarcRecord> Next();
  // Skips the next record, without decompressing it if the file declares its length; false at the end. A
  // member with a declared length is assumed to hold one record, as the standard requires, unless it is the
  // whole file or some member was seen to hold more. What is skipped is not checked.
  bool Skip();
  // Continues at a record's offset. The dictionary of a zstd file and the header of an ARC file are always
  // read first.
  void SeekTo(uint64_t offset);

  // Whether the member of the last returned record is damaged, as far as it was read. damage() reports it
  // only once the reader has passed the member.
  bool in_damaged_member() const { return source_ != nullptr && source_->damaged(); }

  const std::vector<WarcDamage>& damage() const { return damage_; }
  uint64_t damages() const { return damages_; }

 private:
  struct Head {
    size_t bytes;                    // before the record's block
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
  bool compressed_ = false;  // a member was seen
  bool arc_ = false;         // an ARC header was seen
  unsigned arc_version_ = 1;
  uint64_t records_in_source_ = 0;
  bool many_in_source_ = false;  // some source had more than one record
  uint64_t pending_ = 0;         // bytes of source_ taken by the last returned record
  std::shared_ptr<const ZstdDictionary> dictionary_;
  // Where the magic numbers occur next, at or after the last position searched from.
  uint64_t gzip_at_ = 0;
  uint64_t zstd_at_ = 0;
  uint64_t wasted_ = 0;  // bytes of damaged members that are searched again
  std::vector<WarcDamage> damage_;
  uint64_t damages_ = 0;
};

}  // namespace crivello::store
