// SPDX-License-Identifier: Apache-2.0
#include "web/url/signature.h"

#include <gtest/gtest.h>

#include "web/url/canonical.h"

namespace crivello::web {
namespace {

uint64_t Signature(std::string_view url) { return UrlSignature(CanonicalUrl(url).value()); }

TEST(SignatureTest, NeverChanges) { EXPECT_EQ(Signature("https://example.org/"), 0x5c308be820f54e59u); }

TEST(SignatureTest, StartsWithTheBitsOfTheHostWhateverSchemeAndPort) {
  const uint64_t host = HostHash("example.org") >> (64 - kHostSignatureBits);
  for (const char* url : {"http://example.org/", "https://example.org/a", "https://example.org:8443/a?b"}) {
    EXPECT_EQ(Signature(url) >> (64 - kHostSignatureBits), host) << url;
  }
  EXPECT_NE(Signature("https://example.org/a"), Signature("https://example.org/b"));
  EXPECT_NE(Signature("https://example.org/a"), Signature("http://example.org/a"));
}

TEST(SignatureTest, ATabletIsOneRangeOfSignatures) {
  for (int bits = 0; bits <= kHostSignatureBits; ++bits) {
    for (const char* name : {"a.example", "b.example", "it.wikipedia.org", "127.0.0.1"}) {
      const uint64_t host = HostHash(name);
      const uint64_t signature = UrlSignature(host, std::string("https://") + name + "/");
      EXPECT_EQ(TabletOf(host, bits), TabletOf(signature, bits)) << name << " " << bits;
    }
  }
}

}  // namespace
}  // namespace crivello::web
