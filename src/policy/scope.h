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

// Which URLs a crawl may fetch: those that share the host, registrable domain or public suffix of a seed.  An
// IP literal has neither domain nor suffix, and matches only itself.  A function of the URL and the seeds, so
// verdicts need not be stored.  Thread-safe once the seeds are added.
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
  // The part of a host that this kind of scope compares.
  std::string_view Part(std::string_view host) const;

  ScopeKind kind_;
  std::unordered_set<std::string, Hash, std::equal_to<>> parts_;
};

}  // namespace crivello::policy
