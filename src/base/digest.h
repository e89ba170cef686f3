// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace crivello {

// Digests as written in archive headers: "sha1:" and 32 letters in base 32, "sha256:" and 64 in base 16. The
// digest covers `bytes` followed by `more`.
std::string Sha1Digest(std::string_view bytes, std::string_view more = {});
std::string Sha256Digest(std::string_view bytes, std::string_view more = {});

// The 32 bytes of the SHA-256.
std::string Sha256Bytes(std::string_view bytes);

// The bytes of a SHA-1, as stored in rows, and its text form, as in archives.
using Sha1 = std::array<uint8_t, 20>;
Sha1 Sha1Of(std::string_view bytes);
std::string Sha1Text(const Sha1& digest);

// Whether `digest` (of one of these algorithms, in base 32 or base 16, in any case) matches `bytes`. If we do
// not support its algorithm, returns false and sets *known to false.
bool DigestMatches(std::string_view digest, std::string_view bytes, bool* known);

std::string Base32(std::string_view bytes);
std::string Base16(std::string_view bytes);

}  // namespace crivello
