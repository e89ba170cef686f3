// SPDX-License-Identifier: Apache-2.0
#include "web/url/row_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/random.h"
#include "web/url/canonical.h"

namespace crivello::web {
namespace {

std::string KeyOf(std::string_view input) {
  const auto url = CanonicalUrl(input);
  EXPECT_TRUE(url.ok()) << input;
  return url.ok() ? RowKey(*url).value() : "";
}

// A host made of a few short labels, so that hosts share domains and are prefixes of each other; includes the
// bytes that keys treat specially.
std::string RandomHost(Random* random) {
  static const std::vector<std::string> labels = {"a",   "b",  "ab", "a-b",   "a*", "a+",
                                                  "a,b", "a)", "it", "unimi", "_"};
  std::string host;
  for (uint64_t n = 1 + random->Below(4); n > 0; n--) host += labels[random->Below(labels.size())] + ".";
  return host + (random->Below(2) == 0 ? "it" : "uk");
}

std::string RandomUrl(Random* random) {
  static const std::vector<std::string> hosts = {"1.2.3.4", "[::1]", "[2001:db8::2]", "255.255.255.255"};
  static const std::vector<std::string> paths = {"", "/", "/a", "/a,b)c", "/?q", "/x?y=:,)", "//", "/%2C"};
  std::string url = random->Below(2) == 0 ? "http://" : "https://";
  url += random->Below(5) == 0 ? hosts[random->Below(hosts.size())] : RandomHost(random);
  if (random->Below(3) == 0) url.append(":").append(std::to_string(random->Below(65536)));
  return url + paths[random->Below(paths.size())];
}

TEST(RowKeyTest, ReversesTheHost) {
  EXPECT_EQ(KeyOf("https://di.unimi.it/path?query"), "it,unimi,di)https:443/path?query");
  EXPECT_EQ(KeyOf("http://localhost"), "localhost)http:80/");
  EXPECT_EQ(KeyOf("http://1.2.3.4:8080/x"), "1.2.3.4)http:8080/x");
  EXPECT_EQ(KeyOf("https://[::1]/"), "[::1])https:443/");
  EXPECT_EQ(KeyOf("http://a,b.c)d.it/,)"), "it,c%29d,a%2Cb)http:80/,)");
}

TEST(RowKeyTest, ComesBackWithoutLoss) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  for (int i = 0; i < 5000; i++) {
    const std::string input = RandomUrl(&random);
    const auto url = CanonicalUrl(input);
    ASSERT_TRUE(url.ok()) << input;
    const auto key = RowKey(*url);
    ASSERT_TRUE(key.ok()) << input;
    const auto back = UrlOfRowKey(*key);
    ASSERT_TRUE(back.ok()) << input << " " << *key;
    ASSERT_EQ(back->href(), url->href()) << *key;
  }
}

TEST(RowKeyTest, HostsAndDomainsAreRanges) {
  const uint64_t seed = RandomSeed();
  SCOPED_TRACE(seed);
  SeededRandom random(seed);
  std::vector<Url> urls;
  for (int i = 0; i < 300; i++) urls.push_back(CanonicalUrl(RandomUrl(&random)).value());
  for (const Url& site : urls) {
    const std::string_view host = site.hostname();
    const auto of_host = RowKeysOfHost(host), of_domain = RowKeysOfDomain(host);
    for (const Url& page : urls) {
      const std::string key = RowKey(page).value();
      const bool same_host = page.hostname() == host;
      const bool below = page.hostname().size() > host.size() && page.hostname().ends_with(host) &&
                         page.hostname()[page.hostname().size() - host.size() - 1] == '.';
      ASSERT_EQ(of_host.Contains(key), same_host) << host << " " << key;
      ASSERT_EQ(of_domain.Contains(key), same_host || below) << host << " " << key;
    }
  }
}

TEST(RowKeyTest, PrefixesAreRanges) {
  const auto range = RowKeysWithPrefix("it,unimi)https:443/a");
  EXPECT_TRUE(range.Contains("it,unimi)https:443/a"));
  EXPECT_TRUE(range.Contains("it,unimi)https:443/a\xff\xff"));
  EXPECT_FALSE(range.Contains("it,unimi)https:443/b"));
  EXPECT_FALSE(range.Contains("it,unimi)https:443/"));
  EXPECT_TRUE(RowKeysWithPrefix("").Contains("anything"));
  EXPECT_EQ(RowKeysWithPrefix("\xff\xff").end, "");
  EXPECT_EQ(RowKeysWithPrefix("a\xff").end, "b");
}

TEST(RowKeyTest, RefusesUrlsThatItWouldCut) {
  for (const std::string_view input : {"http://a/#x", "http://u@a/", "ftp://a/", "mailto:x"}) {
    Url url;
    ASSERT_TRUE(url.Parse(input));
    EXPECT_EQ(RowKey(url).status().code(), StatusCode::kInvalidArgument) << input;
  }
}

TEST(RowKeyTest, RefusesWhatIsNoKey) {
  for (const std::string_view key : {"",
                                     "it",
                                     "it)",
                                     "it)https",
                                     "it)https:",
                                     "it)https:443",
                                     "it)https:443x",
                                     "it)https:0443/",
                                     "IT)https:443/",
                                     "it)ftp:21/",
                                     "it)https:443/#x",
                                     "it)https:443/a b",
                                     "it,a*)http:80/",
                                     "it,%61)http:80/",
                                     ")http:80/",
                                     "1,2,3,4)http:80/",
                                     "1.2.3)http:80/",
                                     "a.b)http:80/",
                                     "it)http:80/./x",
                                     "u@it)http:80/"}) {
    EXPECT_EQ(UrlOfRowKey(key).status().code(), StatusCode::kCorruption) << key;
  }
}

}  // namespace
}  // namespace crivello::web
