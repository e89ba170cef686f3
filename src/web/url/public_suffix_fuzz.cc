// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a host and as a list: a registrable domain is a suffix of its host, is its own
// registrable domain, and is one label longer than its public suffix.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "web/url/public_suffix.h"
#include "web/url/url.h"

namespace {

using crivello::web::PublicSuffixList;

void CheckHost(const PublicSuffixList& list, std::string_view host) {
  const std::string_view domain = list.RegistrableDomain(host), suffix = list.PublicSuffix(host);
  if (domain.empty()) return;
  if (list.RegistrableDomain(domain) != domain) std::abort();
  if (suffix.empty() || domain.size() <= suffix.size() || !domain.ends_with(suffix)) std::abort();
  const std::string_view label = domain.substr(0, domain.size() - suffix.size() - 1);
  if (label.empty() || label.find('.') != label.npos) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The first line is the host.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string_view line = bytes.substr(0, bytes.find('\n'));
  PublicSuffixList::BuiltIn().RegistrableDomain(line);
  const auto list = PublicSuffixList::FromText(bytes.substr(line.size()));
  if (list.ok()) list->RegistrableDomain(line);
  // The guarantees hold for hosts that a URL can have.
  crivello::web::Url url;
  if (url.Parse(std::string("http://").append(line))) CheckHost(PublicSuffixList::BuiltIn(), url.hostname());
  return 0;
}
