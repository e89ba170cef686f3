// SPDX-License-Identifier: Apache-2.0
#include "web/idna.h"

#include <unicode/uidna.h>

#include <algorithm>
#include <array>
#include <memory>

namespace crivello::web {
namespace {

struct UidnaCloser {
  void operator()(UIDNA* idna) const { uidna_close(idna); }
};

const UIDNA* Uts46() {
  // Immutable once open, so shared by all threads; the tables take too long to open for each name.
  static const std::unique_ptr<UIDNA, UidnaCloser> uts46 = [] {
    UErrorCode error = U_ZERO_ERROR;
    return std::unique_ptr<UIDNA, UidnaCloser>(uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ |
                                                                   UIDNA_NONTRANSITIONAL_TO_ASCII |
                                                                   UIDNA_NONTRANSITIONAL_TO_UNICODE,
                                                               &error));
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

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<uint8_t>(c) < 0x80; });
}

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool AppendByIcu(std::string_view domain, std::string* out) {
  if (domain.size() > kMaxIdnaBytes || Uts46() == nullptr) return false;
  // Each code point of the input gives at most 18 of output (U+FDFA), each of these less than 6 bytes of
  // Punycode; names of a usual size fit the first buffer.
  std::array<char, 1024> buffer;
  UIDNAInfo info = UIDNA_INFO_INITIALIZER;
  UErrorCode error = U_ZERO_ERROR;
  const int32_t size = static_cast<int32_t>(domain.size());
  const int32_t needed = uidna_nameToASCII_UTF8(Uts46(), domain.data(), size, buffer.data(),
                                                static_cast<int32_t>(buffer.size()), &info, &error);
  const auto bad = [&info] { return (info.errors & ~kIgnoredErrors) != 0; };
  if (error != U_BUFFER_OVERFLOW_ERROR) {
    if (U_FAILURE(error) || bad()) return false;
    out->append(buffer.data(), static_cast<size_t>(needed));
    return true;
  }
  std::string large(static_cast<size_t>(needed), '\0');
  error = U_ZERO_ERROR;
  info = UIDNA_INFO_INITIALIZER;
  uidna_nameToASCII_UTF8(Uts46(), domain.data(), size, large.data(), needed, &info, &error);
  if (U_FAILURE(error) || bad()) return false;
  out->append(large);
  return true;
}

}  // namespace

bool AppendDomainToAscii(std::string_view domain, std::string* out) {
  const size_t start = out->size();
  if (IsAscii(domain)) {
    out->append(domain);
    std::transform(out->begin() + static_cast<ptrdiff_t>(start), out->end(),
                   out->begin() + static_cast<ptrdiff_t>(start), ToLower);
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
