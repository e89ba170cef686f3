// SPDX-License-Identifier: Apache-2.0
#include "bits/block_codec.h"

#include <gtest/gtest.h>

#include <set>

#include "bits/block_codec_test_data.h"

namespace crivello::bits {
namespace {

TEST(BlockCodecTest, EveryCodecRoundTripsBehindTheSameFace) {
  std::set<std::string_view> names;
  for (const BlockCodec& codec : AllBlockCodecs()) {
    SCOPED_TRACE(codec.name);
    EXPECT_TRUE(names.insert(codec.name).second);
    EXPECT_FALSE(codec.summary.empty());
    const Integers values = ZipfIntegers(1000, 1.0, 1);
    std::vector<uint8_t> bytes = {1, 2, 3};
    codec.encode(values, &bytes);
    EXPECT_EQ(bytes[2], 3) << "appends";
    Integers got(values.size());
    const auto read = codec.decode(std::as_bytes(std::span(bytes)).subspan(3), got);
    ASSERT_TRUE(read.ok()) << read.status().ToString();
    EXPECT_EQ(*read, bytes.size() - 3);
    EXPECT_EQ(got, values);
  }
}

TEST(BlockCodecTest, FindsByName) {
  EXPECT_EQ(FindBlockCodec("pfor-90")->name, "pfor-90");
  const auto none = FindBlockCodec("zip");
  EXPECT_EQ(none.status().code(), StatusCode::kNotFound);
  for (const BlockCodec& codec : AllBlockCodecs()) {
    EXPECT_NE(none.status().message().find(codec.name), std::string::npos);
  }
}

TEST(BlockCodecTest, ThePaperOfEachIsRightAboutSpaceOnGaps) {
  const Integers gaps = GeometricIntegers(100000, 0.02, 1);
  const auto size = [&](std::string_view name) {
    std::vector<uint8_t> bytes;
    FindBlockCodec(name)->encode(gaps, &bytes);
    return bytes.size();
  };
  EXPECT_LT(size("rans"), size("pfor"));
  EXPECT_LE(size("pfor"), size("pfor-90"));
  EXPECT_LT(size("pfor-90"), size("stream-vbyte"));
}

}  // namespace
}  // namespace crivello::bits
