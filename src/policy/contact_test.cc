// SPDX-License-Identifier: Apache-2.0
#include "policy/contact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace crivello::policy {
namespace {

TEST(ContactTest, TakesMailAddressesAndUrls) {
  const std::pair<const char*, const char*> cases[] = {
      {"me@example.org", "mailto:me@example.org"},
      {"mailto:me@example.org", "mailto:me@example.org"},
      {"a.b+crawl@sub.example.org", "mailto:a.b+crawl@sub.example.org"},
      {"ops@intranet", "mailto:ops@intranet"},
      {"https://example.org/bot", "https://example.org/bot"},
      {"http://Example.org", "http://example.org/"},
  };
  for (const auto& [text, contact] : cases) {
    const auto parsed = ParseContact(text);
    ASSERT_TRUE(parsed.ok()) << parsed.status().ToString();
    EXPECT_EQ(*parsed, contact);
  }
}

TEST(ContactTest, RefusesWhatNobodyCanBeReachedBy) {
  for (const char* text : {"", "nonsense", "@", "me@", "@example.org", "me@@example.org", "a b@example.org",
                           "me@example..org", ".me@example.org", "me@example.org.", "example.org/bot",
                           "ftp://example.org/", "https://", "mailto:", "me@example.org\nX-Other: 1"}) {
    EXPECT_EQ(ParseContact(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
  EXPECT_FALSE(ParseContact(std::string(300, 'a') + "@example.org").ok());
  EXPECT_THAT(ParseContact("nonsense").status().message(), testing::HasSubstr("'nonsense'"));
}

}  // namespace
}  // namespace crivello::policy
