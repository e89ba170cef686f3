// SPDX-License-Identifier: Apache-2.0
#include "policy/scope.h"

#include "web/url/public_suffix.h"

namespace crivello::policy {

std::string_view ScopeKindName(ScopeKind kind) {
  switch (kind) {
    case ScopeKind::kHost:
      return "host";
    case ScopeKind::kDomain:
      return "domain";
    case ScopeKind::kSuffix:
      return "suffix";
    case ScopeKind::kAny:
      return "any";
  }
  return "";
}

std::optional<ScopeKind> ScopeKindOf(std::string_view name) {
  for (ScopeKind kind : {ScopeKind::kHost, ScopeKind::kDomain, ScopeKind::kSuffix, ScopeKind::kAny}) {
    if (ScopeKindName(kind) == name) return kind;
  }
  return std::nullopt;
}

std::string_view Scope::Part(std::string_view host) const {
  const auto& suffixes = web::PublicSuffixList::BuiltIn();
  std::string_view part;
  if (kind_ == ScopeKind::kDomain) part = suffixes.RegistrableDomain(host);
  if (kind_ == ScopeKind::kSuffix) part = suffixes.PublicSuffix(host);
  return part.empty() ? host : part;
}

void Scope::AddSeed(const web::Url& seed) { parts_.emplace(Part(seed.hostname())); }

bool Scope::ContainsHost(std::string_view host) const {
  return kind_ == ScopeKind::kAny || parts_.contains(Part(host));
}

}  // namespace crivello::policy
