// SPDX-License-Identifier: Apache-2.0
#include "web/url/idna.h"

#include <gtest/gtest.h>

namespace crivello::web {
namespace {

std::string ToAscii(std::string_view domain) {
  std::string out = "before ";
  return AppendDomainToAscii(domain, &out) ? out.substr(7) : "failure" + out.substr(7);
}

TEST(IdnaTest, ConvertsToPunycode) {
  EXPECT_EQ(ToAscii("B\u00dcCHER.de"), "xn--bcher-kva.de");
  EXPECT_EQ(ToAscii("fa\u00df.de"), "xn--fa-hia.de") << "non-transitional";
  EXPECT_EQ(ToAscii("\u043d\u044d\u0431\u3002\u0440\u0444"), "xn--90ax2c.xn--p1ai");
  EXPECT_EQ(ToAscii("a\u00adb"), "ab");
}

TEST(IdnaTest, LeavesAsciiAloneButForCase) {
  EXPECT_EQ(ToAscii("WWW.Example..com."), "www.example..com.");
  EXPECT_EQ(ToAscii("XN--not-punycode!"), "xn--not-punycode!");
}

TEST(IdnaTest, RefusesWhatIsNoDomain) {
  EXPECT_EQ(ToAscii(""), "failure");
  EXPECT_EQ(ToAscii("\u00ad"), "failure") << "nothing is left";
  EXPECT_EQ(ToAscii("a b"), "failure");
  EXPECT_EQ(ToAscii("\u00fc%"), "failure");
  EXPECT_EQ(ToAscii(std::string_view("\0\u00fc", 3)), "failure");
  EXPECT_EQ(ToAscii("\xff.com"), "failure") << "no UTF-8";
  EXPECT_EQ(ToAscii("\u064aa"), "failure") << "mixed directions";
  EXPECT_EQ(ToAscii("\u200d.example"), "failure") << "joiner without context";
  EXPECT_EQ(ToAscii("xn--a.\u00df"), "failure") << "bad Punycode beside Unicode";
}

TEST(IdnaTest, KnowsMappingsNewerThanIcu72) {
  EXPECT_EQ(ToAscii("\u1e9e.com"), "xn--zca.com");
  EXPECT_EQ(ToAscii("look\u180eout.net"), "lookout.net");
  EXPECT_EQ(ToAscii("\u10a0.ge"), ToAscii("\u2d00.ge"));
}

TEST(IdnaTest, TakesLongNamesUpToTheLimit) {
  std::string name;
  while (name.size() + 21 <= kMaxIdnaBytes)
    name += "\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc\u00fc.";
  EXPECT_NE(ToAscii(name), "failure");
  name += std::string(kMaxIdnaBytes, 'a');
  EXPECT_EQ(ToAscii(name), "failure");
  EXPECT_EQ(ToAscii(std::string(100000, 'a')), std::string(100000, 'a')) << "ASCII costs nothing";
}

}  // namespace
}  // namespace crivello::web
