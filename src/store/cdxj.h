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
// (in one line).  All values are strings, numbers too; a field without a value is left out.
struct CdxjEntry {
  std::string key = {};        // SurtKey(url)
  std::string timestamp = {};  // fourteen digits
  std::string url = {};
  std::string mime = {};    // "warc/revisit" for a revisit
  std::string status = {};  // of HTTP; empty if there is none
  std::string digest = {};  // of the payload; "sha1:..." or, from older tools, without the algorithm
  std::optional<uint64_t> length = {};  // of the record, as stored
  std::optional<uint64_t> offset = {};
  std::string filename = {};
  // Other fields, in order: strings as they are, other values as their JSON.
  std::vector<std::pair<std::string, std::string>> more = {};

  friend bool operator==(const CdxjEntry&, const CdxjEntry&) = default;
};

// Without a line break.  What is not ASCII is written as \uXXXX, and bytes that are no UTF-8 as U+FFFD, so
// that lines are ASCII and sort by bytes: by key, then time.  REQUIRES: key and timestamp are as above.
std::string FormatCdxj(const CdxjEntry& entry);

// Reads such a line (with or without its line break); numbers are taken for strings too.  Corruption, saying
// what is wrong, if it is none; that it has a field is not asked.  Linear; lines beyond kMaxCdxjBytes are
// refused.
inline constexpr size_t kMaxCdxjBytes = 1 << 20;
Result<CdxjEntry> ParseCdxj(std::string_view line);

// Whether this is a line that such files begin with, which holds no entry: "!meta ...", " CDX ...".
bool IsCdxjHeader(std::string_view line);

// What an entry says of a media type: "text/html; charset=utf-8" without what follows the type.
std::string CdxjMime(std::string_view content_type);

// The entry for a record: a response, resource or revisit.  Nothing for others, which are found through them,
// for records without URL or with a date that cannot be read, and for a resource of application/warc-fields.
// A payload digest that the record lacks is computed, but for a revisit, which has no payload.
std::optional<CdxjEntry> MakeCdxjEntry(const WarcRecord& record, std::string_view filename);

}  // namespace crivello::store
