// SPDX-License-Identifier: Apache-2.0
#include "base/signing/hmac.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <climits>

namespace crivello {
namespace {

const EVP_MD* DigestOf(MacHash hash) {
  switch (hash) {
    case MacHash::kSha256:
      return EVP_sha256();
    case MacHash::kSha384:
      return EVP_sha384();
    case MacHash::kSha512:
      return EVP_sha512();
  }
  return nullptr;
}

}  // namespace

Result<std::string> Hmac(MacHash hash, std::string_view key, std::string_view message) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> mac = {};
  unsigned size = 0;
  // libcrypto takes a null key for "the key before".
  const char* const bytes = key.empty() ? "" : key.data();
  const bool good = key.size() <= INT_MAX && ::HMAC(DigestOf(hash), bytes, static_cast<int>(key.size()),
                                                    reinterpret_cast<const unsigned char*>(message.data()),
                                                    message.size(), mac.data(), &size) != nullptr;
  if (!good) {
    ERR_clear_error();
    return Status::IoError("computing an HMAC failed in OpenSSL's libcrypto; check its installation");
  }
  return std::string(reinterpret_cast<const char*>(mac.data()), size);
}

bool EqualsInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && (a.empty() || CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace crivello
