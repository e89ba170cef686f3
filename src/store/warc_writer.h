// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "base/random.h"
#include "store/warc_record.h"

namespace crivello::store {

// A record to be written.  The block may come in two pieces, the head and body of a message.
struct WarcDraft {
  WarcType type = WarcType::kResource;
  std::string target_uri = {};  // not for warcinfo
  int64_t date = 0;             // seconds since 1970
  std::string content_type = {};
  std::vector<std::pair<std::string, std::string>> fields = {};  // further ones, in order
  std::string_view head = {};
  std::string_view body = {};  // the payload
  std::string record_id = {};  // "<urn:uuid:...>"; made if empty
};

struct WarcLocation {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::string record_id = {};
  std::string payload_digest = {};  // of the body; empty if there is none
};

enum class WarcCompression : uint8_t { kNone, kGzip, kZstd };

// Writes WARC/1.1: a gzip member or zstd frame for each record, so that each can be read alone.  Block and
// payload digests are SHA-1, as all tools expect.  Gzip members tell their length in the extra field "sl", so
// that readers can pass over them.
//
// What a failed append leaves at the end of the file is the caller's to cut: size() is where the good records
// end. One thread at a time.
class WarcWriter {
 public:
  struct Options {
    WarcCompression compression = WarcCompression::kGzip;
    int level = 1;                     // libdeflate 0-12, zstd 1-19
    std::string zstd_dictionary = {};  // written first, in a skippable frame
  };
  // Appends to `file`, which already has `size` bytes; both references must outlive the writer.
  WarcWriter(AppendFile& file, uint64_t size, Options options, Random& random);
  ~WarcWriter();

  // InvalidArgument, with nothing written, if a field has no token for a name or the name of one that is
  // written anyway, if a value holds a line break or a NUL, if the fields take over 64 KiB, or the record 4
  // GiB (which "sl" cannot tell).  A value is read back without the spaces around it; an empty one is not
  // written.
  Result<WarcLocation> Append(const WarcDraft& draft);
  uint64_t size() const { return size_; }

 private:
  struct Codec;
  void CompressGzip();  // record_ to compressed_

  AppendFile& file_;
  uint64_t size_;
  const Options options_;
  Random& random_;
  std::unique_ptr<Codec> codec_;
  std::string record_;  // scratch
  std::string compressed_;
};

// "<urn:uuid:...>" of version 4.
std::string MakeRecordId(Random& random);

}  // namespace crivello::store
