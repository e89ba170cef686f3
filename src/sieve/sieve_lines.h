// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::sieve {

// The line formats of `crivello sieve sort` and `crivello sieve merge`, so that other programs can be put
// between them: sort(1), or the shuffle of Hadoop.
//
//   URL line         URL, or ORDINAL TAB URL
//   signature line   SIGNATURE, 16 hexadecimal digits
//   sieve line       SIGNATURE TAB ORDINAL TAB URL
//
// Signatures have all their digits, and ordinals are written with 20 digits, so sieve lines in byte order are
// sorted by signature, then by ordinal. Malformed lines are Corruption.

struct UrlLine {
  std::optional<uint64_t> ordinal = {};
  std::string_view url = {};
};
Result<UrlLine> ParseUrlLine(std::string_view line);

Result<uint64_t> ParseSignatureLine(std::string_view line);
void AppendSignatureLine(uint64_t signature, std::string* out);

struct SieveLine {
  uint64_t signature = 0;
  uint64_t ordinal = 0;
  std::string_view url = {};
};
// Everything after the second TAB is the URL, which must not contain a TAB.
Result<SieveLine> ParseSieveLine(std::string_view line);
void AppendSieveLine(const SieveLine& line, std::string* out);

}  // namespace crivello::sieve
