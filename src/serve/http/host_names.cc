// SPDX-License-Identifier: Apache-2.0
#include "serve/http/host_names.h"

#include <algorithm>

#include "base/ascii.h"
#include "web/url/ip_address.h"

namespace crivello::serve {
namespace {

// Without port, in lower case; empty if it is not of the form "name", "name:port" or "[address]:port".
std::string HostNameOf(std::string_view host) {
  size_t end = std::min(host.find(':'), host.size());
  if (host.starts_with('[')) {
    const size_t bracket = host.find(']');
    if (bracket == std::string_view::npos) return "";
    end = bracket + 1;
  }
  const std::string_view port = host.substr(end);
  if (!port.empty() && (port[0] != ':' || !std::all_of(port.begin() + 1, port.end(), IsAsciiDigit)))
    return "";
  std::string name = ToAsciiLower(host.substr(0, end));
  if (name.ends_with('.')) name.pop_back();
  return name;
}

std::string_view WithoutBrackets(std::string_view name) { return name.substr(1, name.size() - 2); }

bool IsAddress(std::string_view name) {
  if (name.starts_with('[')) return web::ParseIpv6(WithoutBrackets(name)).has_value();
  return web::ParseIpv4(name).has_value();
}

}  // namespace

bool IsLoopbackHost(std::string_view host) {
  const std::string name = HostNameOf(host);
  if (name == "localhost" || name.ends_with(".localhost")) return true;
  if (name.starts_with('[')) {
    return web::ParseIpv6(WithoutBrackets(name)) == web::Ipv6{0, 0, 0, 0, 0, 0, 0, 1};
  }
  const auto address = web::ParseIpv4(name);
  return address && *address >> 24 == 127;
}

HostNames::HostNames(bool listens_on_loopback, std::vector<std::string> names)
    : listens_on_loopback_(listens_on_loopback), names_(std::move(names)) {
  for (std::string& name : names_) name = ToAsciiLower(name);
}

bool HostNames::IsNamed(std::string_view host) const {
  return std::find(names_.begin(), names_.end(), HostNameOf(host)) != names_.end();
}

bool HostNames::Admits(std::string_view host) const {
  if (IsLoopbackHost(host) || IsNamed(host)) return true;
  if (listens_on_loopback_) return false;
  return names_.empty() || IsAddress(HostNameOf(host));
}

}  // namespace crivello::serve
