// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello {

// The digests of archives, as their headers write them: "sha1:" and 32 letters of base 32, "sha256:" and 64
// of base 16.  Of `bytes` and `more` as one.
std::string Sha1Digest(std::string_view bytes, std::string_view more = {});
std::string Sha256Digest(std::string_view bytes, std::string_view more = {});

// The 32 bytes of a SHA-256.
std::string Sha256Bytes(std::string_view bytes);

// The bytes of a SHA-1, as rows keep them, and as archives write them.
using Sha1 = std::array<uint8_t, 20>;
Sha1 Sha1Of(std::string_view bytes);
std::string Sha1Text(const Sha1& digest);

// Whether `digest` (any of these algorithms, in base 32 or base 16, in any case) is that of `bytes`; false,
// and *known too, if it is of an algorithm that we do not have.
bool DigestMatches(std::string_view digest, std::string_view bytes, bool* known);

std::string Base32(std::string_view bytes);
std::string Base16(std::string_view bytes);

}  // namespace crivello
