// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace crivello::web {

// The longest domain, in bytes, that is converted; DNS names have at most 253. A limit is needed because
// Punycode takes time quadratic in the length of a label.
inline constexpr size_t kMaxIdnaBytes = 4096;

// Appends the ASCII form of a domain given as UTF-8 (WHATWG "domain to ASCII", not strict): UTS 46
// non-transitional processing with bidi and joiner checks; hyphens and lengths are not checked. A domain that
// is already ASCII is only converted to lower case. False, with nothing appended, if the domain is invalid,
// too long, becomes empty, or contains a forbidden code point.
//
// Uses the tables of the linked ICU, corrected where the standard is newer than ICU 72 (idna.cc).
// Thread-safe.
bool AppendDomainToAscii(std::string_view domain, std::string* out);

}  // namespace crivello::web
