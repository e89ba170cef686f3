// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "base/status.h"
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
  std::string_view body = {};        // the payload
  std::string record_id = {};        // "<urn:uuid:...>"; made if empty
  std::string payload_digest = {};   // of the body, if the caller knows it; computed if empty
  bool payload_digest_only = false;  // no block digest where there is one of the payload
  bool compressed = false;           // the body is, by its content coding: to compress it again gains nothing
};

enum class WarcCompression : uint8_t { kNone, kGzip, kZstd };

struct WarcEncoded {
  uint64_t offset = 0;  // in the string it was appended to
  uint64_t bytes = 0;
  std::string record_id = {};
  std::string payload_digest = {};  // of the body; empty if there is none
};

// Turns drafts into the bytes of WARC/1.1 records: a gzip member or zstd frame for each, so that each can be
// read alone.  Digests are SHA-1, as all tools expect.  Gzip members tell their length in the extra field
// "sl", so that readers can pass over them.
//
// It holds the codec's tables (a few hundred kilobytes), so a thread has one and keeps it; the bytes that it
// makes can be appended to a file by another.  One thread at a time.
class WarcEncoder {
 public:
  struct Options {
    WarcCompression compression = WarcCompression::kGzip;
    int level = 1;                     // libdeflate 0-12, zstd 1-19
    std::string zstd_dictionary = {};  // that the file begins with: Prologue()
  };
  // `random` makes record ids and must outlive the encoder.
  WarcEncoder(Options options, Random& random);
  ~WarcEncoder();

  // What a file begins with, before its first record: a zstd dictionary in a skippable frame, or nothing.
  std::string Prologue() const;

  // Appends the record to *out.  InvalidArgument, with nothing appended, if a field has no token for a name
  // or the name of one that is written anyway, if a value holds a line break or a NUL, if the fields take
  // over 64 KiB, or the record 4 GiB (which "sl" cannot tell).  A value is read back without the spaces
  // around it; an empty one is not written.
  Result<WarcEncoded> Append(const WarcDraft& draft, std::string* out);

 private:
  struct Codec;
  void AppendGzip(bool stored, std::string* out);  // record_, as a member

  const Options options_;
  Random& random_;
  std::unique_ptr<Codec> codec_;
  std::string record_;  // scratch
};

// "<urn:uuid:...>" of version 4.
std::string MakeRecordId(Random& random);

}  // namespace crivello::store
