// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "web/url/url.h"

namespace crivello::web {

// The signature by which the sieve recognises a URL: the 12 top bits of the hash of its host, then 52 bits of
// the hash of the whole URL. So the signatures of a host form one range, and so do those of a tablet, whose
// number is the top bits of the same hash: a file of sorted signatures can be split at tablet boundaries.
//
// The host's hash covers only its name, not scheme and port, because politeness treats a machine as one host.
// Signatures are written to files: they never change.
constexpr int kHostSignatureBits = 12;

uint64_t HostHash(std::string_view host);

// REQUIRES: `url` is canonical (canonical.h).
uint64_t UrlSignature(const Url& url);
uint64_t UrlSignature(uint64_t host_hash, std::string_view canonical_url);

// The number of a host's tablet among 2^bits tablets. REQUIRES: 0 <= bits <= kHostSignatureBits.
constexpr uint32_t TabletOf(uint64_t host_hash, int bits) {
  return bits == 0 ? 0 : static_cast<uint32_t>(host_hash >> (64 - bits));
}

}  // namespace crivello::web
