// SPDX-License-Identifier: Apache-2.0
#include "web/url/idna.h"

#include <unicode/idna.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/ascii.h"
#include "charset/encoding_decode.h"

namespace crivello::web {
namespace {

const icu::IDNA* Uts46() {
  // Immutable and shared by all threads; opening the tables for each name would take too long.
  static const std::unique_ptr<const icu::IDNA> uts46 = [] {
    UErrorCode error = U_ZERO_ERROR;
    return std::unique_ptr<const icu::IDNA>(icu::IDNA::createUTS46Instance(
        UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_ASCII, error));
  }();
  return uts46.get();
}

constexpr uint32_t kIgnoredErrors = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG |
                                    UIDNA_ERROR_DOMAIN_NAME_TOO_LONG | UIDNA_ERROR_LEADING_HYPHEN |
                                    UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;

bool IsForbiddenInDomain(char c) {
  static constexpr std::array<bool, 256> kForbidden = [] {
    std::array<bool, 256> table{};
    for (unsigned i = 0; i <= 0x20; i++) table[i] = true;
    for (const char forbidden : std::string_view("#/:<>?@[\\]^|%\x7f")) {
      table[static_cast<uint8_t>(forbidden)] = true;
    }
    return table;
  }();
  return kForbidden[static_cast<uint8_t>(c)];
}

// Differences between the UTS 46 mapping tables of Unicode 17 and of ICU 72, for code points that Unicode 15
// had: what a code point maps to, itself if it is unchanged, kIgnored if it is removed. U+1806 is omitted: it
// became valid, and cannot be smuggled past an older ICU.
constexpr UChar32 kIgnored = -1;

UChar32 NewerMapping(UChar32 c) {
  if (c >= 0x10a0 && c <= 0x10c5) return c - 0x10a0 + 0x2d00;
  if ((c >= 0x2061 && c <= 0x2063) || (c >= 0x206a && c <= 0x206f) || (c >= 0x1d173 && c <= 0x1d17a))
    return kIgnored;
  switch (c) {
    case 0x04c0:
      return 0x04cf;
    case 0x1e9e:
      return 0x00df;
    case 0x2132:
      return 0x214e;
    case 0x2183:
      return 0x2184;
    case 0x2f868:
      return 0x36fc;
    case 0x2f874:
      return 0x5f53;
    case 0x2f91f:
      return 0x243ab;
    case 0x2f95f:
      return 0x7aee;
    case 0x2f9bf:
      return 0x45d7;
    case 0x115f:
    case 0x1160:
    case 0x17b4:
    case 0x17b5:
    case 0x180e:
    case 0x3164:
    case 0xffa0:
      return kIgnored;
    default:
      return c;
  }
}

bool AppendByIcu(std::string_view domain, std::string* out) {
  if (domain.size() > kMaxIdnaBytes || Uts46() == nullptr) return false;
  // Invalid UTF-8 becomes U+FFFD, which no domain may contain.
  const auto given = icu::UnicodeString::fromUTF8({domain.data(), static_cast<int32_t>(domain.size())});
  icu::UnicodeString mapped;
  for (int32_t i = 0; i < given.length(); i = given.moveIndex32(i, 1)) {
    const UChar32 c = NewerMapping(given.char32At(i));
    if (c != kIgnored) mapped.append(c);
  }
  icu::UnicodeString ascii;
  icu::IDNAInfo info;
  UErrorCode error = U_ZERO_ERROR;
  Uts46()->nameToASCII(mapped, ascii, info, error);
  if (U_FAILURE(error) || (info.getErrors() & ~kIgnoredErrors) != 0) return false;
  ascii.toUTF8String(*out);
  return true;
}

}  // namespace

bool AppendDomainToAscii(std::string_view domain, std::string* out) {
  const size_t start = out->size();
  if (charset::IsAscii(domain)) {
    out->append(domain);
    std::transform(out->begin() + static_cast<ptrdiff_t>(start), out->end(),
                   out->begin() + static_cast<ptrdiff_t>(start), AsciiLower);
  } else if (!AppendByIcu(domain, out)) {
    return false;
  }
  const std::string_view ascii = std::string_view(*out).substr(start);
  if (ascii.empty() || std::any_of(ascii.begin(), ascii.end(), IsForbiddenInDomain)) {
    out->resize(start);
    return false;
  }
  return true;
}

}  // namespace crivello::web
