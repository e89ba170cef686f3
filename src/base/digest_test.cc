// SPDX-License-Identifier: Apache-2.0
#include "base/digest.h"

#include <gtest/gtest.h>

namespace crivello {
namespace {

TEST(DigestTest, WritesBase32AndReadsBoth) {
  EXPECT_EQ(Sha1Digest(""), "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ");
  bool known = false;
  EXPECT_TRUE(DigestMatches("SHA1:da39a3ee5e6b4b0d3255bfef95601890afd80709", "", &known));
  EXPECT_TRUE(DigestMatches(Sha256Digest("x"), "x", &known));
  EXPECT_FALSE(DigestMatches("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", "x", &known));
  EXPECT_TRUE(known);
  EXPECT_FALSE(DigestMatches("crc:1", "x", &known));
  EXPECT_FALSE(known);
}

}  // namespace
}  // namespace crivello
