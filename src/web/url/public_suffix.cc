// SPDX-License-Identifier: Apache-2.0
#include "web/url/public_suffix.h"

#include <libpsl.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "web/url/ip_address.h"

namespace crivello::web {

struct PublicSuffixList::Rules {
  explicit Rules(const psl_ctx_t* borrowed) : context(borrowed) {}
  explicit Rules(psl_ctx_t* mine) : context(mine), owned(mine) {}
  ~Rules() { psl_free(owned); }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  const psl_ctx_t* context;
  psl_ctx_t* owned = nullptr;
};

namespace {

constexpr size_t kMaxDomainBytes = 253;

// The part of the host that `find` points at. libpsl requires a terminated string and returns a pointer into
// it.
template <typename Find>
std::string_view EndOfHost(std::string_view host, Find find) {
  if (host.ends_with('.')) host.remove_suffix(1);
  if (host.empty() || host.size() > kMaxDomainBytes || host.front() == '.' || host.back() == '.' ||
      host.find("..") != host.npos || host.find('\0') != host.npos || IsIpLiteral(host)) {
    return {};
  }
  char name[kMaxDomainBytes + 1];
  name[host.copy(name, host.size())] = '\0';
  const char* found = find(name);
  return found == nullptr ? std::string_view() : host.substr(static_cast<size_t>(found - name));
}

}  // namespace

PublicSuffixList::PublicSuffixList(std::unique_ptr<const Rules> rules) : rules_(std::move(rules)) {}
PublicSuffixList::PublicSuffixList(PublicSuffixList&&) noexcept = default;
PublicSuffixList& PublicSuffixList::operator=(PublicSuffixList&&) noexcept = default;
PublicSuffixList::~PublicSuffixList() = default;

const PublicSuffixList& PublicSuffixList::BuiltIn() {
  static const PublicSuffixList list(std::make_unique<const Rules>(psl_builtin()));
  return list;
}

Result<PublicSuffixList> PublicSuffixList::FromText(std::string_view text) {
  std::string copy(text);  // fmemopen needs writable memory
  const std::unique_ptr<FILE, int (*)(FILE*)> file(
      copy.empty() ? nullptr : ::fmemopen(copy.data(), copy.size(), "r"),
      [](FILE* f) { return std::fclose(f); });
  auto rules = std::make_unique<const Rules>(file == nullptr ? nullptr : psl_load_fp(file.get()));
  if (rules->context == nullptr || psl_suffix_count(rules->context) == 0) {
    return Status::InvalidArgument("public suffix list: found no rules in " + std::to_string(text.size()) +
                                   " bytes");
  }
  return PublicSuffixList(std::move(rules));
}

std::string_view PublicSuffixList::RegistrableDomain(std::string_view host) const {
  return EndOfHost(host, [this](const char* name) { return psl_registrable_domain(rules_->context, name); });
}

std::string_view PublicSuffixList::PublicSuffix(std::string_view host) const {
  return EndOfHost(host,
                   [this](const char* name) { return psl_unregistrable_domain(rules_->context, name); });
}

}  // namespace crivello::web
