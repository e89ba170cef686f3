// SPDX-License-Identifier: Apache-2.0
#include "web/url/signature.h"

#include "base/hash.h"

namespace crivello::web {
namespace {

constexpr uint64_t kHostSeed = 0x686f7374;  // "host"
constexpr uint64_t kUrlSeed = 0x75726c;     // "url"

}  // namespace

uint64_t HostHash(std::string_view host) { return Hash64(host, kHostSeed); }

uint64_t UrlSignature(uint64_t host_hash, std::string_view canonical_url) {
  constexpr int kUrlBits = 64 - kHostSignatureBits;
  return (host_hash >> kUrlBits << kUrlBits) | (Hash64(canonical_url, kUrlSeed) >> kHostSignatureBits);
}

uint64_t UrlSignature(const Url& url) { return UrlSignature(HostHash(url.hostname()), url.href()); }

}  // namespace crivello::web
