// SPDX-License-Identifier: Apache-2.0
#include "base/signing/ed25519.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <algorithm>
#include <climits>
#include <utility>

namespace crivello {
namespace {

struct FreeBio {
  void operator()(BIO* bio) const { BIO_free(bio); }
};
struct FreeDigest {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

EVP_PKEY* PkeyOf(void* handle) { return static_cast<EVP_PKEY*>(handle); }

// OpenSSL keeps errors per thread; clear ours so that nobody else sees them.
Status CryptoFailure(const char* what) {
  ERR_clear_error();
  return Status::IoError(std::string(what) + " failed in OpenSSL's libcrypto; check its installation");
}

// Never prompt for the password of an encrypted key.
int NoPassword(char* /*buffer*/, int /*size*/, int /*writing*/, void* /*data*/) { return -1; }

std::string Encoded64(std::string_view bytes, std::string_view letters) {
  std::string text;
  uint32_t window = 0;
  unsigned bits = 0;
  for (const char c : bytes) {
    window = window << 8 | static_cast<uint8_t>(c);
    for (bits += 8; bits >= 6; bits -= 6) text += letters[window >> (bits - 6) & 63];
  }
  if (bits > 0) text += letters[window << (6 - bits) & 63];
  return text;
}

}  // namespace

std::string Base64(std::string_view bytes) {
  std::string text = Encoded64(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}
std::string Base64Url(std::string_view bytes) {
  return Encoded64(bytes, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");
}

void Ed25519Key::Free::operator()(void* key) const { EVP_PKEY_free(PkeyOf(key)); }

Result<Ed25519Key> Ed25519Key::Of(Handle handle) {
  std::array<unsigned char, 32> bytes = {};
  size_t size = bytes.size();
  if (EVP_PKEY_get_raw_public_key(PkeyOf(handle.get()), bytes.data(), &size) != 1 || size != bytes.size()) {
    return CryptoFailure("reading a public key");
  }
  Ed25519Key key;
  key.handle_ = std::move(handle);
  key.public_key_.assign(bytes.begin(), bytes.end());
  return key;
}

Result<Ed25519Key> Ed25519Key::Generate() {
  Handle handle(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (handle == nullptr) return CryptoFailure("making a key");
  return Of(std::move(handle));
}

Result<Ed25519Key> Ed25519Key::FromSeed(const Seed& seed) {
  Handle handle(EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size()));
  if (handle == nullptr) return CryptoFailure("making a key");
  return Of(std::move(handle));
}

Result<Ed25519Key> Ed25519Key::FromPem(std::string_view pem) {
  const auto size = static_cast<int>(std::min<size_t>(pem.size(), 1 << 20));
  const std::unique_ptr<BIO, FreeBio> bio(BIO_new_mem_buf(pem.data(), size));
  if (bio == nullptr) return CryptoFailure("reading a key");
  Handle handle(PEM_read_bio_PrivateKey(bio.get(), nullptr, &NoPassword, nullptr));
  ERR_clear_error();
  if (handle == nullptr) {
    return Status::InvalidArgument(
        "not a private key: expected PEM of PKCS #8 without a password ('-----BEGIN PRIVATE KEY-----')");
  }
  if (EVP_PKEY_get_base_id(PkeyOf(handle.get())) != EVP_PKEY_ED25519) {
    return Status::InvalidArgument("the private key is of another algorithm; expected Ed25519");
  }
  return Of(std::move(handle));
}

Result<std::string> Ed25519Key::ToPem() const {
  const std::unique_ptr<BIO, FreeBio> bio(BIO_new(BIO_s_mem()));
  char* data = nullptr;
  if (bio == nullptr || PEM_write_bio_PKCS8PrivateKey(bio.get(), PkeyOf(handle_.get()), nullptr, nullptr, 0,
                                                      nullptr, nullptr) != 1) {
    return CryptoFailure("writing a key");
  }
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<size_t>(size));
}

Result<std::string> Ed25519Key::Sign(std::string_view message) const {
  const std::unique_ptr<EVP_MD_CTX, FreeDigest> context(EVP_MD_CTX_new());
  std::array<unsigned char, 64> signature = {};
  size_t size = signature.size();
  if (context == nullptr ||
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, PkeyOf(handle_.get())) != 1 ||
      EVP_DigestSign(context.get(), signature.data(), &size,
                     reinterpret_cast<const unsigned char*>(message.data()), message.size()) != 1) {
    return CryptoFailure("signing");
  }
  return std::string(signature.begin(), signature.begin() + static_cast<std::ptrdiff_t>(size));
}

}  // namespace crivello
