// SPDX-License-Identifier: Apache-2.0
#include "base/signing/hmac.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "base/signing/secure_random.h"

namespace crivello {
namespace {

std::string Hex(const std::string& bytes) {
  std::string text;
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return text;
}

// RFC 4231, test cases 2 and 6.
TEST(HmacTest, IsThatOfTheRfc) {
  const std::string message = "what do ya want for nothing?";
  EXPECT_EQ(Hex(*Hmac(MacHash::kSha256, "Jefe", message)),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(Hex(*Hmac(MacHash::kSha384, "Jefe", message)),
            "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
            "8e2240ca5e69e2c78b3239ecfab21649");
  EXPECT_EQ(Hex(*Hmac(MacHash::kSha512, "Jefe", message)),
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
            "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737");
  EXPECT_EQ(Hex(*Hmac(MacHash::kSha256, std::string(131, '\xaa'),
                      "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(Hex(*Hmac(MacHash::kSha256, "", "")),
            "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad");
}

TEST(HmacTest, EqualStringsAreEqual) {
  EXPECT_TRUE(EqualsInConstantTime("", ""));
  EXPECT_TRUE(EqualsInConstantTime("abc", "abc"));
  EXPECT_FALSE(EqualsInConstantTime("abc", "abd"));
  EXPECT_FALSE(EqualsInConstantTime("abc", "ab"));
  EXPECT_FALSE(EqualsInConstantTime("", "a"));
}

TEST(SecureRandomTest, RepeatsNothing) {
  SecureRandom random;
  std::set<std::string> seen;
  for (size_t bytes : {16u, 17u, 24u, 32u}) {
    for (int i = 0; i < 100; ++i) {
      const std::string one = RandomBytes(random, bytes);
      EXPECT_EQ(one.size(), bytes);
      EXPECT_TRUE(seen.insert(one).second);
    }
  }
  EXPECT_EQ(RandomBytes(random, 0), "");
  SeededRandom first(7), second(7);
  EXPECT_EQ(RandomBytes(first, 20), RandomBytes(second, 20)) << "a test can replay it";
}

}  // namespace
}  // namespace crivello
