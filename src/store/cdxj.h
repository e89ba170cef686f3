// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "store/warc_record.h"

namespace crivello::store {

// A line of an index of archives, as pywb, cdxj-indexer and OutbackCDX read and write it:
//
//   com,example)/ 20170306040206 {"url": "http://example.com/", "mime": "text/html", "status": "200",
//   "digest": "sha1:...", "length": "1242", "offset": "784", "filename": "example.warc.gz"}
//
// (on one line). All values are strings, including numbers; a field without a value is omitted.
struct CdxjEntry {
  std::string key = {};        // SurtKey(url)
  std::string timestamp = {};  // fourteen digits
  std::string url = {};
  std::string mime = {};    // "warc/revisit" for a revisit
  std::string status = {};  // HTTP status; empty if there is none
  std::string digest = {};  // of the payload; "sha1:..." or, from older tools, without the algorithm
  std::optional<uint64_t> length = {};  // of the record, as stored
  std::optional<uint64_t> offset = {};
  std::string filename = {};
  // Other fields, in order: strings as they are, other values as JSON.
  std::vector<std::pair<std::string, std::string>> more = {};

  friend bool operator==(const CdxjEntry&, const CdxjEntry&) = default;
};

// Without a line break. Characters outside ASCII are written as \uXXXX, and bytes that are not valid UTF-8 as
// U+FFFD, so lines are ASCII and sort by bytes: by key, then time. REQUIRES: key and timestamp are as above.
std::string FormatCdxj(const CdxjEntry& entry);

// Reads such a line, with or without its line break; numbers may also be given as JSON numbers. Corruption,
// with the reason, if it is malformed. Missing fields are not an error. Linear; lines longer than
// kMaxCdxjBytes are rejected.
inline constexpr size_t kMaxCdxjBytes = 1 << 20;
Result<CdxjEntry> ParseCdxj(std::string_view line);

// Whether this is a header line without an entry, such as "!meta ..." or " CDX ...".
bool IsCdxjHeader(std::string_view line);

// The media type for an entry: "text/html; charset=utf-8" without its parameters.
std::string CdxjMime(std::string_view content_type);

// The entry for a response, resource or revisit. nullopt for other records, which are found through these;
// for records without a URL or with an unreadable date; and for a resource of type application/warc-fields.
// Computes a missing payload digest, except for a revisit, which has no payload.
std::optional<CdxjEntry> MakeCdxjEntry(const WarcRecord& record, std::string_view filename);

}  // namespace crivello::store
