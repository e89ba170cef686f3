// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crivello::web {

// The longest domain in bytes that is worth converting; a name that DNS can carry has 253.  Punycode takes
// time quadratic in the length of a label, so there must be a limit.
inline constexpr size_t kMaxIdnaBytes = 4096;

// Appends the ASCII form of a domain given as UTF-8 (WHATWG "domain to ASCII", not strict): UTS 46
// non-transitional processing with bidi and joiner checks; hyphens and lengths are not judged.  A domain that
// is ASCII already is only put in lower case.  False, with nothing appended, if the domain is not valid, too
// long, comes out empty, or holds a code point that no domain may hold.
//
// The tables are those of the ICU that is linked, corrected where the standard is newer than ICU 72
// (idna.cc). Thread-safe.
bool AppendDomainToAscii(std::string_view domain, std::string* out);

}  // namespace crivello::web
