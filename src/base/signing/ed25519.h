// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello {

// A private Ed25519 key (RFC 8032) for signing. A signature takes about 50 µs and is deterministic: the same
// message always gives the same one. Movable; any number of threads may call Sign().
class Ed25519Key {
 public:
  using Seed = std::array<uint8_t, 32>;

  // Generates a new key from the operating system's randomness.
  static Result<Ed25519Key> Generate();
  // The key with these 32 secret bytes: the private key of RFC 8032, JWK's "d".
  static Result<Ed25519Key> FromSeed(const Seed& seed);
  // Reads an unencrypted PEM file in PKCS #8 ("BEGIN PRIVATE KEY"), as written by ToPem() and by `openssl
  // genpkey -algorithm ed25519`. InvalidArgument for anything else, or a key of another algorithm.
  static Result<Ed25519Key> FromPem(std::string_view pem);
  Result<std::string> ToPem() const;

  const std::string& public_key() const { return public_key_; }  // 32 bytes
  Result<std::string> Sign(std::string_view message) const;      // 64 bytes

 private:
  struct Free {
    void operator()(void* key) const;
  };
  using Handle = std::unique_ptr<void, Free>;
  static Result<Ed25519Key> Of(Handle handle);

  Handle handle_;  // OpenSSL's EVP_PKEY
  std::string public_key_;
};

// Base64 of RFC 4648: section 4, and section 5 (for URLs, without padding).
std::string Base64(std::string_view bytes);
std::string Base64Url(std::string_view bytes);

}  // namespace crivello
