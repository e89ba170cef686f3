// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "base/ascii.h"

namespace crivello {
namespace {

struct FreeContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

std::string RawDigest(const EVP_MD* algorithm, std::string_view bytes, std::string_view more = {}) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> out;
  unsigned size = 0;
  const std::unique_ptr<EVP_MD_CTX, FreeContext> context(EVP_MD_CTX_new());
  EVP_DigestInit_ex(context.get(), algorithm, nullptr);
  EVP_DigestUpdate(context.get(), bytes.data(), bytes.size());
  EVP_DigestUpdate(context.get(), more.data(), more.size());
  EVP_DigestFinal_ex(context.get(), out.data(), &size);
  return {reinterpret_cast<const char*>(out.data()), size};
}

}  // namespace

std::string Base32(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  std::string text;
  uint32_t window = 0;
  unsigned bits = 0;
  for (char c : bytes) {
    window = window << 8 | static_cast<uint8_t>(c);
    for (bits += 8; bits >= 5; bits -= 5) text += kLetters[window >> (bits - 5) & 31];
  }
  if (bits > 0) text += kLetters[window << (5 - bits) & 31];
  return text;
}

std::string Base16(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (char c : bytes) {
    text += kDigits[static_cast<uint8_t>(c) >> 4];
    text += kDigits[static_cast<uint8_t>(c) & 15];
  }
  return text;
}

std::string Sha1Digest(std::string_view bytes, std::string_view more) {
  return "sha1:" + Base32(RawDigest(EVP_sha1(), bytes, more));
}
std::string Sha256Digest(std::string_view bytes, std::string_view more) {
  return "sha256:" + Base16(RawDigest(EVP_sha256(), bytes, more));
}

std::string Sha256Bytes(std::string_view bytes) { return RawDigest(EVP_sha256(), bytes); }

Sha1 Sha1Of(std::string_view bytes) {
  const std::string raw = RawDigest(EVP_sha1(), bytes);
  Sha1 digest = {};
  std::copy_n(raw.begin(), digest.size(), digest.begin());
  return digest;
}
std::string Sha1Text(const Sha1& digest) {
  return "sha1:" + Base32({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

bool DigestMatches(std::string_view digest, std::string_view bytes, bool* known) {
  const size_t colon = digest.find(':');
  const std::string algorithm = ToAsciiLower(digest.substr(0, std::min(colon, digest.size())));
  const EVP_MD* md = algorithm == "sha1" || algorithm == "sha-1"       ? EVP_sha1()
                     : algorithm == "sha256" || algorithm == "sha-256" ? EVP_sha256()
                     : algorithm == "md5"                              ? EVP_md5()
                                                                       : nullptr;
  *known = md != nullptr && colon != std::string_view::npos;
  if (!*known) return false;
  const std::string raw = RawDigest(md, bytes);
  const std::string value = ToAsciiLower(digest.substr(colon + 1));
  return value == Base16(raw) || value == ToAsciiLower(Base32(raw));
}

}  // namespace crivello
