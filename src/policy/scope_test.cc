// SPDX-License-Identifier: Apache-2.0
#include "policy/scope.h"

#include <gtest/gtest.h>

#include "web/url/canonical.h"

namespace crivello::policy {
namespace {

Scope ScopeOf(ScopeKind kind, std::initializer_list<const char*> seeds) {
  Scope scope(kind);
  for (const char* seed : seeds) scope.AddSeed(web::CanonicalUrl(seed).value());
  return scope;
}

TEST(ScopeTest, AHostIsItselfAlone) {
  const Scope scope = ScopeOf(ScopeKind::kHost, {"https://di.unimi.it/x", "http://example.org:8080/"});
  EXPECT_TRUE(scope.ContainsHost("di.unimi.it"));
  EXPECT_TRUE(scope.ContainsHost("example.org"));
  EXPECT_FALSE(scope.ContainsHost("unimi.it"));
  EXPECT_FALSE(scope.ContainsHost("www.example.org"));
}

TEST(ScopeTest, ADomainHasItsSubdomainsAndASuffixItsDomains) {
  const Scope domain = ScopeOf(ScopeKind::kDomain, {"https://a.b.co.uk/"});
  EXPECT_TRUE(domain.ContainsHost("b.co.uk"));
  EXPECT_TRUE(domain.ContainsHost("x.y.b.co.uk"));
  EXPECT_FALSE(domain.ContainsHost("c.co.uk"));
  EXPECT_FALSE(domain.ContainsHost("xb.co.uk"));
  const Scope suffix = ScopeOf(ScopeKind::kSuffix, {"https://a.b.co.uk/"});
  EXPECT_TRUE(suffix.ContainsHost("c.co.uk"));
  EXPECT_FALSE(suffix.ContainsHost("c.uk"));
}

TEST(ScopeTest, AnAddressIsInScopeWithItself) {
  for (ScopeKind kind : {ScopeKind::kHost, ScopeKind::kDomain, ScopeKind::kSuffix}) {
    const Scope scope = ScopeOf(kind, {"http://127.0.0.1/", "http://[::1]/"});
    EXPECT_TRUE(scope.ContainsHost("127.0.0.1"));
    EXPECT_TRUE(scope.ContainsHost("[::1]"));
    EXPECT_FALSE(scope.ContainsHost("127.0.0.2"));
  }
  EXPECT_TRUE(Scope(ScopeKind::kAny).ContainsHost("127.0.0.2"));
}

}  // namespace
}  // namespace crivello::policy
