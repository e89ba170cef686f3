// SPDX-License-Identifier: Apache-2.0
#include "base/signing/ed25519.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/digest.h"

namespace crivello {
namespace {

Ed25519Key::Seed SeedOfHex(std::string_view hex) {
  Ed25519Key::Seed seed = {};
  for (size_t i = 0; i < seed.size(); i++) {
    seed[i] = static_cast<uint8_t>(std::stoi(std::string(hex.substr(2 * i, 2)), nullptr, 16));
  }
  return seed;
}

// RFC 8032, section 7.1, tests 1 and 2.
TEST(Ed25519Test, SignsAsTheRfcDoes) {
  const auto first =
      Ed25519Key::FromSeed(SeedOfHex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"));
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(Base16(first->public_key()), "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  EXPECT_EQ(
      Base16(*first->Sign("")),
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5"
      "f0595bbe24655141438e7a100b");
  const auto second =
      Ed25519Key::FromSeed(SeedOfHex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"));
  EXPECT_EQ(
      Base16(*second->Sign("\x72")),
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2e"
      "aeb4302aeeb00d291612bb0c00");
}

TEST(Ed25519Test, IsTheSameKeyWhenItIsReadAgain) {
  const auto key = Ed25519Key::Generate();
  ASSERT_TRUE(key.ok());
  const std::string pem = *key->ToPem();
  EXPECT_TRUE(pem.starts_with("-----BEGIN PRIVATE KEY-----\n")) << pem;
  const auto again = Ed25519Key::FromPem(pem);
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  EXPECT_EQ(again->public_key(), key->public_key());
  EXPECT_EQ(*again->Sign("message"), *key->Sign("message"));
  EXPECT_NE(Ed25519Key::Generate()->public_key(), key->public_key());
}

TEST(Ed25519Test, RefusesWhatIsNotAKeyOfItsAlgorithm) {
  const std::string pem = *Ed25519Key::Generate()->ToPem();
  for (size_t cut = 0; cut + 10 < pem.size(); cut++) {
    EXPECT_EQ(Ed25519Key::FromPem(pem.substr(0, cut)).status().code(), StatusCode::kInvalidArgument);
  }
  // A key of P-256 (RFC 9421, appendix B.1.3).
  constexpr std::string_view kOther =
      "-----BEGIN EC PRIVATE KEY-----\n"
      "MHcCAQEEIFKbhfNZfpDsW43+0+JjUr9K+bTeuxopu653+hBaXGA7oAoGCCqGSM49\n"
      "AwEHoUQDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lfw0EkjqF7xB4FivAxzic30tMM\n"
      "4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==\n"
      "-----END EC PRIVATE KEY-----\n";
  EXPECT_EQ(Ed25519Key::FromPem(kOther).status().message(),
            "the private key is of another algorithm; expected Ed25519");
  EXPECT_EQ(Ed25519Key::FromPem("").status().code(), StatusCode::kInvalidArgument);
}

TEST(Base64Test, WritesTheVectorsOfTheRfc) {
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64("\xfb\xff"), "+/8=");
  EXPECT_EQ(Base64Url("\xfb\xff"), "-_8");
}

}  // namespace
}  // namespace crivello
