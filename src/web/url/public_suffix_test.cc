// SPDX-License-Identifier: Apache-2.0
#include "web/url/public_suffix.h"

#include <gtest/gtest.h>

namespace crivello::web {
namespace {

TEST(PublicSuffixTest, FindsTheRegistrableDomain) {
  const PublicSuffixList& list = PublicSuffixList::BuiltIn();
  EXPECT_EQ(list.RegistrableDomain("di.unimi.it"), "unimi.it");
  EXPECT_EQ(list.RegistrableDomain("a.b.co.uk."), "b.co.uk");
  EXPECT_EQ(list.RegistrableDomain("me.github.io"), "me.github.io") << "the private part counts";
  EXPECT_EQ(list.RegistrableDomain("www.xn--85x722f.xn--55qx5d.cn"), "xn--85x722f.xn--55qx5d.cn");
  EXPECT_EQ(list.RegistrableDomain("a.unlisted"), "a.unlisted");
  EXPECT_EQ(list.PublicSuffix("a.b.co.uk"), "co.uk");
  EXPECT_EQ(list.PublicSuffix("co.uk"), "co.uk");
  EXPECT_EQ(list.PublicSuffix("a.unlisted"), "unlisted");
}

TEST(PublicSuffixTest, SomeHostsHaveNone) {
  const PublicSuffixList& list = PublicSuffixList::BuiltIn();
  for (const std::string_view host :
       {"", ".", "it", "co.uk", "localhost", "1.2.3.4", "[::1]", ".a.it", "a..it", "a.it.."}) {
    EXPECT_EQ(list.RegistrableDomain(host), "") << host;
  }
  std::string long_name(300, 'a');
  long_name += ".it";
  EXPECT_EQ(list.RegistrableDomain(long_name), "");
  EXPECT_EQ(list.RegistrableDomain(std::string_view("a\0b.it", 6)), "");
}

TEST(PublicSuffixTest, TakesAListFromText) {
  const auto list = PublicSuffixList::FromText("// rules\nfoo\n*.bar\n!city.bar\n\u516c\u53f8.foo\n");
  ASSERT_TRUE(list.ok()) << list.status().ToString();
  EXPECT_EQ(list->RegistrableDomain("x.y.foo"), "y.foo");
  EXPECT_EQ(list->RegistrableDomain("x.y.bar"), "x.y.bar");
  EXPECT_EQ(list->RegistrableDomain("y.bar"), "");
  EXPECT_EQ(list->RegistrableDomain("x.city.bar"), "city.bar");
  EXPECT_EQ(list->RegistrableDomain("x.y.xn--55qx5d.foo"), "y.xn--55qx5d.foo");
  EXPECT_FALSE(PublicSuffixList::FromText("").ok());
  EXPECT_FALSE(PublicSuffixList::FromText("// nothing\n\n").ok());
}

}  // namespace
}  // namespace crivello::web
