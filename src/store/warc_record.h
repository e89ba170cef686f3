// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "web/http/http_message.h"

namespace crivello::store {

// The record types of WARC (ISO 28500), and the header of an ARC file.
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
WarcType WarcTypeOf(std::string_view name);  // ignores case; kUnknown if there is no such type

// A record returned by a reader: views into the reader's memory, valid until its next call.
struct WarcRecord {
  std::string_view version;  // "WARC/1.1"; "ARC/1" and "ARC/2" for records of ARC files
  WarcType type = WarcType::kUnknown;
  std::string type_name;   // as written in the file
  std::string target_uri;  // without the <> that some writers put around it
  web::HttpFields fields;  // of a WARC record; empty for ARC
  std::string_view block;
  // Position in the file: of the record itself in a plain file, otherwise of its gzip member or zstd
  // frame.
  uint64_t offset = 0;
  // How many bytes of the file hold it, without the blank lines that follow it in a plain file. 0 for a
  // member that is read as a stream or also holds other records.
  uint64_t stored_bytes = 0;
  bool whole = true;  // the block has the declared length

  std::string ip;            // of ARC; for WARC, WARC-IP-Address
  std::string date;          // WARC-Date, or ARC's fourteen digits, as written in the file
  std::string content_type;  // of the block; for ARC, of the payload
};

// Seconds since 1970 of "2020-01-02T03:04:05Z" (fractions are truncated), or of "20200102030405". WARC/1.1
// allows less precise dates ("2020-01"). nullopt if it is not a date.
std::optional<int64_t> ParseWarcDate(std::string_view text);
std::string FormatTimestamp14(int64_t seconds);  // "20200102030405"

// The line before each record of an ARC file: URL, IP, date, type, length, separated by spaces (a URL may
// contain spaces).
struct ArcLine {
  std::string_view url, ip, date, content_type;
  std::optional<uint64_t> length;  // nullopt if it is not a number
};
std::optional<ArcLine> ParseArcLine(std::string_view line);

}  // namespace crivello::store
