// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello {

// A private key of Ed25519 (RFC 8032), which signs.  A signature takes some 50 µs, and the same message
// always has the same.  Movable; Sign() may be called from any number of threads.
class Ed25519Key {
 public:
  using Seed = std::array<uint8_t, 32>;

  // A new one, from the operating system's randomness.
  static Result<Ed25519Key> Generate();
  // The one that these 32 secret bytes are: what RFC 8032 calls the private key, and JWK "d".
  static Result<Ed25519Key> FromSeed(const Seed& seed);
  // From a PEM file of PKCS #8 ("BEGIN PRIVATE KEY"), not encrypted, as `openssl genpkey -algorithm ed25519`
  // and ToPem() write it.  InvalidArgument if it is none, or of another algorithm.
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

// Base 64 of RFC 4648: section 4, and section 5 (for URLs, without padding).
std::string Base64(std::string_view bytes);
std::string Base64Url(std::string_view bytes);

}  // namespace crivello
