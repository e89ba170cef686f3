// SPDX-License-Identifier: Apache-2.0
#include "graph/rank_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/atomic_file.h"
#include "base/test_support.h"

namespace crivello::graph {
namespace {

const RankOrigin kOrigin = {.names = "pages", .names_identity = 0x123456789abcdef, .how = "pagerank 0.85"};

TEST(RankFileTest, KeepsTheValuesAndWhoseTheyAre) {
  const TemporaryFolder folder;
  for (const size_t nodes : {0u, 1u, 2u, 3u, 200'001u}) {
    std::vector<double> values(nodes);
    for (size_t i = 0; i < nodes; i++) values[i] = 1 / static_cast<double>(i + 1);
    ASSERT_TRUE(WriteRankVector(folder / "r", kOrigin, values).ok());
    const auto file = Mapped<RankVector>::Open(folder / "r");
    ASSERT_TRUE(file.ok()) << file.status().ToString();
    EXPECT_EQ((*file)->origin(), kOrigin);
    ASSERT_EQ((*file)->nodes(), nodes);
    for (size_t i = 0; i < nodes; i++)
      ASSERT_EQ((*file)->values()[i], static_cast<float>(values[i])) << "node " << i;
    EXPECT_FALSE((*file)->Describe().empty());
  }
}

TEST(RankFileTest, TakesNoValueThatCannotBeCompared) {
  const TemporaryFolder folder;
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    const Status status = WriteRankVector(folder / "r", kOrigin, std::vector<double>{1, bad});
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_THAT(status.message(), testing::HasSubstr("node 1"));
  }
  EXPECT_EQ(ReadFile(folder / "r").status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(WriteRankVector(folder / "r", kOrigin, std::vector<double>{1e300, -1e300}).ok());
  const auto file = Mapped<RankVector>::Open(folder / "r");
  ASSERT_TRUE(file.ok());
  EXPECT_THAT((*file)->values(),
              testing::ElementsAre(std::numeric_limits<float>::max(), -std::numeric_limits<float>::max()));
}

TEST(RankFileTest, EveryFlippedByteAndEveryCutIsRefusedOrReadWithinBounds) {
  const TemporaryFolder folder;
  const std::string path = folder / "r";
  ASSERT_TRUE(WriteRankVector(path, kOrigin, std::vector<double>{0.5, 0.25, 0.125}).ok());
  const std::string bytes = ReadFile(path).value();
  for (size_t i = 0; i < bytes.size(); i++) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(damaged)).ok());
    EXPECT_FALSE(Mapped<RankVector>::Open(path).ok()) << "byte " << i;
    // Without the checksum: whatever it contains, nothing outside is read.
    const auto file = Mapped<RankVector>::Open(path, {.verify = Verify::kEnvelope});
    if (file.ok()) {
      EXPECT_FALSE((*file)->Describe().empty());
    }
    ASSERT_TRUE(WriteFileAtomically(path, AsBytes(bytes.substr(0, i))).ok());
    EXPECT_FALSE(Mapped<RankVector>::Open(path).ok()) << "cut at " << i;
  }
}

}  // namespace
}  // namespace crivello::graph
