// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "web/http/http_message.h"

namespace crivello::store {

// The types of WARC (ISO 28500), and what an ARC file begins with.
enum class WarcType : uint8_t {
  kUnknown,
  kWarcinfo,
  kResponse,
  kResource,
  kRequest,
  kMetadata,
  kRevisit,
  kConversion,
  kContinuation,
  kArcHeader,
};
// "response"; "arc_header" for the header of an ARC file, as other tools call it.
std::string_view WarcTypeName(WarcType type);
WarcType WarcTypeOf(std::string_view name);  // in any case; kUnknown if there is none

// A record as a reader gives it: views into the reader's memory, valid until its next call.
struct WarcRecord {
  std::string_view version;  // "WARC/1.1"; "ARC/1" and "ARC/2" for records of ARC files
  WarcType type = WarcType::kUnknown;
  std::string type_name;   // as it stands there
  std::string target_uri;  // without the <> that some writers put around it
  web::HttpFields fields;  // of a WARC record; none for ARC
  std::string_view block;
  // Where it lies in the file: its own place in a plain file, that of its gzip member or zstd frame
  // otherwise.
  uint64_t offset = 0;
  // How many bytes of the file hold it (without the blank lines that follow it in a plain file); of a member
  // that is read as a stream, or holds other records too, 0.
  uint64_t stored_bytes = 0;
  bool whole = true;  // the block has the length that was declared

  std::string ip;            // of ARC; WARC-IP-Address for WARC
  std::string date;          // WARC-Date, or ARC's fourteen digits, as they stand there
  std::string content_type;  // of the block; for ARC of the payload
};

// Seconds since 1970 of "2020-01-02T03:04:05Z" (with fractions: cut), or of "20200102030405"; WARC/1.1 allows
// less precise ones ("2020-01").  Nothing if it is none.
std::optional<int64_t> ParseWarcDate(std::string_view text);
std::string FormatTimestamp14(int64_t seconds);  // "20200102030405"

// What an ARC file has in front of a record: URL, IP, date, type, length, separated by spaces (a URL may hold
// some).
struct ArcLine {
  std::string_view url, ip, date, content_type;
  std::optional<uint64_t> length;  // nothing if it is no number
};
std::optional<ArcLine> ParseArcLine(std::string_view line);

}  // namespace crivello::store
