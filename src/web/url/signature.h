// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

// The signature under which the sieve knows a URL: 12 top bits of the hash of its host, then 52 bits of the
// hash of the whole URL.  So the signatures of a host are one range, and so are those of a tablet, whose
// number is the top bits of the same hash: a file of sorted signatures can be cut where a tablet is.
//
// The hash of the host is of its name alone, without scheme and port: a machine is one host to be polite to.
// Signatures are written to files: they never change.
constexpr int kHostSignatureBits = 12;

uint64_t HostHash(std::string_view host);

// REQUIRES: `url` is canonical (canonical.h).
uint64_t UrlSignature(const Url& url);
uint64_t UrlSignature(uint64_t host_hash, std::string_view canonical_url);

// The tablet of a host among 2^bits.  REQUIRES: 0 <= bits <= kHostSignatureBits.
constexpr uint32_t TabletOf(uint64_t host_hash, int bits) {
  return bits == 0 ? 0 : static_cast<uint32_t>(host_hash >> (64 - bits));
}

}  // namespace crivello::web
