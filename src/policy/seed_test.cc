// SPDX-License-Identifier: Apache-2.0
#include "policy/seed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::policy {
namespace {

using testing::ElementsAre;

TEST(SeedTest, AHostWithoutASchemeIsOfHttps) {
  EXPECT_EQ(SeedUrl("example.org").value().href(), "https://example.org/");
  EXPECT_EQ(SeedUrl("Example.org:8080/x").value().href(), "https://example.org:8080/x");
  EXPECT_EQ(SeedUrl("http://example.org").value().href(), "http://example.org/");
  for (const char* bad : {"", "ftp://example.org/", "https://", "mailto:a@b", "a b"}) {
    EXPECT_EQ(SeedUrl(bad).status().code(), StatusCode::kInvalidArgument) << bad;
  }
}

TEST(SeedTest, AFileHasOneALine) {
  EXPECT_THAT(ReadSeedLines("# ours\nexample.org\n\n  http://a.example/x \r\n").value(),
              ElementsAre("https://example.org/", "http://a.example/x"));
  const Status status = ReadSeedLines("example.org\nftp://x/\n").status();
  EXPECT_THAT(status.message(), testing::HasSubstr("line 2"));
}

}  // namespace
}  // namespace crivello::policy
