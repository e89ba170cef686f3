// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/status.h"
#include "web/url/url.h"

namespace crivello::policy {

enum class ScopeKind : uint8_t {
  kHost,    // the hosts of the seeds
  kDomain,  // their registrable domains
  kSuffix,  // their public suffixes
  kAny,
};
std::string_view ScopeKindName(ScopeKind kind);
std::optional<ScopeKind> ScopeKindOf(std::string_view name);

// Which URLs a crawl may fetch: those that share host, registrable domain or public suffix with a seed.  An
// IP literal has neither domain nor suffix, and is in scope with itself.  A function of the URL and the
// seeds, so that verdicts need not be kept.  Thread-safe once the seeds are in.
class Scope {
 public:
  explicit Scope(ScopeKind kind) : kind_(kind) {}

  void AddSeed(const web::Url& seed);
  bool Contains(const web::Url& url) const { return ContainsHost(url.hostname()); }
  bool ContainsHost(std::string_view host) const;
  ScopeKind kind() const { return kind_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  // The part of a host that this scope compares.
  std::string_view Part(std::string_view host) const;

  ScopeKind kind_;
  std::unordered_set<std::string, Hash, std::equal_to<>> parts_;
};

}  // namespace crivello::policy
