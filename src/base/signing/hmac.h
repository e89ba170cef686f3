// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello {

// Hash functions that are strong enough for a message authentication code of today: SHA-1 is not among them.
enum class MacHash : uint8_t { kSha256, kSha384, kSha512 };

// HMAC (RFC 2104) of a message: 32, 48 or 64 bytes.  Linear in the message; SHA-256 takes some 0.7 ms for a
// MiB.  An error comes from OpenSSL alone.  Thread-safe.
Result<std::string> Hmac(MacHash hash, std::string_view key, std::string_view message);

// Whether two strings are equal, in a time that depends on their lengths alone: whoever measures it learns
// nothing of a secret.
bool EqualsInConstantTime(std::string_view a, std::string_view b);

}  // namespace crivello
