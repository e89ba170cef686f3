// SPDX-License-Identifier: Apache-2.0
#include "web/url/canonical.h"

#include <algorithm>
#include <vector>

#include "web/url/ip_address.h"
#include "web/url/percent.h"

namespace crivello::web {
namespace {

constexpr size_t kMaxHostBytes = 253;

bool IsDnsName(std::string_view host) {
  return !host.empty() && host.size() <= kMaxHostBytes && host.front() != '.' && host.back() != '.' &&
         host.find("..") == host.npos;
}

std::string_view NameOf(std::string_view parameter) { return parameter.substr(0, parameter.find('=')); }

// Each parameter is normalized separately, because sorting changes what precedes it.
void AppendSorted(std::string_view query, std::string* out) {
  std::vector<std::string> parameters;
  for (size_t start = 0; start <= query.size();) {
    const size_t end = std::min(query.find('&', start), query.size());
    AppendPercentNormalized(query.substr(start, end - start), &parameters.emplace_back());
    start = end + 1;
  }
  std::stable_sort(parameters.begin(), parameters.end(),
                   [](std::string_view a, std::string_view b) { return NameOf(a) < NameOf(b); });
  const char* separator = "";
  for (const std::string& parameter : parameters) {
    out->append(separator).append(parameter);
    separator = "&";
  }
}

// Whether the text is canonical apart from what parsing takes care of: the usual case.
bool IsCanonical(const Url& url, const CanonicalOptions& options) {
  if (url.has_credentials() || url.fragment() || url.hostname().ends_with('.')) return false;
  const auto query = url.query();
  if (query && (query->empty() || options.sort_query)) return false;
  return url.path_and_query().find('%') == std::string_view::npos;
}

}  // namespace

bool Canonicalize(const Url& url, Url* canonical, const CanonicalOptions& options) {
  std::string_view host = url.hostname();
  if (host.ends_with('.')) host.remove_suffix(1);
  if (!url.is_http() || (host[0] != '[' && !IsDnsName(host))) {
    *canonical = Url();
    return false;
  }
  if (IsCanonical(url, options)) {
    *canonical = url;
    return true;
  }
  std::string href(url.protocol());
  href.append("//").append(host);
  if (!url.port().empty()) href.append(":").append(url.port());
  AppendPercentNormalized(url.pathname(), &href);
  if (url.query() && !url.query()->empty()) {
    href.push_back('?');
    if (options.sort_query) {
      AppendSorted(*url.query(), &href);
    } else {
      AppendPercentNormalized(*url.query(), &href);
    }
  }
  return canonical->Parse(href);
}

Result<Url> CanonicalUrl(std::string_view input, const Url* base, const CanonicalOptions& options) {
  CRV_ASSIGN(const Url url, ParseUrl(input, base));
  Url canonical;
  if (Canonicalize(url, &canonical, options)) return canonical;
  return Status::InvalidArgument("cannot canonicalise a URL that cannot be fetched: \"" +
                                 url.href().substr(0, 200) + "\"");
}

}  // namespace crivello::web
