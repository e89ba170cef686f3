// SPDX-License-Identifier: Apache-2.0
// Takes any bytes as a URL, alone and relative to another: the output parses as the same URL, the canonical
// form is its own canonical form, the row key maps back, and setters leave a URL that parses.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "web/url/canonical.h"
#include "web/url/row_key.h"

namespace {

using namespace crivello::web;

void Require(bool holds) {
  if (!holds) std::abort();
}

bool SameParts(const Url& a, const Url& b) {
  return a.href() == b.href() && a.scheme_type() == b.scheme_type() && a.has_host() == b.has_host() &&
         a.has_opaque_path() == b.has_opaque_path() && a.username() == b.username() &&
         a.password() == b.password() && a.host() == b.host() && a.hostname() == b.hostname() &&
         a.port() == b.port() && a.pathname() == b.pathname() && a.query() == b.query() &&
         a.fragment() == b.fragment() && a.origin() == b.origin();
}

void CheckIdentity(const Url& url) {
  Url again;
  Require(again.Parse(url.href()));
  Require(SameParts(url, again));
}

void CheckCanonical(const Url& url, const CanonicalOptions& options) {
  Url canonical, twice;
  if (!Canonicalize(url, &canonical, options)) return;
  CheckIdentity(canonical);
  Require(Canonicalize(canonical, &twice, options));
  Require(SameParts(canonical, twice));
  const auto key = RowKey(canonical);
  Require(key.ok());
  const auto back = UrlOfRowKey(*key);
  Require(back.ok() && SameParts(*back, canonical));
  Require(RowKeysOfHost(canonical.hostname()).Contains(*key));
  Require(RowKeysOfDomain(canonical.hostname()).Contains(*key));
}

void CheckAll(const Url& url) {
  CheckIdentity(url);
  CheckCanonical(url, {});
  CheckCanonical(url, {.sort_query = true});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  // The first line is the URL, the second a base or the setters' value; the whole input is a row key.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const size_t newline = bytes.find('\n');
  const std::string_view input = bytes.substr(0, newline);
  const std::string_view second = newline == bytes.npos ? std::string_view() : bytes.substr(newline + 1);
  Url url, base, resolved;
  if (url.Parse(input)) {
    CheckAll(url);
    for (const auto setter :
         {&Url::set_href, &Url::set_protocol, &Url::set_username, &Url::set_password, &Url::set_host,
          &Url::set_hostname, &Url::set_port, &Url::set_pathname, &Url::set_search, &Url::set_hash}) {
      Url changed = url;
      (changed.*setter)(second);
      CheckIdentity(changed);
    }
  }
  if (base.Parse(second) && resolved.Parse(input, &base)) CheckAll(resolved);
  if (const auto of_key = UrlOfRowKey(bytes); of_key.ok()) Require(*RowKey(*of_key) == bytes);
  return 0;
}
