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

// A record to be written. The block may be given in two pieces, the head and the body of a message.
struct WarcDraft {
  WarcType type = WarcType::kResource;
  std::string target_uri = {};  // not for warcinfo
  int64_t date = 0;             // seconds since 1970
  std::string content_type = {};
  std::vector<std::pair<std::string, std::string>> fields = {};  // more fields, in order
  std::string_view head = {};
  std::string_view body = {};        // the payload
  std::string record_id = {};        // "<urn:uuid:...>"; made if empty
  std::string payload_digest = {};   // of the body, if the caller knows it; computed if empty
  bool payload_digest_only = false;  // no block digest if there is a payload digest
  bool compressed = false;           // the body is, by its content coding: not worth compressing again
};

enum class WarcCompression : uint8_t { kNone, kGzip, kZstd };

struct WarcEncoded {
  uint64_t offset = 0;  // in the string it was appended to
  uint64_t bytes = 0;
  std::string record_id = {};
  std::string payload_digest = {};  // of the body; empty if there is none
};

// Turns drafts into the bytes of WARC/1.1 records, each a gzip member or zstd frame of its own, so that each
// can be read alone. Digests are SHA-1, as all tools expect. Gzip members declare their length in the extra
// field "sl", so that readers can skip them.
//
// It holds the codec's tables (a few hundred kilobytes), so each thread keeps one. Another thread may append
// the bytes to a file. One thread at a time.
class WarcEncoder {
 public:
  struct Options {
    WarcCompression compression = WarcCompression::kGzip;
    int level = 1;                     // libdeflate 0-12, zstd 1-19
    std::string zstd_dictionary = {};  // at the start of the file: Prologue()
  };
  // `random` makes record ids and must outlive the encoder.
  WarcEncoder(Options options, Random& random);
  ~WarcEncoder();

  // The start of a file, before its first record: a zstd dictionary in a skippable frame, or nothing.
  std::string Prologue() const;

  // Appends the record to *out. InvalidArgument, with nothing appended, if a field's name is not a token or
  // is one that the encoder writes itself, a value contains a line break or NUL, the fields exceed 64 KiB, or
  // the record exceeds 4 GiB (the limit of "sl"). Spaces around a value are lost when it is read back; a
  // field with an empty value is not written.
  Result<WarcEncoded> Append(const WarcDraft& draft, std::string* out);

 private:
  struct Codec;
  void AppendGzip(bool stored, std::string* out);  // wraps record_ in a member

  const Options options_;
  Random& random_;
  std::unique_ptr<Codec> codec_;
  std::string record_;  // scratch
};

// "<urn:uuid:...>", version 4.
std::string MakeRecordId(Random& random);

}  // namespace crivello::store
